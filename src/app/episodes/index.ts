export { EpisodesRegion } from './EpisodesRegion';
export { tableQuery, useTableQuery } from './query';
