import { describe, expect, test } from 'vitest';
import { manualPolicy, scriptedPolicy } from '../agent';
import { expectLossless } from '../formats/harness.fixtures';
import { samplesOf, sessionBreak, snapshotsOf, stateAt } from '../model';
import { playedEpisode, readAgain, scriptedRun, shipped, shippedScripts } from './live.fixtures';
import { replayEpisode } from './replay';
import type { Run } from './run';
import { localServer, type LiveServer } from './server';

describe('shipped scripts', () => {
  test.each(shippedScripts.map((one) => [one.script.name, one] as const))(
    '%s: as rewarded as it says, the same when written and read, and reproduced',
    async (_, one) => {
      const episode = await playedEpisode(one);
      expect(episode.outcome).toMatchObject({ reward: one.script.expect.reward });
      expect(episode.outcome.error).toBeUndefined();
      expectLossless(episode);

      const server = localServer(one.environment);
      for (const target of ['rollscope', 'nemo-gym']) {
        const again = readAgain(episode, target);
        expect(await replayEpisode(again, server)).toMatchObject({
          status: 'reproduced',
          recordedReward: one.script.expect.reward,
          replayedReward: one.script.expect.reward,
        });
      }
    },
  );
});

test('a document episode with three deletes: three snapshots, four samples, state and reward', async () => {
  const one = shipped('document-scan-and-delete');
  const episode = await playedEpisode(one);
  expect(episode.edits).toHaveLength(3);
  expect(snapshotsOf(episode)).toHaveLength(3);
  expect(samplesOf(episode).map(({ kind }) => kind)).toEqual(['snapshot', 'snapshot', 'snapshot', 'final']);
  expect(episode.outcome.reward).toBe(1);
  const last = stateAt(episode, Infinity)?.value;
  expect(last).toMatchObject({ cursor: 2, scanning: true, notes: [{ full_content: expect.any(String) }] });
  expect(new Set(episode.exchanges?.map(({ session }) => session)).size).toBe(1);
  const trained = readAgain(episode, 'statelm').episode;
  expect(trained.edits.map(({ msgIds }) => msgIds)).toEqual(episode.edits.map(({ msgIds }) => msgIds));
  expect(samplesOf(trained).map(({ kind }) => kind)).toEqual(samplesOf(episode).map(({ kind }) => kind));
  expect(episode.exchanges?.map(({ purpose }) => purpose)).toEqual([
    'seed',
    'call',
    'call',
    'call',
    'call',
    'call',
    'verify',
  ]);
});

test('where the cookie is dropped, the exchange that lost it is pointed at', async () => {
  const one = shipped('counter-success');
  const episode = await playedEpisode(
    one,
    localServer(one.environment, { mistakes: { drop_cookies: true } }),
  );
  expect(episode.outcome.reward).toBe(0);
  const found = sessionBreak(episode.exchanges ?? []);
  expect(found).toMatchObject({ exchange: 1, reason: expect.stringMatching(/increment_counter.*no cookie/) });
  expect(found?.before).not.toBe(found?.after);
  expect(sessionBreak((await playedEpisode(one)).exchanges ?? [])).toBeUndefined();
});

describe('controls', () => {
  test('a step is an emission and what came of it; a transition is less', async () => {
    const run = await scriptedRun(shipped('counter-success'));
    expect(run.getSnapshot()).toMatchObject({ status: 'ready', state: 'PENDING', step: 0 });
    await run.step();
    expect(run.getSnapshot()).toMatchObject({ status: 'paused', step: 1 });
    expect(stateAt(run.getSnapshot().episode, 0)?.value).toEqual({ count: 5 });
    await run.advance();
    expect(run.getSnapshot()).toMatchObject({ state: 'PROCESSING_TOOLS', step: 2 });
    await run.step();
    await run.step();
    expect(run.getSnapshot()).toMatchObject({ status: 'finished', episode: { outcome: { reward: 1 } } });
  });

  test('a snapshot stays as it is, and is the same one while nothing happens', async () => {
    const run = await scriptedRun(shipped('counter-success'));
    const seen: unknown[] = [];
    run.subscribe(() => seen.push(run.getSnapshot()));
    const before = run.getSnapshot();
    const written = JSON.stringify(before);
    expect(run.getSnapshot()).toBe(before);
    await run.step();
    expect(JSON.stringify(before)).toBe(written);
    expect(run.getSnapshot()).not.toBe(before);
    expect(new Set(seen).size).toBeGreaterThan(3);
  });

  test('pause stands still after the transition under way; run goes on from there', async () => {
    const run = await scriptedRun(shipped('counter-success'), { delayMs: 1 });
    const leave = run.subscribe(() => {
      if (run.getSnapshot().step === 1) run.pause();
    });
    await run.run();
    expect(run.getSnapshot()).toMatchObject({ status: 'paused', step: 1 });
    leave();
    const { episode } = await finished(run);
    expect(episode.outcome.reward).toBe(1);
  });

  test('stop in the middle of a request keeps every finished step', async () => {
    const one = shipped('counter-success');
    const { server, fail } = failing(localServer(one.environment));
    const run = await scriptedRun(one, { server });
    await run.step();
    fail('hang');
    const running = run.run();
    await waitFor(run, ({ state }) => state === 'PROCESSING_TOOLS');
    await run.stop();
    await running;
    const { status, episode } = run.getSnapshot();
    expect(status).toBe('stopped');
    expect(episode.steps).toHaveLength(2);
    expect(stateAt(episode, 0)?.value).toEqual({ count: 5 });
    expect(episode.outcome.termination).toBe('stopped');
  });

  test('stop while the policy is asked', async () => {
    const run = await scriptedRun(shipped('counter-success'), { policy: manualPolicy() });
    const running = run.run();
    await waitFor(run, ({ state }) => state === 'GENERATING');
    await run.stop();
    await running;
    expect(run.getSnapshot()).toMatchObject({ status: 'stopped', episode: { steps: [] } });
  });

  test('after a network failure it is tried again, and nothing happens twice', async () => {
    const one = shipped('counter-success');
    const { server, fail } = failing(localServer(one.environment));
    const run = await scriptedRun(one, { server });
    await run.step();
    fail('refuse');
    await run.run();
    expect(run.getSnapshot()).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/not answered/),
    });
    expect(run.getSnapshot().episode.steps).toHaveLength(2);
    fail('no more');
    await run.retry();
    expect(run.getSnapshot()).toMatchObject({ status: 'paused', step: 2 });
    const { episode } = await finished(run);
    expect(episode.outcome).toMatchObject({ reward: 1 });
    expect(sessionBreak(episode.exchanges ?? [])).toBeUndefined();
  });

  test.each([true, false])(
    'calls of a turn that failed in its middle are not made twice (state at hand: %s)',
    async (atHand) => {
      const one = shipped('counter-success');
      const local = localServer(one.environment);
      const { states: _, ...blind } = local;
      const { server, fail } = failing(atHand ? local : blind);
      const policy = scriptedPolicy([
        { text: '', toolCalls: [adding(1)] },
        { text: '', toolCalls: [adding(-1), adding(2)] },
        { text: 'done', toolCalls: [] },
      ]);
      const run = await scriptedRun(one, { server, policy });
      await run.step();
      fail('refuse', 2);
      await run.run();
      expect(run.getSnapshot().status).toBe('failed');
      fail('no more');
      await run.retry();
      const { episode } = await finished(run);
      // 3 + 1 - 1 + 2 is what the task wants.
      expect(episode.outcome).toMatchObject({ reward: 1 });
      expect(episode.messages.filter(({ role }) => role === 'tool')).toHaveLength(3);
    },
  );

  test('reset begins anew in another session', async () => {
    const run = await scriptedRun(shipped('counter-success'));
    await run.run();
    const first = run.getSnapshot().episode;
    await run.reset();
    expect(run.getSnapshot()).toMatchObject({ status: 'ready', step: 0, episode: { steps: [] } });
    const { episode } = await finished(run);
    expect(episode.outcome.reward).toBe(1);
    expect(episode.exchanges?.[0]?.session).not.toBe(first.exchanges?.[0]?.session);
  });

  test('several runs at once on one server keep apart', async () => {
    const one = shipped('counter-success');
    const server = localServer(one.environment);
    const runs = await Promise.all(Array.from({ length: 8 }, () => scriptedRun(one, { server })));
    await Promise.all(runs.map((run) => run.run()));
    const episodes = runs.map((run) => run.getSnapshot().episode);
    expect(episodes.map(({ outcome }) => outcome.reward)).toEqual(runs.map(() => 1));
    expect(new Set(episodes.map(({ exchanges }) => exchanges?.[0]?.session)).size).toBe(8);
  });
});

describe('editing before it goes on', () => {
  test('the emission', async () => {
    const run = await scriptedRun(shipped('counter-double-increment'));
    await run.step();
    await waitFor(
      run,
      ({ state }) => state === 'PROCESSING_TOOLS',
      () => run.advance(),
    );
    expect(run.getSnapshot().editable).toMatchObject({ emission: true, results: false, state: true });
    run.editEmission({ text: 'Only looking.', toolCalls: [{ name: 'get_counter_value', arguments: '{}' }] });
    const { episode } = await finished(run);
    expect(episode.outcome.reward).toBe(1);
    expect(episode.messages.filter(({ edited }) => edited === true)).toHaveLength(1);
  });

  test('the result', async () => {
    const run = await scriptedRun(shipped('counter-success'));
    await run.step();
    expect(run.getSnapshot().editable).toMatchObject({ emission: false, results: true });
    run.editResults(new Map([[0, '{"success": false}']]));
    const { episode } = await finished(run);
    const result = episode.messages.find(({ role }) => role === 'tool');
    expect(result).toMatchObject({ edited: true, parts: [{ text: '{"success": false}' }] });
    expect(
      await replayEpisode({ episode }, localServer(shipped('counter-success').environment)),
    ).toMatchObject({
      status: 'diverged',
      step: 0,
    });
  });

  test('the state, which a replay does again', async () => {
    const one = shipped('counter-success');
    const run = await scriptedRun(one);
    await run.step();
    await run.editState({ count: 40 });
    const { episode } = await finished(run);
    expect(stateAt(episode, 0)).toMatchObject({ value: { count: 40 }, edited: true });
    expect(episode.outcome.reward).toBe(0);
    expect(await replayEpisode({ episode }, localServer(one.environment))).toMatchObject({
      status: 'reproduced',
      replayedReward: 0,
    });
  });
});

function adding(count: number) {
  return { name: 'increment_counter', arguments: { count } };
}

async function finished(run: Run) {
  await run.run();
  const snapshot = run.getSnapshot();
  expect(snapshot.status).toBe('finished');
  return snapshot;
}

/** Until a snapshot is as wanted; `push` is done again and again, where something has to happen for it. */
async function waitFor(
  run: Run,
  isThere: (snapshot: ReturnType<Run['getSnapshot']>) => boolean,
  push: () => Promise<void> = () => new Promise((done) => setTimeout(done, 1)),
): Promise<void> {
  for (let tries = 0; tries < 1000 && !isThere(run.getSnapshot()); tries++) await push();
  expect(isThere(run.getSnapshot())).toBe(true);
}

/** A server that can be made to hang, or to be gone, from the nth request on. */
function failing(server: LiveServer): {
  server: LiveServer;
  fail: (how: 'hang' | 'refuse' | 'no more', from?: number) => void;
} {
  let how: 'hang' | 'refuse' | 'no more' = 'no more';
  let left = 0;
  return {
    fail: (next, from = 1) => {
      how = next;
      left = from;
    },
    server: {
      ...server,
      transport: (request) => {
        if (how === 'no more' || --left > 0) return server.transport(request);
        return how === 'refuse'
          ? Promise.reject(new Error('connection refused'))
          : new Promise(() => undefined);
      },
    },
  };
}
