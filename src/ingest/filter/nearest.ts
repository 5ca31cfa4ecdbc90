import { editDistance } from '../../model/edit-distance';
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
