export { EpisodeRegion, type EpisodeRegionProps } from './EpisodeRegion';
export { type ContextMeasure } from './measure';
