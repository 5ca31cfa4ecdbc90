/** A whole file replayed, a few episodes at once. */
import { openSlots } from './pool';
import { replayEpisode, type Recording, type Replay, type ReplayOptions } from './replay';
import type { LiveServer } from './server';

/** The server for an episode; a text says why there is none. */
export type ChooseServer<Own extends Recording = Recording> = (recording: Own) => LiveServer | string;

export interface ReplayAllOptions<Own extends Recording = Recording> extends ReplayOptions {
  /** How many at once; 4 where absent. */
  readonly concurrency?: number;
  /** Told as each is done, in the order they end. `index` is their position. */
  readonly onReplayed: (replay: Replay, recording: Own, index: number) => void;
}

export interface Replayer<Own extends Recording = Recording> {
  /** Resolves when its replay has begun, so that a file is read no faster than it is replayed. */
  add(recording: Own): Promise<void>;
  /** Resolves when all are done. */
  done(): Promise<void>;
}

/** Each in a session of its own. After the signal none begins, and what was under way is not told. */
export function createReplayer<Own extends Recording>(
  choose: ChooseServer<Own>,
  options: ReplayAllOptions<Own>,
): Replayer<Own> {
  const slots = openSlots(options.concurrency ?? 4);
  let next = 0;
  return {
    add: async (recording) => {
      const index = next++;
      await slots.begin(async () => {
        if (options.signal?.aborted === true) return;
        const replay = await replayChosen(recording, choose, options);
        if (replay !== undefined) options.onReplayed(replay, recording, index);
      });
    },
    done: () => slots.idle(),
  };
}

export async function replayAll<Own extends Recording>(
  recordings: Iterable<Own> | AsyncIterable<Own>,
  choose: ChooseServer<Own>,
  options: ReplayAllOptions<Own>,
): Promise<void> {
  const replayer = createReplayer(choose, options);
  for await (const recording of recordings) await replayer.add(recording);
  await replayer.done();
}

async function replayChosen<Own extends Recording>(
  recording: Own,
  choose: ChooseServer<Own>,
  options: ReplayOptions,
): Promise<Replay | undefined> {
  const server = choose(recording);
  if (typeof server === 'string') return unreplayable(recording, server);
  try {
    return await replayEpisode(recording, server, options);
  } catch (error) {
    if (options.signal?.aborted === true) return undefined;
    throw error;
  }
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
