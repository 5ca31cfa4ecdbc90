import { useMemo, useRef } from 'react';
import { budgets as budgetsOf, type Episode, type Finding } from '../../model';
import { usePreferences } from '../stores/preferences';
import styles from './EpisodeRegion.module.css';
import { useFollow } from './follow';
import { charactersOf, type ContextMeasure } from './measure';
import { MessageList } from './messages/MessageList';
import { StepBar } from './stepbar/StepBar';
import { marksOf } from './timeline/marks';
import { Timeline } from './timeline/Timeline';
import { useSize } from './useSize';

export interface EpisodeRegionProps {
  episode: Episode;
  /** Already within the episode's steps; 0 where it has none. */
  step: number;
  onStep: (step: number, how?: 'push' | 'replace') => void;
  findings: readonly Finding[];
  /** How sizes are measured; in characters unless something better is known. */
  measure?: ContextMeasure;
}

/** Below this the bars stand back for the messages. */
const LOW = 660;

/** The steps of one episode: the timeline, and the messages of the step chosen on it. */
export function EpisodeRegion({ episode, step, onStep, findings, measure: given }: EpisodeRegionProps) {
  const viewMode = usePreferences((state) => state.viewMode);
  const follow = useFollow();
  const measure = useMemo(() => given ?? charactersOf(episode), [given, episode]);
  const budgets = useMemo(() => budgetsOf(episode, measure), [episode, measure]);
  const marks = useMemo(() => marksOf(episode, findings), [episode, findings]);
  const key = useEpisodeKey(episode);
  const region = useRef<HTMLDivElement>(null);
  const { height } = useSize(region);
  return (
    <div ref={region} className={styles.region}>
      <Timeline
        episode={episode}
        step={step}
        onStep={onStep}
        budgets={budgets}
        marks={marks}
        measure={measure}
        height={height < LOW ? 60 : 96}
      />
      <StepBar
        episode={episode}
        step={step}
        budget={budgets[step]}
        marks={marks.get(step)}
        measure={measure}
      />
      <MessageList
        key={key}
        episode={episode}
        step={step}
        mode={viewMode}
        onStep={onStep}
        measure={measure}
        follow={follow}
      />
    </div>
  );
}

const keys = new WeakMap<Episode, number>();
let lastKey = 0;

/** Another episode is another list: nothing opened or measured in one belongs to the other. */
function useEpisodeKey(episode: Episode): number {
  return useMemo(() => {
    const known = keys.get(episode) ?? ++lastKey;
    keys.set(episode, known);
    return known;
  }, [episode]);
}
