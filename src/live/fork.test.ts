import { describe, expect, test } from 'vitest';
import { scriptedPolicy, type Policy } from '../agent';
import { compareEpisodes, sessionBreak, stateAt, type Episode } from '../model';
import { loadBundledTokenizer } from '../tokens';
import { forkAt, type ForkOptions } from './fork';
import {
  playedEpisode,
  readAgain,
  scriptedRun,
  shipped,
  shippedScripts,
  type ShippedScript,
} from './live.fixtures';
import type { Recording } from './replay';
import type { Run } from './run';
import { localServer } from './server';

const origin = { source: 'runs', episode: 4 };

async function forkOf(
  recording: Recording,
  step: number,
  { environment, script }: ShippedScript,
  given: Partial<ForkOptions> = {},
): Promise<Run> {
  const run = forkAt(recording, step, {
    id: 'fork',
    server: localServer(environment),
    policy: scriptedPolicy(script.emissions),
    tokenizer: await loadBundledTokenizer(),
    origin,
    ...given,
  });
  await run.ready;
  return run;
}

const silent: Policy = { name: 'silent', emit: () => Promise.resolve({ text: 'Enough.', toolCalls: [] }) };

describe('a fork', () => {
  test.each(shippedScripts.map((one) => [one.script.name, one] as const))(
    '%s, at every step: what comes before is the same, and going on as before gives the same episode',
    async (_, one) => {
      const episode = await playedEpisode(one);
      const written = JSON.stringify(episode);
      for (const { index: step } of episode.steps.slice(0, -1)) {
        const run = await forkOf({ episode }, step, one);
        const standing = run.getSnapshot();
        expect(standing).toMatchObject({ status: 'paused', step: step + 1 });
        expect(standing.episode.fork).toEqual({ ...origin, step });
        expect(standing.episode.title).toBe(`fork at ${step} · ${episode.title}`);
        expect(stateAt(standing.episode, step)?.value).toEqual(stateAt(episode, step)?.value);
        await run.run();
        expect(compareEpisodes(episode, run.getSnapshot().episode).first).toBeUndefined();
      }
      expect(JSON.stringify(episode)).toBe(written);
    },
  );

  test('with a result changed: the first difference is that result, and the origin is untouched', async () => {
    const one = shipped('counter-success');
    const episode = await playedEpisode(one);
    const written = JSON.stringify(episode);
    const run = await forkOf({ episode }, 0, one);
    run.editResults(new Map([[0, '{"success": false}']]));
    await run.run();
    const fork = run.getSnapshot().episode;
    const { first } = compareEpisodes(episode, fork);
    expect(first).toMatchObject({
      what: 'result',
      steps: { a: 0, b: 0 },
      a: '{"success":true}',
      b: '{"success": false}',
    });
    expect(JSON.stringify(episode)).toBe(written);
    expect(fork.exchanges?.[0]?.session).not.toBe(episode.exchanges?.[0]?.session);
    expect(sessionBreak(fork.exchanges ?? [])).toBeUndefined();
  });

  test('with another policy: it goes its own way from the next step on', async () => {
    const one = shipped('document-scan-and-delete');
    const episode = await playedEpisode(one);
    const run = await forkOf({ episode }, 4, one, { policy: silent });
    await run.run();
    const fork = run.getSnapshot().episode;
    expect(fork.steps).toHaveLength(6);
    expect(fork.edits).toEqual(episode.edits.slice(0, fork.edits.length));
    expect(compareEpisodes(episode, fork).first).toMatchObject({ steps: { a: 5, b: 5 } });
  });

  test('before the first step: the same task, seeded', async () => {
    const one = shipped('counter-success');
    const episode = await playedEpisode(one);
    const run = await forkOf({ episode }, -1, one, { policy: silent });
    expect(run.getSnapshot().episode).toMatchObject({ steps: [], states: [{ value: { count: 3 } }] });
    await run.run();
    expect(run.getSnapshot().episode.outcome.reward).toBe(0);
    await run.reset();
    expect(run.getSnapshot()).toMatchObject({
      status: 'paused',
      episode: { states: [{ value: { count: 3 } }] },
    });
  });

  test('of an imported episode, whose record holds the task', async () => {
    const one = shipped('counter-double-increment');
    const imported = readAgain(await playedEpisode(one), 'nemo-gym');
    expect(imported.episode.exchanges).toBeUndefined();
    const run = await forkOf(imported, 1, one, { policy: silent });
    expect(stateAt(run.getSnapshot().episode, 1)?.value).toEqual({ count: 7 });
  });

  test('does again what a person had done to the state', async () => {
    const one = shipped('counter-success');
    const edited = await scriptedRun(one);
    await edited.step();
    await edited.editState({ count: 100 });
    await edited.run();
    const { episode } = edited.getSnapshot();
    const run = await forkOf({ episode }, 1, one);
    expect(stateAt(run.getSnapshot().episode, 1)?.value).toEqual({ count: 100 });
  });

  test('keeps what the policy had read where the server says it otherwise now', async () => {
    const one = shipped('counter-success');
    const episode = await playedEpisode(one);
    const lied = (text: string): Episode => ({
      ...episode,
      messages: episode.messages.map((message) =>
        message.role === 'tool' && message.bornAtStep === 1
          ? { ...message, parts: [{ kind: 'text', text }] }
          : message,
      ),
    });
    const run = await forkOf({ episode: lied('{"count": 77}') }, 1, one);
    const results = run.getSnapshot().episode.messages.filter(({ role }) => role === 'tool');
    expect(results.map(({ parts }) => parts)).toMatchObject([[{}], [{ text: '{"count": 77}' }]]);
  });

  test.each([-2, 3, 0.5, NaN])('there is none at step %d', async (step) => {
    const one = shipped('counter-success');
    const episode = await playedEpisode(one);
    await expect(forkOf({ episode }, step, one)).rejects.toThrow(/no step/);
  });

  test('says why where the beginning cannot be played', async () => {
    const one = shipped('counter-success');
    const episode = await playedEpisode(one);
    const { transport: _, ...server } = localServer(one.environment);
    const gone = { ...server, transport: () => Promise.reject(new Error('connection refused')) };
    await expect(forkOf({ episode }, 0, one, { server: gone })).rejects.toThrow(/step 0: .*refused/);
  });
});
