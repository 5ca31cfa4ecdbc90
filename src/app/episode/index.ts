export { EpisodeRegion, type EpisodeRegionProps } from './EpisodeRegion';
export { characters, type ContextMeasure } from './measure';
