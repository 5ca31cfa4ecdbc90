import type { ChooseServer, LiveServer, Replay } from '../../live';
import { stateAt, type Episode } from '../../model';
import { defineCommand, UsageError, wholeNumber } from '../command';
import { counted } from '../episodes';
import { findInputs } from '../inputs';
import { jsonLine, printable, type Io } from '../io';
import { eachRecording, type FileRecording } from './replay-recordings';

export const replay = defineCommand({
  name: 'replay',
  synopsis: 'replay <paths...> [--env NAME|URL]',
  about: 'replays episodes in a new session and verifies them again',
  details: `For every episode: a new session, the recorded seed, the recorded tool calls in their order, then the verifier. Each result is
held against the recorded one. That also verifies rollouts of servers with state, which is gone after a run: the replay
builds it anew, and says what it was after each step.

Give rollouts together with their task inputs (example.jsonl, _materialized_inputs) where those hold the seed and what the
verifier expects: they are joined by their indices, else by what was asked. Without --env the environment is guessed from
tools and agent; the name of one of this program's, or the address of any resources server, settles it.

Each episode is reproduced, diverged (with the first step that differs), or cannot be replayed (with why). Exits with 1 if
one is not reproduced, or a file could not be read. - is standard input.`,
  options: {
    env: { type: 'string', value: 'NAME|URL', about: 'the environment to replay in' },
    concurrency: { type: 'string', value: 'N', about: 'how many episodes at once; 4 if not given' },
    timeout: { type: 'string', value: 'SECONDS', about: 'the longest wait for an answer; 30 if not given' },
  },
  async run({ positionals, json, text }, io) {
    if (positionals.length === 0) throw new UsageError('Which files? Name at least one file or folder.');
    const concurrency = Math.max(1, wholeNumber('--concurrency', text('concurrency') ?? '4'));
    const timeoutMs = Math.max(1, wholeNumber('--timeout', text('timeout') ?? '30')) * 1000;
    const choose = await chooser(text('env'));
    const { createReplayer } = await import('../../live');

    const counts = { reproduced: 0, diverged: 0, unreplayable: 0 };
    // They end in any order; lines come in the order of the episodes.
    const waiting = new Map<number, string>();
    let next = 0;
    let written = Promise.resolve();
    const replayer = createReplayer<FileRecording>(choose, {
      concurrency,
      timeoutMs,
      onReplayed: (replayed, recording, index) => {
        counts[replayed.status] += 1;
        waiting.set(index, lineOf(recording, replayed, json));
        for (let line = waiting.get(next); line !== undefined; line = waiting.get(++next)) {
          waiting.delete(next);
          const ready = line;
          written = written.then(() => io.data(ready));
        }
      },
    });
    const failures = await eachRecording(await findInputs(positionals), io, (recording) =>
      replayer.add(recording),
    );
    await replayer.done();
    await written;
    sayTotals(io, counts);
    return counts.diverged + counts.unreplayable + failures === 0 ? 0 : 1;
  },
});

function sayTotals(io: Io, counts: Record<Replay['status'], number>): void {
  const episodes = counts.reproduced + counts.diverged + counts.unreplayable;
  io.note(
    `${counted(episodes, 'episode')}: ${counts.reproduced} reproduced, ${counts.diverged} diverged, ${counts.unreplayable} cannot be replayed`,
  );
}

function lineOf({ path, number, episode }: FileRecording, replayed: Replay, json: boolean): string {
  const { status, server, step, reason, recordedReward, replayedReward, mode, states } = replayed;
  if (json) {
    return jsonLine({
      path,
      episode: number,
      status,
      ...(server === undefined ? {} : { environment: server }),
      ...(step === undefined ? {} : { step }),
      ...(reason === undefined ? {} : { reason }),
      recordedReward: recordedReward ?? null,
      replayedReward: replayedReward ?? null,
      reverifyMode: mode,
      states: statesOf(episode, replayed),
    });
  }
  const what =
    status === 'diverged'
      ? `diverged at step ${step ?? 0}`
      : status === 'unreplayable'
        ? 'cannot replay'
        : status;
  const rewards = `reward ${recordedReward ?? 'none'} recorded, ${replayedReward ?? 'none'} replayed`;
  const why = reason === undefined ? '' : `: ${reason}`;
  const kept = states.length === 0 ? '' : `; state ${states.map(stateText).join(' ')}`;
  const where = server === undefined ? '' : ` in ${server}`;
  return printable(`${path}: episode ${number}: ${what}${where} (${rewards})${why}${kept}\n`);
}

/** The state after seeding (step -1) and after every step, where it is known. */
function statesOf(episode: Episode, replayed: Replay): { step: number; value: unknown }[] {
  if (replayed.states.length === 0) return [];
  const rebuilt = { ...episode, states: [...replayed.states] };
  return [-1, ...episode.steps.map(({ index }) => index)].flatMap((step) => {
    const found = stateAt(rebuilt, step);
    return found === undefined ? [] : [{ step, value: found.value ?? null }];
  });
}

/** `[0] {"count":5}`: after step 0. A state can be a whole document. */
function stateText({ step, value }: Replay['states'][number]): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return `[${step < 0 ? 'seed' : step}] ${text.length > 80 ? `${text.slice(0, 79)}…` : text}`;
}

/** The server for each episode: the one that was named, else the environment that its tools speak for. */
async function chooser(named: string | undefined): Promise<ChooseServer> {
  const { directTransport, environmentNamed, environments } = await import('../../gym');
  const { guessEnvironment, localServer, remoteServer } = await import('../../live');
  const names = environments.map(({ name }) => name).join(', ');
  if (named !== undefined && /^https?:\/\//i.test(named)) {
    if (!URL.canParse(named)) throw new UsageError(`'${named}' is not an address.`);
    const server = remoteServer(
      named,
      directTransport((request) => fetch(request)),
    );
    return () => server;
  }
  if (named !== undefined) {
    const environment = environmentNamed(named);
    if (environment === undefined)
      throw new UsageError(`--env takes an address, or one of ${names}; not '${named}'.`);
    const server = localServer(environment);
    return () => server;
  }
  const servers = new Map<string, LiveServer>();
  return ({ episode, record }) => {
    const guess = guessEnvironment(episode, environments, record);
    if (guess === undefined) {
      return `No environment of this program has its tools (there are ${names}). Give the address of its server with --env.`;
    }
    const { environment } = guess;
    const server = servers.get(environment.name) ?? localServer(environment);
    servers.set(environment.name, server);
    return server;
  };
}
