import type { FlatRow } from './flat';

/** What the arrows to the sides do on a row: open or close a group, or go from a rollout to its group. */
export function sideways(
  key: string,
  row: FlatRow,
  isOpen: boolean,
): 'toggle' | 'parent' | 'child' | undefined {
  if (key === 'ArrowRight' && row.kind === 'group') return isOpen ? 'child' : 'toggle';
  if (key === 'ArrowLeft') return row.kind === 'member' ? 'parent' : isOpen ? 'toggle' : undefined;
  return undefined;
}
