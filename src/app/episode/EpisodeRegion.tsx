import { useMemo, useRef } from 'react';
import { budgets as budgetsOf, recordedTotals, withTotals, type Episode, type Finding } from '../../model';
import { OwnFrame, useTurn } from '../controls/OwnFrame';
import { usePreferences } from '../stores/preferences';
import styles from './EpisodeRegion.module.css';
import { useFollow } from './follow';
import { MessageList } from './messages/MessageList';
import { StepBar } from './stepbar/StepBar';
import { marksOf } from './timeline/marks';
import { Timeline } from './timeline/Timeline';
import { TokenizerChoice } from '../tokenizers/TokenizerChoice';
import { useMeasure } from './useMeasure';
import { useSize } from './useSize';

export interface EpisodeRegionProps {
  episode: Episode;
  /** What stays the same while the episode grows; without it, another object is another episode. */
  identity?: string | undefined;
  /** Already within the episode's steps; 0 where it has none. */
  step: number;
  onStep: (step: number, how?: 'push' | 'replace') => void;
  findings: readonly Finding[];
  /** A message to bring into view, each time `nth` changes. */
  target?: { msgId: number; nth: number } | undefined;
}

/** Below this the bars stand back for the messages. */
const LOW = 660;

/** The same at every step. */
const choice = <TokenizerChoice />;

/** The steps of one episode: the timeline, and the messages of the step chosen on it. */
export function EpisodeRegion({ episode, identity, step, onStep, findings, target }: EpisodeRegionProps) {
  const viewMode = usePreferences((state) => state.viewMode);
  const follow = useFollow();
  const measure = useMeasure(episode);
  const totals = useMemo(() => recordedTotals(episode), [episode]);
  const recorded = useMemo(() => recordedOf(totals), [totals]);
  const budgets = useMemo(() => withTotals(budgetsOf(episode, measure), totals), [episode, measure, totals]);
  const marks = useMemo(() => marksOf(episode, findings), [episode, findings]);
  const key = useEpisodeKey(episode);
  const region = useRef<HTMLDivElement>(null);
  const { height } = useSize(region);
  // Another episode is drawn at once.
  const begun = useTurn();
  return (
    <div ref={region} className={styles.region}>
      <Timeline
        episode={episode}
        step={step}
        onStep={onStep}
        budgets={budgets}
        marks={marks}
        measure={measure}
        recorded={recorded}
        height={height < LOW ? 60 : 96}
      >
        {episode.tokenIds === 'characters' ? null : choice}
      </Timeline>
      <OwnFrame>
        <StepBar
          episode={episode}
          step={step}
          budget={budgets[step]}
          marks={marks.get(step)}
          measure={measure}
        />
      </OwnFrame>
      <MessageList
        key={identity ?? key}
        episode={episode}
        step={step}
        mode={viewMode}
        onStep={onStep}
        measure={measure}
        follow={follow}
        wanted={target}
        begun={begun}
      />
    </div>
  );
}

function recordedOf(totals: readonly (number | undefined)[]): 'all' | 'some' | 'none' {
  const count = totals.reduce<number>((sum, total) => sum + (total === undefined ? 0 : 1), 0);
  if (count === 0) return 'none';
  return count === totals.length ? 'all' : 'some';
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
