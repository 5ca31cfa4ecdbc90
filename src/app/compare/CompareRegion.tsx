import { useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useMemo, useRef } from 'react';
import { compareEpisodes, type Episode, type StepRow } from '../../model';
import { Button } from '../controls/Button';
import { Name } from '../markdown';
import { counted, formatReward } from '../words/format';
import { RowView } from './RowView';
import styles from './compare.module.css';

interface CompareRegionProps {
  /** On the left. */
  pinned: Episode;
  /** On the right. */
  episode: Episode;
  step: number;
  onStep: (step: number) => void;
  onClose: () => void;
}

/** Two episodes side by side, step by step, scrolling together. */
export function CompareRegion({ pinned, episode, step, onStep, onClose }: CompareRegionProps) {
  const comparison = useMemo(() => compareEpisodes(pinned, episode), [pinned, episode]);
  const { rows, first, rewards } = comparison;
  const differing = useMemo(
    () => rows.flatMap((row, index) => (row.kind !== 'both' || row.differences.length > 0 ? [index] : [])),
    [rows],
  );
  const now = rows.findIndex((row) => row.kind !== 'a' && row.b >= step);

  const scroller = useRef<HTMLDivElement>(null);
  // The compiler leaves this component alone, which is right: the list must be asked anew on every drawing.
  // oxlint-disable-next-line react/incompatible-library
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: useCallback(() => 140, []),
    overscan: 3,
    paddingEnd: 24,
    initialOffset: 0,
  });
  const goTo = (index: number | undefined) => {
    if (index === undefined) return;
    list.scrollToIndex(Math.max(0, index), { align: 'start' });
    const row = rows[index];
    if (row !== undefined && row.kind !== 'a') onStep(row.b);
  };
  const top = () => list.range?.startIndex ?? now;

  return (
    <div className={styles.compare}>
      <header className={styles.head}>
        <div className={styles.verdict}>
          <output>
            {first === undefined
              ? 'The two are the same, in every step, state and reward.'
              : `${first.sentence} ${counted(differing.length, 'step differs', 'steps differ')}.`}
          </output>
          <span className={styles.buttons}>
            <Button
              kind="primary"
              disabled={first === undefined || first.row < 0}
              onClick={() => goTo(first?.row)}
            >
              First difference
            </Button>
            <Button
              aria-label="Previous difference"
              disabled={differing.length === 0}
              onClick={() => goTo(differing.findLast((index) => index < top()) ?? differing[0])}
            >
              ↑
            </Button>
            <Button
              aria-label="Next difference"
              disabled={differing.length === 0}
              onClick={() => goTo(differing.find((index) => index > top()) ?? differing.at(-1))}
            >
              ↓
            </Button>
            <Button onClick={onClose}>Close</Button>
          </span>
        </div>
        <div className={styles.titles}>
          <Title name="Pinned" episode={pinned} reward={rewards.a} />
          <Title name="Open" episode={episode} reward={rewards.b} />
        </div>
      </header>
      <div
        ref={scroller}
        className={styles.scroller}
        // It scrolls, so the keyboard must reach it.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
        role="group"
        aria-label="Steps side by side"
      >
        <div className={styles.rows} style={{ height: list.getTotalSize() }}>
          {list.getVirtualItems().map((item) => {
            const row = rows[item.index];
            return row === undefined ? null : (
              <div
                key={item.key}
                ref={list.measureElement}
                data-index={item.index}
                className={styles.row}
                style={{ transform: `translateY(${item.start}px)` }}
              >
                <RowView
                  row={row}
                  a={pinned}
                  b={episode}
                  isFirst={item.index === first?.row}
                  isNow={isAt(row, step)}
                  onStep={onStep}
                />
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

const isAt = (row: StepRow, step: number) => row.kind !== 'a' && row.b === step;

function Title({ name, episode, reward }: { name: string; episode: Episode; reward: number | undefined }) {
  return (
    <h2>
      <span className={styles.side}>{name}</span>
      <Name text={episode.title} />
      <span className={styles.reward}>
        {counted(episode.steps.length, 'step')} ·{' '}
        {reward === undefined ? 'no reward' : `reward ${formatReward(reward)}`}
      </span>
    </h2>
  );
}
