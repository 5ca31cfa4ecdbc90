import { useState } from 'react';
import { flatAt } from './flat';
import { rowOfCursor, type GroupCursor } from './standing';
import type { useGroups } from './useGroups';

/** The row the keys are at. It stays with what stood there when it was put. */
export function useGroupCursor(groups: ReturnType<typeof useGroups>) {
  const [cursor, setCursor] = useState<{ row: number; of: string; at: GroupCursor | undefined }>();
  const { open, windows, members } = groups;
  const of = JSON.stringify(groups.request);

  function rowNow(): number | undefined {
    if (cursor?.of !== of) return undefined;
    const { at, row } = cursor;
    const now = (at === undefined ? undefined : rowOfCursor(at, windows, open, members.of)) ?? row;
    return now < groups.rows ? now : undefined;
  }

  /** What stands in a row, as far as it is at hand. */
  function standsIn(row: number): GroupCursor | undefined {
    const at = flatAt(row, open);
    if (at.kind === 'member')
      return { group: at.of, member: { nth: at.nth, ref: members.of(at.of).row(at.nth)?.ref } };
    const group = windows.row(at.group);
    return group === undefined ? undefined : { group: { ...group, index: at.group } };
  }

  return {
    active: rowNow(),
    /** `at` is what will stand there, where that is not drawn yet. */
    put: (row: number, at = standsIn(row)) => setCursor({ row, of, at }),
  };
}
