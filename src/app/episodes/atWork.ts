import { isSearching } from '../search/store';
import { useSources } from '../stores/sources';
import { useChecks } from './checks';

/** Whether the worker has more to do than to answer. */
export function isAtWork(): boolean {
  const { list } = useSources.getState();
  return (
    list.some(({ phase }) => phase === 'reading') ||
    useChecks.getState().state?.phase === 'linting' ||
    isSearching()
  );
}
