import { beforeEach, describe, expect, test } from 'vitest';
import { compareEpisodes, sessionBreak } from '../model';
import { forgetLog, keptRuns, loadLog, saveLog, type KeyValueStore } from './keep';
import { scriptedRun, shipped } from './live.fixtures';
import { localServer } from './server';

/** As a browser keeps it: what is written is a copy. */
function mapStore(): KeyValueStore & { all: Map<string, unknown>; writes: number } {
  const all = new Map<string, unknown>();
  return {
    all,
    writes: 0,
    get: (key) => Promise.resolve(structuredClone(all.get(key))),
    set(key, value) {
      this.writes += 1;
      all.set(key, structuredClone(value));
      return Promise.resolve();
    },
    delete: (key) => {
      all.delete(key);
      return Promise.resolve();
    },
    keys: (prefix) => Promise.resolve([...all.keys()].filter((key) => key.startsWith(prefix)).sort()),
    entries: (prefix) =>
      Promise.resolve(
        [...structuredClone(all)]
          .filter(([key]) => key.startsWith(prefix))
          .sort(([one], [other]) => (one < other ? -1 : 1)),
      ),
  };
}

const one = shipped('document-scan-and-delete');
let store = mapStore();
beforeEach(() => {
  store = mapStore();
});

describe('a log that is kept', () => {
  test('is the log, each event written once', async () => {
    const keeper = saveLog(store, 'a/b', { env: 'x' });
    const run = await scriptedRun(one, { onEvent: (event, index) => keeper.keep(event, index) });
    await run.run();
    await keeper.settled();
    const { log } = run.getSnapshot();
    expect(await loadLog(store, 'a/b')).toEqual({ id: 'a/b', description: { env: 'x' }, log });
    expect(store.writes).toBe(log.length + 1);
    expect(await keptRuns(store)).toEqual(['a/b']);
    await forgetLog(store, 'a/b');
    expect(store.all.size).toBe(0);
    expect(await loadLog(store, 'a/b')).toBeUndefined();
  });

  test('goes on after a reload at any event, in the same session, and comes to the same episode', async () => {
    const server = localServer(one.environment);
    const whole = await scriptedRun(one, { server });
    await whole.run();
    const { episode, log } = whole.getSnapshot();
    // Up to the verification, which is there at the end only.
    for (let length = 2; length < log.length; length += 3) {
      const keeper = saveLog(store, 'r', {});
      const first = await scriptedRun(one, { server, onEvent: (event, index) => keeper.keep(event, index) });
      for (let events = 1; events < length; events++) await first.advance();
      await keeper.settled();
      const kept = await loadLog(store, 'r');
      expect(kept?.log).toHaveLength(length);
      const again = await scriptedRun(one, { server, log: kept?.log ?? [] });
      expect(again.getSnapshot()).toMatchObject({ status: 'paused', step: first.getSnapshot().step });
      await again.run();
      const resumed = again.getSnapshot().episode;
      expect(compareEpisodes(episode, resumed).first).toBeUndefined();
      expect(sessionBreak(resumed.exchanges ?? [])).toBeUndefined();
    }
  });

  test('is that of the new beginning after a reset', async () => {
    const keeper = saveLog(store, 'r', {});
    const run = await scriptedRun(one, { onEvent: (event, index) => keeper.keep(event, index) });
    await run.run();
    await run.reset();
    await run.advance();
    await keeper.settled();
    expect((await loadLog(store, 'r'))?.log).toEqual(run.getSnapshot().log);
    expect(run.getSnapshot().log).toHaveLength(2);
  });

  test('keeps all finished steps while the run is played again elsewhere', async () => {
    const keeper = saveLog(store, 'r', {});
    const run = await scriptedRun(one, { onEvent: (event, index) => keeper.keep(event, index) });
    for (let step = 0; step < 4; step++) await run.step();
    await keeper.settled();
    const { episode } = run.getSnapshot();
    let fewest = Infinity;
    const watched: KeyValueStore = {
      ...store,
      set: async (key, value) => {
        await store.set(key, value);
        fewest = Math.min(fewest, (await loadLog(store, 'r'))?.log.length ?? 0);
      },
    };
    const second = saveLog(watched, 'r', {});
    const again = await scriptedRun(one, {
      prefix: { episode, step: 3 },
      onEvent: (event, index) => second.keep(event, index),
    });
    await again.ready;
    await second.settled();
    expect(fewest).toBe(run.getSnapshot().log.length);
    await again.run();
    await second.settled();
    expect((await loadLog(store, 'r'))?.log).toEqual(again.getSnapshot().log);
    expect(again.getSnapshot().episode.outcome.reward).toBe(1);
  });

  test('that cannot be written says so, and the run goes on', async () => {
    const broken: KeyValueStore = { ...store, set: () => Promise.reject(new Error('full')) };
    const said: unknown[] = [];
    const keeper = saveLog(broken, 'r', {}, (error) => said.push(error));
    const run = await scriptedRun(one, { onEvent: (event, index) => keeper.keep(event, index) });
    await run.run();
    await expect(keeper.settled()).rejects.toThrow('full');
    expect(said.length).toBeGreaterThan(1);
    expect(run.getSnapshot().status).toBe('finished');
  });
});
