/** A whole file replayed, a few episodes at once. */
import { pool, type PoolOptions } from './pool';
import { replayEpisode, type Recording, type Replay, type ReplayOptions } from './replay';
import type { LiveServer } from './server';

export interface ReplayAllOptions extends PoolOptions, Omit<ReplayOptions, 'signal'> {
  /** Told as each is done, in the order they end. */
  readonly onReplayed?: (replay: Replay, index: number, progress: { done: number; total: number }) => void;
}

/**
 * Each in a session of its own, with the server that `serverFor` gives; a text from it says why there is none. Cancelled
 * ones are undefined.
 */
export async function replayAll(
  recordings: readonly Recording[],
  serverFor: (recording: Recording, index: number) => LiveServer | string,
  options: ReplayAllOptions = {},
): Promise<(Replay | undefined)[]> {
  const { onReplayed, timeoutMs, signal } = options;
  let done = 0;
  return pool(
    recordings,
    async (recording, index) => {
      const server = serverFor(recording, index);
      const replay =
        typeof server === 'string'
          ? unreplayable(recording, server)
          : await replayEpisode(recording, server, {
              ...(timeoutMs === undefined ? {} : { timeoutMs }),
              ...(signal === undefined ? {} : { signal }),
            }).catch((error: unknown) => {
              if (signal?.aborted === true) return undefined;
              throw error;
            });
      done += 1;
      if (replay !== undefined) onReplayed?.(replay, index, { done, total: recordings.length });
      return replay;
    },
    options,
  );
}

function unreplayable({ episode }: Recording, reason: string): Replay {
  const { reward } = episode.outcome;
  return {
    status: 'unreplayable',
    reason,
    ...(reward === undefined ? {} : { recordedReward: reward }),
    mode: 'unknown',
    explanation: '',
    calls: [],
    exchanges: [],
    states: [],
  };
}
