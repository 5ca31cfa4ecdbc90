import type { Exported } from '../../formats';
import type { EpisodeRef, Ingest, TableQuery } from '../../ingest/protocol';
import type { Episode } from '../../model';

/** How far the writing of many episodes is. */
export interface Gathered {
  done: number;
  total: number;
  /** Episodes that could not be read any more. */
  unread: number;
  losses: readonly Loss[];
}

/** What is lost of some episodes. Sentences that differ only in their numbers are one. */
export interface Loss {
  /** Of the first episode that has it. */
  sentence: string;
  episodes: number;
}

const atOnce = 50;
/** Text is handed to the browser in pieces of this size, which it may keep on disk. */
const pieceLength = 8_000_000;
/** Ten a second are enough for eyes. */
const stateInterval = 100;

/**
 * Writes all episodes of a query, one line each. Ends early, with undefined, once `isStopped` says so. The page is let
 * draw in between.
 */
export async function gather(
  ingest: Pick<Ingest, 'rows' | 'episode'>,
  query: TableQuery,
  write: (episode: Episode) => Exported,
  { onState, isStopped }: { onState: (state: Gathered) => void; isStopped: () => boolean },
): Promise<Blob | undefined> {
  const pieces: Blob[] = [];
  let lines: string[] = [];
  let length = 0;
  const losses = new Losses();
  let unread = 0;
  let done = 0;
  let total = 0;
  let told = -Infinity;
  for (let start = 0; start === 0 || start < total; start += atOnce) {
    const window = await ingest.rows(query, start, start + atOnce);
    total = window.total;
    for (const { ref } of window.rows) {
      const episode = await episodeAt(ingest, ref);
      if (isStopped()) return undefined;
      done += 1;
      if (episode === undefined) unread += 1;
      else {
        const { text, losses: lost } = write(episode);
        losses.add(lost);
        lines.push(text);
        length += text.length;
      }
      if (length >= pieceLength) flush();
      if (performance.now() - told >= stateInterval) tell();
    }
    if (window.rows.length === 0) break;
  }
  flush();
  tell();
  return new Blob(pieces, { type: 'application/jsonl' });

  function tell(): void {
    told = performance.now();
    onState({ done, total, unread, losses: losses.list });
  }

  function flush(): void {
    if (lines.length > 0) pieces.push(new Blob([`${lines.join('\n')}\n`]));
    lines = [];
    length = 0;
  }
}

async function episodeAt(ingest: Pick<Ingest, 'episode'>, ref: EpisodeRef): Promise<Episode | undefined> {
  try {
    return await ingest.episode(ref);
  } catch {
    return undefined;
  }
}

class Losses {
  readonly #byKind = new Map<string, Loss>();

  add(sentences: readonly string[]): void {
    for (const sentence of sentences) {
      const kind = sentence.replaceAll(/\d[\d,]*/g, '0').replaceAll(/(?<=0 \w+)s\b/g, '');
      const known = this.#byKind.get(kind);
      if (known === undefined) this.#byKind.set(kind, { sentence, episodes: 1 });
      else this.#byKind.set(kind, { ...known, episodes: known.episodes + 1 });
    }
  }

  get list(): Loss[] {
    return [...this.#byKind.values()].sort((a, b) => b.episodes - a.episodes);
  }
}
