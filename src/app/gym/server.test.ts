import 'fake-indexeddb/auto';
import { describe, expect, it } from 'vitest';
import { createGymClient, directTransport, type GymClient } from '../../gym';
import { createTabServer, INSTANCE_HEADER, type TabServer } from './server';

/** A client whose requests go to whatever server runs now. */
function clientOf(running: { server: TabServer }): GymClient {
  return createGymClient({
    baseUrl: 'http://tab.test/stateful_counter',
    transport: directTransport((request) => running.server.fetch(request)),
  });
}

async function counted(client: GymClient): Promise<unknown> {
  return (await client.call('get_counter_value', {})).response.json;
}

describe.each(['memory', 'indexeddb'] as const)('the server in the tab with %s', (store) => {
  it('is seeded, counts and verifies', async () => {
    const running = { server: createTabServer({ store }) };
    const client = clientOf(running);
    await client.seed({ initial_count: 3 });
    await client.call('increment_counter', { count: 2 });
    expect(await counted(client)).toEqual({ count: 5 });
    expect((await client.verify({ expected_count: 5 })).response.json).toEqual({
      expected_count: 5,
      reward: 1,
    });
    running.server.stop();
  });

  it(
    store === 'memory' ? 'loses its sessions with a restart' : 'keeps its sessions over a restart',
    async () => {
      const running = { server: createTabServer({ store }) };
      const client = clientOf(running);
      await client.seed({ initial_count: 3 });
      running.server = running.server.restart();
      expect(await counted(client)).toEqual({ count: store === 'memory' ? 0 : 3 });
      running.server.stop();
    },
  );

  it(store === 'memory' ? 'has sessions per instance' : 'shares its sessions among instances', async () => {
    const running = { server: createTabServer({ store, instances: 2 }) };
    const client = clientOf(running);
    const seeded = await client.seed({ initial_count: 3 });
    const read = await client.call('get_counter_value', {});
    expect(
      [seeded, read].map(({ response }) =>
        'headers' in response ? response.headers.find(([name]) => name === INSTANCE_HEADER)?.[1] : undefined,
      ),
    ).toEqual(['1', '2']);
    expect(read.response.json).toEqual({ count: store === 'memory' ? 0 : 3 });
    running.server.stop();
  });

  it('goes on with its sessions when an instance or a mistake is added', async () => {
    const running = { server: createTabServer({ store }) };
    const client = clientOf(running);
    await client.seed({ initial_count: 3 });
    running.server = running.server.withMistakes({ seed_setdefault: true });
    await client.seed({ initial_count: 9 });
    expect(await counted(client)).toEqual({ count: 3 });
    running.server = running.server.withMistakes({}).withInstances(2);
    const id = (await client.sessionId()) ?? '';
    expect(await running.server.states('stateful_counter', id)).toEqual([
      { count: 3 },
      store === 'memory' ? undefined : { count: 3 },
    ]);
    expect((await running.server.sessions('stateful_counter')).map((row) => row.id)).toContain(id);
    running.server.stop();
  });
});
