import { useCallback, useMemo, useRef, useState } from 'react';
import { historyOf, type Episode } from '../../../model';
import { usePreferences, type ViewMode } from '../../stores/preferences';
import type { ContextMeasure } from '../measure';
import { FindBar } from '../find/FindBar';
import { useFind } from '../find/store';
import { useFinding } from '../find/useFinding';
import find from '../find/find.module.css';
import styles from './messages.module.css';
import { Openings } from './openings';
import { RowView } from './RowView';
import { rowsFor } from './rows';
import { SurroundingsContext, type Surroundings } from './surroundings';
import { useRowWindow } from './useRowWindow';
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
  /** Whether rows are drawn by now. The rest is there before them: one can type what to find. */
  begun: boolean;
}

/** The messages of a step. Only the rows on screen are in the page. */
export function MessageList(props: MessageListProps) {
  const { episode, step, mode, onStep, measure, follow, wanted, begun } = props;
  const textMode = usePreferences((state) => state.textMode);
  const inferredText = usePreferences((state) => state.inferredText);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const toggle = useCallback((key: string) => setOpen((keys) => toggled(keys, key)), []);
  const [openings] = useState(() => new Openings());
  const { rows, now, anchor } = useMemo(
    () => rowsFor(episode, step, mode, open),
    [episode, step, mode, open],
  );

  const scroller = useRef<HTMLDivElement>(null);
  const layer = useRef<HTMLDivElement>(null);
  const whole = useRef<HTMLDivElement>(null);
  const drawn = useRef<HTMLDivElement>(null);
  const list = useRowWindow({ begun, rows, place: { step, mode }, anchor, follow, scroller, whole, drawn });
  const { target, jumpTo, takeFocus } = useScrolling({
    ready: list.ready,
    wanted,
    indexOf: (msgId) => rows.findIndex((row) => row.kind === 'message' && row.message.msgId === msgId),
    scrollTo: list.scrollTo,
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
    textMode,
    openings,
    scroller,
    layer,
    offsetOf: list.offsetOf,
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
        <div ref={whole} className={styles.rows} style={{ height: list.total }}>
          <div ref={drawn} className={styles.drawn} style={{ top: list.top }}>
            {rows.slice(list.start, list.end).map((row, nth) => {
              const index = list.start + nth;
              const brought = index >= now.start && index < now.end;
              return (
                <div key={row.key} data-index={index} data-now={brought || undefined} className={styles.row}>
                  <RowView
                    row={row}
                    now={brought}
                    jump={row.kind === 'message' && row.message.msgId === target?.msgId ? target.nth : 0}
                    onToggle={toggle}
                    onStep={onStep}
                  />
                </div>
              );
            })}
          </div>
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
