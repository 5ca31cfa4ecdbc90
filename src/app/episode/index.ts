export { EpisodeRegion, type EpisodeRegionProps } from './EpisodeRegion';
