import { useEffect, useLayoutEffect, useMemo, useRef, useState, type RefObject } from 'react';
import { historyOf, type Episode } from '../../../model';
import { setPreferences, type TextMode, type ViewMode } from '../../stores/preferences';
import type { Openings } from '../messages/openings';
import type { Row } from '../messages/rows';
import { draw, rangesIn } from './highlight';
import { finderOf, matchFrom, neighbourMatch, sameMatch, type Match } from './matches';
import { keysToOpen } from './reveal';
import { useFind } from './store';
import { shows } from './texts';
import { useMatches } from './useMatches';
import { useReadAs } from './useReadAs';

interface FindingOptions {
  episode: Episode;
  rows: readonly Row[];
  mode: ViewMode;
  textMode: TextMode;
  openings: Openings;
  scroller: RefObject<HTMLElement | null>;
  /** Where boxes are drawn in browsers without highlights. */
  layer: RefObject<HTMLElement | null>;
  /** Where the list would scroll to for a row. */
  offsetOf: (index: number) => number | undefined;
  onStep: (step: number, how?: 'push' | 'replace') => void;
}

export interface Finding {
  count: number;
  /** Of the chosen match, from 0; -1 for none. */
  at: number;
  done: boolean;
  go: (by: 1 | -1) => void;
}

/** Frames in which rows are drawn and measured until a match stands still. */
const FRAMES = 40;
const STILL = 4;
/** Where on the screen a match is brought, from the top. */
const LEAD = 0.35;
const MARGIN = 28;

/** Looks for a text in the episode, and brings its places into view one by one. */
export function useFinding(options: FindingOptions): Finding {
  const { episode, rows, scroller } = options;
  const { open, text, matchCase, wishes } = useFind();
  const finder = useMemo(() => (open ? finderOf(text, matchCase) : undefined), [open, text, matchCase]);
  const readAs = useReadAs(options.textMode);
  const matches = useMatches(episode, rows, finder, readAs);
  const [current, setCurrent] = useState<Match>();
  const at = matches.list.findIndex((match) => sameMatch(match, current));

  const latest = useRef({ ...options, readAs, finder, current });
  useLayoutEffect(() => {
    latest.current = { ...options, readAs, finder, current };
  });

  /** What is to be brought into view, and how often it was not among the rows. */
  const wanted = useRef<{ match: Match; tries: number }>(undefined);
  const frame = useRef(0);

  function reveal(match: Match): void {
    setCurrent(match);
    wanted.current = { match, tries: 0 };
    approach();
  }

  /** Goes to where the match is shown: here, at the step that brought it, or in the full history. */
  function approach(): void {
    const { current: goal } = wanted;
    if (goal === undefined) return;
    const { match } = goal;
    const now = latest.current;
    const index = now.rows.findIndex((row) => shows(row, match.msgId, match.where));
    const row = now.rows[index];
    if (row?.kind === 'message') {
      wanted.current = undefined;
      for (const key of keysToOpen(row.message, row.as, match, now.readAs)) now.openings.set(key, true);
      settle(index, match);
      return;
    }
    goal.tries += 1;
    const born = historyOf(now.episode).byId.get(match.msgId)?.bornAtStep ?? 0;
    if (goal.tries === 1) now.onStep(Math.max(0, born), 'replace');
    else if (goal.tries === 2) setPreferences({ viewMode: 'history' });
    else wanted.current = undefined;
  }

  /** Scrolls until the match is seen and does not move any more. */
  function settle(index: number, match: Match): void {
    cancelAnimationFrame(frame.current);
    let [frames, still] = [0, 0];
    const tick = () => {
      const element = scroller.current;
      if (element === null) return;
      const range = rangeOf(element, index, match, latest.current.finder);
      const view = element.getBoundingClientRect();
      const place = range?.getBoundingClientRect();
      if (place === undefined) {
        const offset = latest.current.offsetOf(index);
        if (offset !== undefined) element.scrollTop = offset;
      } else if (place.top < view.top + MARGIN || place.bottom > view.bottom - MARGIN) {
        element.scrollTop += place.top - view.top - view.height * LEAD;
        still = 0;
      } else still += 1;
      frames += 1;
      if (still < STILL && frames < FRAMES) frame.current = requestAnimationFrame(tick);
    };
    frame.current = requestAnimationFrame(tick);
  }

  // The rows of another step, or of the full history, may have what is wanted.
  // oxlint-disable-next-line react/exhaustive-deps
  useEffect(approach, [rows]);

  // A text that is new leads to its first place from here on; one that was looked for elsewhere, to the first of all.
  const led = useRef<{ finder: RegExp | undefined; wishes: number }>({ finder: undefined, wishes });
  useEffect(() => {
    const { of, list, done } = matches;
    const before = led.current;
    if (of === undefined || (before.finder === of && before.wishes === wishes)) return;
    if (list.length === 0 && !done) return;
    led.current = { finder: of, wishes };
    const order = new Map(episode.messages.map(({ msgId }, index) => [msgId, index]));
    const first =
      before.wishes === wishes ? matchFrom(list, order, topmost(scroller.current, rows)) : list[0];
    if (first === undefined) setCurrent(undefined);
    else reveal(first);
    // `reveal` does the same whenever it was made.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [matches, wishes]);

  useEffect(() => () => cancelAnimationFrame(frame.current), []);
  useMarks(latest, finder, current);

  return {
    count: matches.list.length,
    at,
    done: matches.done && (finder === undefined || matches.of === finder),
    go: (by) => {
      const next = neighbourMatch(matches.list, current, by);
      if (next !== undefined) reveal(next);
    },
  };
}

type Latest = RefObject<FindingOptions & { finder: RegExp | undefined; current: Match | undefined }>;

/** Marks what is on the page, and again whenever that has changed. */
function useMarks(latest: Latest, finder: RegExp | undefined, current: Match | undefined): void {
  useEffect(() => {
    const { scroller, layer } = latest.current;
    const element = scroller.current;
    if (element === null || finder === undefined) return;
    let frame = 0;
    const paint = () => {
      frame = 0;
      const { rows } = latest.current;
      const all: Range[] = [];
      let now: Range | undefined;
      for (const place of element.querySelectorAll('[data-find]')) {
        const index = Number(place.closest<HTMLElement>('[data-index]')?.dataset['index']);
        const ranges = rangesIn(place, finder);
        all.push(...ranges);
        const row = rows[index];
        if (current === undefined || row === undefined) continue;
        if (
          place.getAttribute('data-find') === String(current.where) &&
          shows(row, current.msgId, current.where)
        )
          now ??= ranges[Math.min(current.nth, ranges.length - 1)];
      }
      draw(layer.current, all, now);
    };
    const soon = () => {
      if (frame === 0) frame = requestAnimationFrame(paint);
    };
    const observer = new MutationObserver(soon);
    observer.observe(element, { childList: true, subtree: true, characterData: true });
    soon();
    return () => {
      observer.disconnect();
      cancelAnimationFrame(frame);
      draw(layer.current, [], undefined);
    };
  }, [latest, finder, current]);
}

function rangeOf(
  scroller: Element,
  index: number,
  match: Match,
  finder: RegExp | undefined,
): Range | undefined {
  const place = scroller.querySelector(`[data-index="${index}"] [data-find="${match.where}"]`);
  if (place === null || finder === undefined) return undefined;
  const ranges = rangesIn(place, finder);
  const range = ranges[Math.min(match.nth, ranges.length - 1)];
  if (range !== undefined) return range;
  // What was just opened may not be drawn yet: until then its start is shown.
  const whole = new Range();
  whole.selectNodeContents(place);
  whole.collapse(true);
  return whole;
}

/** The first message that is on the screen. */
function topmost(scroller: HTMLElement | null, rows: readonly Row[]): number | undefined {
  if (scroller === null) return undefined;
  const { top } = scroller.getBoundingClientRect();
  for (const element of scroller.querySelectorAll<HTMLElement>('[data-index]')) {
    const row = rows[Number(element.dataset['index'])];
    if (row?.kind === 'message' && element.getBoundingClientRect().bottom > top + 1) return row.message.msgId;
  }
  return undefined;
}
