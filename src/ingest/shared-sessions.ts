import { sessionShared, sessionsOf, type Episode, type Finding } from '../model';
import type { EpisodeRef } from './protocol';
import type { OpenSource } from './source';

/**
 * The same session of a server in two episodes: what can only be seen over all of them. Of each episode no more is kept
 * for it than the names of its sessions, and those are at hand once it has been read.
 */

/** Of the episodes that have a session more are not looked at for one that is not a copy. */
const looked = 20;

/** An episode other than `ref` that a session answered for, too. */
function otherOf(session: string, ref: EpisodeRef, sources: readonly OpenSource[]): EpisodeRef | undefined {
  for (const source of sources) {
    const row = source.table.sessions
      .get(session)
      ?.slice(0, looked)
      .find((each) =>
        source.id === ref.source ? each !== ref.episode : !isCopy(ref, source, each, sources),
      );
    if (row !== undefined) return { source: source.id, episode: row };
  }
  return undefined;
}

/** The same file opened twice, or a run beside the file it was exported to, shares nothing with itself. */
function isCopy(ref: EpisodeRef, source: OpenSource, row: number, sources: readonly OpenSource[]): boolean {
  const own = sources.find(({ id }) => id === ref.source)?.table.columns;
  return ['title', 'bytes'].every(
    (key) => own?.get(key)?.cell(ref.episode) === source.table.columns.get(key)?.cell(row),
  );
}

export function sharedFindings(ref: EpisodeRef, episode: Episode, sources: readonly OpenSource[]): Finding[] {
  return sessionsOf(episode).flatMap((used) => {
    const other = otherOf(used.session, ref, sources);
    return other === undefined ? [] : [sessionShared(used, nameOf(other, sources))];
  });
}

function nameOf({ source, episode }: EpisodeRef, sources: readonly OpenSource[]): string {
  const name = sources
    .find(({ id }) => id === source)
    ?.table.columns.get('source')
    ?.cell(episode);
  return `episode ${episode} of ${String(name ?? source)}`;
}

/** Keeps the lint columns of all open sources true to each other. */
export class SharedSessions {
  private settled = '';

  /** Whether a column has changed. */
  settle(sources: readonly OpenSource[]): boolean {
    if (!sources.some(({ table }) => table.linted > 0 && table.sessions.size > 0)) return false;
    const state = sources.map(({ serial, table }) => `${serial}.${table.rows}.${table.linted}`).join(' ');
    if (state === this.settled) return false;
    this.settled = state;
    let changed = false;
    for (const { id, table } of sources) {
      if (table.linted === 0) continue;
      const counts = new Map<number, number>();
      for (const [session, rows] of table.sessions) {
        for (const row of rows) {
          const isShared = otherOf(session, { source: id, episode: row }, sources) !== undefined;
          counts.set(row, (counts.get(row) ?? 0) + (isShared ? 1 : 0));
        }
      }
      for (const [row, count] of counts) changed = table.setShared(row, count) || changed;
    }
    return changed;
  }
}
