import { closed, opened, rowAt, rowCount, rowOf, type JsonTree } from './tree';

export interface TreePlace {
  tree: JsonTree;
  row: number;
}

/** Where a key leads in the tree, as in every tree: undefined for keys that do nothing. */
export function afterKey(
  key: string,
  { tree, row }: TreePlace,
  page: number,
  columns: number,
): TreePlace | undefined {
  const last = rowCount(tree) - 1;
  const to = (next: number): TreePlace => ({ tree, row: Math.min(last, Math.max(0, next)) });
  const at = rowAt(tree, row);
  switch (key) {
    case 'ArrowDown':
      return to(row + 1);
    case 'ArrowUp':
      return to(row - 1);
    case 'PageDown':
      return to(row + Math.max(1, page - 1));
    case 'PageUp':
      return to(row - Math.max(1, page - 1));
    case 'Home':
      return to(0);
    case 'End':
      return to(last);
    case 'ArrowRight':
      if (at.kind === 'line' || !at.canOpen) return { tree, row };
      return at.open ? to(row + 1) : { tree: opened(tree, at.path, columns), row };
    case 'ArrowLeft':
      if (at.kind === 'line') return { tree, row: rowOf(tree, at.path) };
      if (at.open) return { tree: closed(tree, at.path), row };
      return { tree, row: rowOf(tree, at.path.slice(0, -1)) };
    case 'Enter':
    case ' ':
      return toggled({ tree, row }, columns);
    default:
      return undefined;
  }
}

/** Opened if it was closed, closed if it was open. */
export function toggled({ tree, row }: TreePlace, columns: number): TreePlace {
  const at = rowAt(tree, row);
  if (at.kind === 'line' || !at.canOpen) return { tree, row };
  return { tree: at.open ? closed(tree, at.path) : opened(tree, at.path, columns), row };
}
