import { useEffect } from 'react';
import type { ColumnInfo } from '../../ingest/protocol';
import { usePreferences } from '../stores/preferences';
import { listable } from './columns';
import { noColumns, unknownLacks, useLacks, type Lacks } from './lacks';

/** Decides what cannot be done, for the buttons of the region and for the commands alike. */
export function useTellLacks(infos: readonly ColumnInfo[], episodes: number): Lacks {
  const chosen = usePreferences(({ columnsShown }) => columnsShown);
  const hasTasks = infos.some(({ key, filled }) => key === 'task' && filled > 0);
  const check = episodes === 0 ? 'There is no episode to check' : undefined;
  const group = hasTasks ? undefined : 'No episode here says which task it is of';
  const columns = listable(infos, chosen).length === 0 ? noColumns : undefined;
  useEffect(() => {
    const told = { check, group, columns };
    useLacks.setState(told, true);
    return () => {
      // Another region may have come before this one was gone.
      if (useLacks.getState() === told) useLacks.setState(unknownLacks, true);
    };
  }, [check, group, columns]);
  return { check, group, columns };
}
