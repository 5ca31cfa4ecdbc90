import type { ComponentType } from 'react';
import type { EpisodeRef } from '../../ingest/protocol';
import type { Episode, Finding } from '../../model';
import type { TabId } from '../place/place';
import type { EpisodePlace } from './place';

/** What every tab gets; a tab takes what it needs. */
export interface TabProps {
  episodeRef: EpisodeRef;
  episode: Episode;
  step: number;
  findings: readonly Finding[];
  onPlace: (place: EpisodePlace) => void;
}

export interface TabDefinition {
  id: TabId;
  /** As screen readers and tests know it. */
  name: string;
  component: ComponentType<TabProps>;
  /** How many things wait in the tab; none is not shown. */
  badge?: (props: TabProps) => number;
}
