/** A sequential scale: values in a few steps of equal width, from quiet to strong. */
export interface Scale {
  low: number;
  high: number;
  /** Strong is low: a log-probability says most where it is least. */
  reversed: boolean;
  /** Whether some values lie outside: the ends stand for them as well. */
  clamped: boolean;
}

export const levels = 6;

/** The ends leave out the outermost hundredth on either side, so that one outlier does not make all others alike. */
export function scaleOf(values: Float32Array, reversed: boolean): Scale | undefined {
  const sorted = values.filter((value) => Number.isFinite(value)).sort();
  const [least, most] = [sorted[0], sorted.at(-1)];
  if (least === undefined || most === undefined) return undefined;
  const low = sorted[Math.floor(sorted.length / 100)] ?? least;
  const high = sorted[sorted.length - 1 - Math.floor(sorted.length / 100)] ?? most;
  return { low, high, reversed, clamped: low > least || high < most };
}

/** From 0 to `levels - 1`; -1 for what is no number. */
export function levelOf({ low, high, reversed }: Scale, value: number): number {
  if (!Number.isFinite(value)) return -1;
  // Where all are alike none stands out.
  if (high <= low) return 0;
  const fraction = (value - low) / (high - low);
  const level = Math.min(Math.max(Math.floor(fraction * levels), 0), levels - 1);
  return reversed ? levels - 1 - level : level;
}

/** The values at which one level ends and the next begins, from quiet to strong. */
export function edgesOf({ low, high, reversed }: Scale): number[] {
  const edges = Array.from({ length: levels + 1 }, (_, nth) => low + ((high - low) * nth) / levels);
  return reversed ? edges.reverse() : edges;
}
