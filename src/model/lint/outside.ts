import type { Span } from '../episode';

/**
 * Of each range that does not lie within the turns, the first part outside them: `[0, 6]` and `[8, 9]` over the turns
 * `[0, 4]` and `[5, 9]` give `[4, 5]`. Both lists are walked once.
 */
export function outsideOf(ranges: readonly Span[], turns: readonly Span[]): Span[] {
  const covered = joined(turns);
  const outside: Span[] = [];
  let next = 0;
  for (const [start, end] of ascending(ranges)) {
    while ((covered[next]?.[1] ?? Infinity) <= start) next += 1;
    const first = covered[next];
    const isWithin = first !== undefined && first[0] <= start;
    const from = isWithin ? first[1] : start;
    if (from >= end) continue;
    const after = isWithin ? covered[next + 1] : first;
    outside.push([from, Math.min(end, after?.[0] ?? end)]);
  }
  return outside;
}

/** What the ranges cover, as ranges that neither touch nor overlap. */
function joined(spans: readonly Span[]): Span[] {
  const covered: Span[] = [];
  for (const [start, end] of ascending(spans)) {
    const last = covered.at(-1);
    if (end <= start) continue;
    if (last === undefined || last[1] < start) covered.push([start, end]);
    else last[1] = Math.max(last[1], end);
  }
  return covered;
}

function ascending(spans: readonly Span[]): Span[] {
  return spans.toSorted((a, b) => a[0] - b[0]);
}
