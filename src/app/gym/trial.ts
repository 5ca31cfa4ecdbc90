/** What becomes of a session when the server restarts, and when another instance is asked: tried with a counter, not claimed. */
import { createGymClient, directTransport } from '../../gym';
import { isObject } from './form';
import { createTabServer, type TabServer, type TabStoreKind } from './server';

export interface Trial {
  /** What the counter said after it was seeded with `seeded`. */
  readonly seeded: number;
  readonly afterRestart: number;
  readonly onAnotherInstance: number;
}

const SEEDED = 3;

export async function tryStore(store: TabStoreKind): Promise<Trial> {
  let server: TabServer = createTabServer({ store, forChecks: true });
  try {
    const client = createGymClient({
      baseUrl: 'http://tab.invalid/stateful_counter',
      transport: directTransport((request) => server.fetch(request)),
    });
    const count = async (): Promise<number> => {
      const { json = null } = (await client.call('get_counter_value', {})).response;
      return isObject(json) ? Number(json['count']) : NaN;
    };
    await client.seed({ initial_count: SEEDED });
    server = server.restart();
    const afterRestart = await count();
    // Two answer in turn: the first is seeded, the second is asked.
    server = server.withInstances(2);
    await client.seed({ initial_count: SEEDED });
    return { seeded: SEEDED, afterRestart, onAnotherInstance: await count() };
  } finally {
    server.stop();
  }
}
