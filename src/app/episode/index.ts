export { EpisodeRegion, type EpisodeRegionProps } from './EpisodeRegion';
export { charactersOf, type ContextMeasure } from './measure';
