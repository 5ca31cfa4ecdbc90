import { create } from 'zustand';
import { ingest } from '../data/ingest';
import { tableQuery } from '../episodes/query';
import { refOf } from '../place/place';
import { currentPlace, goTo } from '../place/usePlace';
import { say } from '../stores/toasts';

/** Moves to other episodes that have been asked for and have not arrived. */
const useMoves = create(() => ({ pending: 0 }));

let moves: Promise<void> = Promise.resolve();

/** To the episode above or below in the order the table shows. One move after the other: a fast hand skips none. */
export function toNeighbour(distance: 1 | -1, held: boolean): void {
  const move = async () => {
    const ref = refOf(currentPlace());
    if (ref === undefined) return;
    const query = tableQuery();
    const position = (await ingest().position(query, ref)) + distance;
    if (position < 0) return;
    const { rows } = await ingest().rows(query, position, position + 1);
    const row = rows[0];
    if (row !== undefined) goTo({ ...row.ref, step: 0 }, held ? 'replace' : 'push');
  };
  count(1);
  moves = moves
    .then(move)
    .catch(() => say('The episodes cannot be reached'))
    .finally(() => count(-1));
}

export function useIsMoving(): boolean {
  return useMoves(({ pending }) => pending > 0);
}

function count(change: 1 | -1): void {
  useMoves.setState(({ pending }) => ({ pending: pending + change }));
}
