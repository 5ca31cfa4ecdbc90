import { lintEpisode, type Episode } from '../model';
import { breather } from './breathe';
import { lintedOf } from './lint-columns';
import type { LintState } from './protocol';
import { episodeWith, siblingsOf } from './siblings';
import type { OpenSource } from './source';

const stateInterval = 100;

/** Lint over the episodes of sources, one run at a time. */
export class Linting {
  private current: { cancelled: boolean } | undefined;

  cancel(): void {
    if (this.current !== undefined) this.current.cancelled = true;
    this.current = undefined;
  }

  /** `all` are all open sources: an episode can be read together with files of others. */
  async run(
    sources: readonly OpenSource[],
    all: readonly OpenSource[],
    onState: (state: LintState) => void,
  ): Promise<void> {
    this.cancel();
    const run = { cancelled: false };
    this.current = run;
    const breathe = breather();
    let lastSent = -Infinity;
    const send = (phase: LintState['phase']): void => {
      lastSent = performance.now();
      onState({ phase, episodes: count(sources, 'linted'), total: count(sources, 'rows') });
    };
    send('linting');
    for (const source of sources) {
      const { table } = source;
      source.linting = true;
      // A source that is being read grows meanwhile.
      for (let row = 0; row < table.rows && !run.cancelled && !source.closed; row++) {
        if (!table.isLinted(row)) {
          const episode = await readable(source, row, all);
          // Another run may have come first while this one waited.
          if (episode !== undefined && !table.isLinted(row)) {
            table.setLinted(row, lintedOf(episode, lintEpisode(episode)));
          }
        }
        await breathe();
        if (performance.now() - lastSent >= stateInterval && !run.cancelled) send('linting');
      }
      source.linting = false;
    }
    send(run.cancelled ? 'cancelled' : 'done');
    if (this.current === run) this.current = undefined;
  }
}

/** Undefined where it cannot be read any more, or its importer has a bug: its row stays without findings. */
async function readable(
  source: OpenSource,
  row: number,
  all: readonly OpenSource[],
): Promise<Episode | undefined> {
  try {
    return await episodeWith(siblingsOf(source, row, all), source, row);
  } catch {
    return undefined;
  }
}

function count(sources: readonly OpenSource[], what: 'linted' | 'rows'): number {
  return sources.reduce((sum, { table }) => sum + table[what], 0);
}
