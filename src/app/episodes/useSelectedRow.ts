import type { EpisodeRef, TableQuery } from '../../ingest/protocol';
import { ingest } from '../data/ingest';
import { useLoaded } from '../data/useLoaded';
import { refKey } from './cursor';
import { useAnswer } from './useAnswer';

/**
 * Where the opened episode stands in the table; undefined while that is not known or it is not there. `calm` asks less
 * often of a source that grows: once until it has the episode, and then when it has come to its end.
 */
export function useSelectedRow(
  query: TableQuery,
  selected: EpisodeRef | undefined,
  revision: string,
  calm: boolean,
): number | undefined {
  const key = JSON.stringify([query, refKey(selected)]);
  const ask = async () => ({
    key,
    row: selected === undefined ? -1 : await ingest().position(query, selected),
  });
  const once = useLoaded(selected === undefined ? undefined : key, ask);
  const found = once.state === 'ready' && once.value.row >= 0;
  const again = useAnswer(selected === undefined || (calm && found) ? undefined : key, revision, ask);
  const answer = [again.value, once.value].find((value) => value?.key === key && value.row >= 0);
  return answer?.row;
}
