import type { NumberRange } from '../filter/terms';

/** From where to where the numbers of a column reach. */
export interface Extent {
  min: number;
  max: number;
}

/** Both ends belong to it. */
interface ClosedRange {
  from: number;
  to: number;
}

/** How fine a range can be chosen: no pixel of a narrow histogram is more exact. */
const fineness = 200;

/** Where a value stands, from 0 to 1. */
export function shareOf(value: number, { min, max }: Extent): number {
  return max > min ? Math.min(1, Math.max(0, (value - min) / (max - min))) : 0;
}

/** The value that stands at a share of the width. */
export function valueAt(share: number, { min, max }: Extent): number {
  return min + Math.min(1, Math.max(0, share)) * (max - min);
}

/**
 * The range between two values in numbers a person would write, wide enough to hold both: 0.2334 to 0.7012 of 0 to 1
 * is 0.233 to 0.702. Undefined where that is everything.
 */
export function rangeBetween(a: number, b: number, extent: Extent): ClosedRange | undefined {
  const from = rounded(Math.min(a, b), extent, Math.floor);
  const to = rounded(Math.max(a, b), extent, Math.ceil);
  if (from <= extent.min && to >= extent.max) return undefined;
  return { from, to };
}

function rounded(value: number, { min, max }: Extent, round: (value: number) => number): number {
  const step = (max - min) / fineness;
  // Steps of 1, 0.1, 0.01 ...: of a tenth power nothing is left over that a person would not write.
  const decimals = step > 0 ? Math.max(0, Math.ceil(-Math.log10(step))) : 0;
  if (decimals > 15) return value;
  const scaled = value * 10 ** decimals;
  // 0.29 * 100 is 28.999999999999996.
  const near = Math.round(scaled);
  const close = Math.abs(near - scaled) < 1e-6 ? near : round(scaled);
  return Number((close / 10 ** decimals).toFixed(decimals));
}

export type Thumb = 'from' | 'to';

/** The range after a key on one of the two thumbs; undefined for keys that do not move it. */
export function rangeAfterKey(
  key: string,
  thumb: Thumb,
  range: NumberRange | undefined,
  extent: Extent,
): { range: ClosedRange | undefined } | undefined {
  const from = Math.max(extent.min, range?.from ?? extent.min);
  const to = Math.min(extent.max, range?.to ?? extent.max);
  const now = thumb === 'from' ? from : to;
  const span = extent.max - extent.min;
  const [low, high] = thumb === 'from' ? [extent.min, to] : [from, extent.max];
  const moved = new Map([
    ['ArrowLeft', now - span / 50],
    ['ArrowDown', now - span / 50],
    ['ArrowRight', now + span / 50],
    ['ArrowUp', now + span / 50],
    ['PageDown', now - span / 10],
    ['PageUp', now + span / 10],
    ['Home', low],
    ['End', high],
  ]).get(key);
  if (moved === undefined) return undefined;
  const next = Math.min(high, Math.max(low, moved));
  return { range: thumb === 'from' ? rangeBetween(next, to, extent) : rangeBetween(from, next, extent) };
}
