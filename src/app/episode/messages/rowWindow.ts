import type { ViewMode } from '../../stores/preferences';
import { estimateHeight } from './estimate';
import type { Row } from './rows';

/** Where on the screen the row that is aimed at stands, from the top: below enough of what led to it. */
const LEAD = 0.3;
const PADDING = { start: 4, end: 24 };
/** What is drawn besides what is on the screen: a little when a step is drawn, more for who scrolls. */
const AROUND = { step: 80, scroll: 400 };

export interface Range {
  start: number;
  /** Exclusive. */
  end: number;
}

interface Place {
  step: number;
  mode: ViewMode;
}

export interface Plan {
  rows: readonly Row[];
  place: Place;
  /** The row to bring into view when the place changes, or -1. */
  anchor: number;
  /** Whether a change of place brings its anchor into view. */
  follow: boolean;
  /** Of the screen the list has. */
  width: number;
  height: number;
}

/**
 * Where the rows of a list stand, most of which were never drawn: each as high as it was when last drawn, or as
 * estimated. Changing to rows that begin like the last ones, as those of the next step do, costs what differs.
 */
export class RowWindow {
  scrollTop = 0;
  range: Range = { start: 0, end: 0 };
  #width = 0;
  #height = 0;
  #shown: Place | undefined;
  #wanted: number | undefined;
  #rows: readonly Row[] = [];
  readonly #measured = new Map<string, number>();
  /** Where each row starts, and after the last one where that ends; right up to and including `#valid`. */
  #starts = new Float64Array([PADDING.start]);
  #valid = 0;

  /** Decides what is drawn. Gives the row that is brought into view, if any. */
  plan({ rows, place, anchor, follow, width, height }: Plan): number | undefined {
    if (this.#width !== width) this.#forget();
    this.#width = width;
    this.#height = height;
    this.#lay(rows);
    const before = this.#shown;
    const isMoved = before?.step !== place.step || before.mode !== place.mode;
    // An episode opens at its beginning.
    const isOpening = before === undefined && place.step === 0;
    const aim = this.#wanted ?? (isMoved && !isOpening && follow && anchor >= 0 ? anchor : undefined);
    if (aim !== undefined) this.#drawAt(this.scrollTopFor(aim), 'step');
    else if (isMoved || !this.covers) this.#drawAt(this.scrollTop, isOpening ? 'step' : 'scroll');
    return aim;
  }

  /** A row to bring into view when the list is drawn next. */
  want(index: number): void {
    this.#wanted = index;
  }

  /** What was planned is on the page. */
  drawn(place: Place): void {
    this.#shown = place;
    this.#wanted = undefined;
  }

  #lay(rows: readonly Row[]): void {
    if (rows === this.#rows) return;
    let same = 0;
    const most = Math.min(rows.length, this.#rows.length, this.#valid);
    while (same < most && rows[same] === this.#rows[same]) same++;
    if (this.#starts.length <= rows.length) {
      const longer = new Float64Array(rows.length * 1.5 + 1);
      longer.set(this.#starts);
      this.#starts = longer;
    }
    this.#rows = rows;
    this.#valid = same;
  }

  /** Heights are of one width. */
  #forget(): void {
    this.#measured.clear();
    this.#valid = 0;
  }

  startOf(index: number): number {
    for (; this.#valid < index; this.#valid++) {
      const row = this.#rows[this.#valid];
      const height = (row && this.#measured.get(row.key)) ?? estimateHeight(row);
      this.#starts[this.#valid + 1] = (this.#starts[this.#valid] ?? 0) + height;
    }
    return this.#starts[index] ?? 0;
  }

  get total(): number {
    return this.startOf(this.#rows.length) + PADDING.end;
  }

  /** How far the list is scrolled when a row stands where one looks for it. */
  scrollTopFor(index: number): number {
    return this.within(this.startOf(index) - Math.round(this.#height * LEAD));
  }

  within(scrollTop: number): number {
    return Math.max(0, Math.min(scrollTop, this.total - this.#height));
  }

  /** The last row that starts at or before a place. */
  indexAt(place: number): number {
    let [low, high] = [0, Math.max(0, this.#rows.length - 1)];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.startOf(middle) <= place) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** The rows to be drawn where the list is scrolled so far. */
  #drawAt(scrollTop: number, why: keyof typeof AROUND): void {
    if (this.#rows.length === 0 || this.#height === 0) {
      this.range = { start: 0, end: 0 };
      return;
    }
    const [top, around] = [this.within(scrollTop), AROUND[why]];
    this.range = { start: this.indexAt(top - around), end: this.indexAt(top + this.#height + around) + 1 };
  }

  /** Whether what is drawn fills the screen. */
  get covers(): boolean {
    const { start, end } = this.range;
    if (end > this.#rows.length) return false;
    const isFirst = start === 0 || this.startOf(start) <= this.scrollTop;
    const isLast = end === this.#rows.length || this.startOf(end) >= this.scrollTop + this.#height;
    return isFirst && isLast;
  }

  /** Takes the heights of the rows that are drawn, and says whether any was another. */
  measured(heights: readonly number[]): boolean {
    let changed = false;
    heights.forEach((height, nth) => {
      const index = this.range.start + nth;
      const row = this.#rows[index];
      const next = this.startOf(index + 1);
      if (row === undefined || Math.abs(next - this.startOf(index) - height) < 0.5) return;
      this.#measured.set(row.key, height);
      this.#valid = index;
      changed = true;
    });
    return changed;
  }
}
