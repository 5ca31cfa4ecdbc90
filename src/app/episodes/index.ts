export { EpisodesRegion } from './EpisodesRegion';
