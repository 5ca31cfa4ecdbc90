/** Replaying episodes of open sources. */
import { environmentNamed, environments } from '../../gym';
import type { EpisodeRef } from '../../ingest/protocol';
import { guessEnvironment, replayAll, withReplay, type LiveServer, type Recording } from '../../live';
import { ingest } from '../data/ingest';
import { recordingOf } from './recording';
import { refKey, useReplays } from './replayed';
import { serverFor, type ServerChoice } from './servers';

let running: AbortController | undefined;

export function cancelReplays(): void {
  running?.abort();
}

/** A name, or `guess`: each episode's own environment, as far as it can be told. */
export type EnvironmentChoice = { environment: string } & ServerChoice;

/** A recording, where it came from, and the server it is replayed against: a text says why there is none. */
interface Placed extends Recording {
  ref: EpisodeRef;
  server: LiveServer | string;
}

/** Replays episodes of a source, a few at a time. What is done stays when it is cancelled. */
export async function replayEpisodes(refs: readonly EpisodeRef[], choice: EnvironmentChoice): Promise<void> {
  const [first] = refs;
  if (first === undefined) return;
  running?.abort();
  const own = new AbortController();
  running = own;
  let done = 0;
  const show = () => useReplays.setState({ progress: { source: first.source, done, total: refs.length } });
  show();
  try {
    await replayAll<Placed>(placed(refs, choice, own.signal), ({ server }) => server, {
      signal: own.signal,
      onReplayed: (replay, { ref }) => {
        useReplays.setState(({ found }) => ({
          found: new Map(found).set(refKey(ref), {
            ref,
            replay,
            enrich: (episode) => withReplay(episode, replay),
          }),
        }));
        done += 1;
        show();
      },
    });
  } finally {
    if (running === own) {
      running = undefined;
      useReplays.setState({ progress: undefined });
    }
  }
}

/** One after the other, as they are asked for: the episodes of a large file do not fit the page. */
async function* placed(
  refs: readonly EpisodeRef[],
  choice: EnvironmentChoice,
  signal: AbortSignal,
): AsyncGenerator<Placed> {
  const servers = new Map<string, Promise<LiveServer>>();
  for (const ref of refs) {
    if (signal.aborted) return;
    const episode = await ingest().episode(ref);
    if (episode === undefined) continue;
    const recording = await recordingOf(ref, episode);
    yield { ...recording, ref, server: await serverOf(recording, choice, servers) };
  }
}

/** One server for all episodes of an environment: each has a session of its own. */
async function serverOf(
  recording: Recording,
  choice: EnvironmentChoice,
  servers: Map<string, Promise<LiveServer>>,
): Promise<LiveServer | string> {
  const environment =
    choice.environment === 'guess'
      ? guessEnvironment(recording.episode, environments, recording.record)?.environment
      : environmentNamed(choice.environment);
  if (environment === undefined)
    return 'None of the environments here has the tools that this episode calls. Choose one, or a server by its address.';
  let server = servers.get(environment.name);
  if (server === undefined) {
    server = serverFor(`replay-${environment.name}`, environment, choice);
    servers.set(environment.name, server);
  }
  return server;
}
