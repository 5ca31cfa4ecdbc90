import { useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useMemo, useRef, useState } from 'react';
import { historyOf, type Episode } from '../../../model';
import { usePreferences, type ViewMode } from '../../stores/preferences';
import type { ContextMeasure } from '../measure';
import { FindBar } from '../find/FindBar';
import { useFind } from '../find/store';
import { useFinding } from '../find/useFinding';
import { useSize } from '../useSize';
import { estimateHeight } from './estimate';
import find from '../find/find.module.css';
import styles from './messages.module.css';
import { Openings } from './openings';
import { RowView } from './RowView';
import { rowsFor } from './rows';
import { SurroundingsContext, type Surroundings } from './surroundings';
import { useScrolling } from './useScrolling';

interface MessageListProps {
  episode: Episode;
  step: number;
  mode: ViewMode;
  onStep: (step: number, how?: 'push' | 'replace') => void;
  measure: ContextMeasure;
  /** Whether a change of step brings its emission into view. */
  follow: boolean;
  /** A message to bring into view, each time `nth` changes. */
  wanted?: { msgId: number; nth: number } | undefined;
}

/** Where on the screen the emission is brought, from the top: below enough of what led to it. */
const LEAD = 0.3;

/** The messages of a step. Only the rows on screen are in the page. */
export function MessageList({ episode, step, mode, onStep, measure, follow, wanted }: MessageListProps) {
  const textMode = usePreferences((state) => state.textMode);
  const inferredText = usePreferences((state) => state.inferredText);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [openings] = useState(() => new Openings());
  const { rows, now, anchor } = useMemo(
    () => rowsFor(episode, step, mode, open),
    [episode, step, mode, open],
  );

  const scroller = useRef<HTMLDivElement>(null);
  const layer = useRef<HTMLDivElement>(null);
  const { height } = useSize(scroller);
  // The compiler leaves this component alone, which is right: the list must be asked anew on every drawing.
  // oxlint-disable-next-line react/incompatible-library
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: useCallback((index) => estimateHeight(rows[index]), [rows]),
    getItemKey: useCallback((index) => rows[index]?.key ?? index, [rows]),
    overscan: 2,
    paddingStart: 4,
    paddingEnd: 24,
    scrollPaddingStart: Math.round(height * LEAD),
  });
  const { target, jumpTo, takeFocus } = useScrolling({
    place: { step, mode },
    anchor,
    follow,
    ready: height > 0,
    wanted,
    indexOf: (msgId) => rows.findIndex((row) => row.kind === 'message' && row.message.msgId === msgId),
    scrollTo: (index) => list.scrollToIndex(index, { align: 'start' }),
    goToMessage: (msgId) => {
      const message = historyOf(episode).byId.get(msgId);
      if (message !== undefined) onStep(Math.max(0, message.bornAtStep));
    },
  });
  const isFinding = useFind((state) => state.open);
  const finding = useFinding({
    episode,
    rows,
    mode,
    openings,
    scroller,
    layer,
    offsetOf: (index) => list.getOffsetForIndex(index, 'start')?.[0],
    onStep,
  });
  const surroundings = useMemo(
    (): Surroundings => ({ episode, measure, textMode, inferredText, jumpTo, takeFocus, openings }),
    [episode, measure, textMode, inferredText, jumpTo, takeFocus, openings],
  );

  return (
    <SurroundingsContext value={surroundings}>
      {isFinding ? <FindBar {...finding} list={() => scroller.current} /> : null}
      <div
        ref={scroller}
        className={styles.scroller}
        // It scrolls, so the keyboard must reach it.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
        role="group"
        aria-label="Messages"
      >
        <div className={styles.rows} style={{ height: list.getTotalSize() }}>
          {list.getVirtualItems().map((item) => {
            const row = rows[item.index];
            if (row === undefined) return null;
            const brought = item.index >= now.start && item.index < now.end;
            return (
              <div
                key={item.key}
                ref={list.measureElement}
                data-index={item.index}
                data-now={brought || undefined}
                className={styles.row}
                style={{ transform: `translateY(${item.start}px)` }}
              >
                <RowView
                  row={row}
                  now={brought}
                  jump={row.kind === 'message' && row.message.msgId === target?.msgId ? target.nth : 0}
                  onToggle={(key) => setOpen((keys) => toggled(keys, key))}
                  onStep={onStep}
                />
              </div>
            );
          })}
          {isFinding ? <div ref={layer} className={find.layer} /> : null}
        </div>
      </div>
    </SurroundingsContext>
  );
}

function toggled(keys: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(keys);
  if (!next.delete(key)) next.add(key);
  return next;
}
