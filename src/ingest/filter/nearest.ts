import type { FilterColumn } from './parse';
import { columnName } from './written';

/** The column whose name is closest, if it is close at all, as it is written. */
export function nearest(columns: readonly FilterColumn[], name: string): string | undefined {
  let best: { name: string; distance: number } | undefined;
  for (const { key, label } of columns.slice(0, 500)) {
    for (const each of [key, label]) {
      const distance = editDistance(each.toLowerCase().slice(0, 40), name.toLowerCase().slice(0, 40));
      if (distance < (best?.distance ?? Math.max(2, name.length / 2)))
        best = { name: columnName(key, label), distance };
    }
  }
  return best?.name;
}

/** Levenshtein's. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      current.push(Math.min(change, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
