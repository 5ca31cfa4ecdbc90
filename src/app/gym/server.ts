/**
 * The server in this tab. An instance is what a process is elsewhere: with the memory store each has sessions of its own, with IndexedDB
 * all share them. Requests go to the instances in turn, as a load balancer sends them.
 */
import {
  createGym,
  environments,
  indexedDbStore,
  memoryStore,
  type Environment,
  type Gym,
  type Json,
  type Mistakes,
  type Served,
  type Store,
  type StoreEntry,
} from '../../gym';

export type TabStoreKind = 'memory' | 'indexeddb';

/** Names the instance that answered, from 1. */
export const INSTANCE_HEADER = 'x-rollscope-instance';

/** Idle sessions of the checklist's own server go after this many seconds, so that the clean-up can be seen. */
const SHORT_IDLE = { timeout: 4, interval: 0.5 } as const;

export interface TabServerOptions {
  readonly store: TabStoreKind;
  readonly instances?: number;
  readonly mistakes?: Mistakes;
  /** A server to be checked: sessions apart from the person's, gone soon. */
  readonly forChecks?: boolean;
  readonly environments?: readonly Environment[];
  readonly onServed?: (served: ServedBy) => void;
}

export interface ServedBy extends Served {
  readonly instance: number;
}

export interface SessionRow extends StoreEntry {
  readonly environment: string;
  /** The only one that knows it; undefined where all do. */
  readonly instance: number | undefined;
}

export interface TabServer {
  readonly store: TabStoreKind;
  readonly instances: number;
  readonly mistakes: Mistakes;
  fetch(request: Request): Promise<Response>;
  sessions(environment: string): Promise<readonly SessionRow[]>;
  /** The state of a session as each instance sees it. */
  states(environment: string, sessionId: string): Promise<readonly (Json | undefined)[]>;
  /** Every process ends and starts anew; what only they knew is gone. */
  restart(): TabServer;
  withInstances(count: number): TabServer;
  /** The processes go on with their sessions. */
  withMistakes(mistakes: Mistakes): TabServer;
  stop(): void;
}

export function createTabServer(options: TabServerOptions): TabServer {
  return serverOver(options, openStores(options, options.instances ?? 1));
}

function openStores({ store, forChecks = false }: TabServerOptions, count: number): readonly Store[] {
  const name = forChecks ? 'rollscope-gym-checks' : 'rollscope-gym';
  return Array.from({ length: count }, () => (store === 'memory' ? memoryStore() : indexedDbStore({ name })));
}

function serverOver(options: TabServerOptions, stores: readonly Store[]): TabServer {
  const { store: kind, mistakes = {}, forChecks = false, onServed = () => undefined } = options;
  const gyms = stores.map((store, index) =>
    createGym({
      environments: options.environments ?? environments,
      store,
      mistakes,
      ...(forChecks ? { idle: SHORT_IDLE } : {}),
      onServed: (served) => onServed({ ...served, instance: index + 1 }),
    }),
  );
  const stops = gyms.map((gym) => gym.start());
  const stop = (): void => {
    for (const end of stops) end();
  };
  let turn = 0;
  const next = (): [Gym, number] | undefined => {
    const index = turn++ % gyms.length;
    const gym = gyms[index];
    return gym && [gym, index + 1];
  };

  return {
    store: kind,
    instances: gyms.length,
    mistakes,
    fetch: async (request) => {
      const chosen = next();
      if (chosen === undefined) return new Response('No instance is running.', { status: 503 });
      const [gym, instance] = chosen;
      const response = await gym.fetch(request);
      response.headers.set(INSTANCE_HEADER, String(instance));
      return response;
    },
    sessions: async (environment) => {
      const asked = kind === 'memory' ? gyms : gyms.slice(0, 1);
      const found = await Promise.all(asked.map((gym) => gym.sessions(environment)));
      return found.flatMap((entries, index) =>
        entries.map((entry) => ({
          ...entry,
          environment,
          instance: kind === 'memory' ? index + 1 : undefined,
        })),
      );
    },
    states: (environment, sessionId) => Promise.all(gyms.map((gym) => gym.state(environment, sessionId))),
    restart: () => {
      stop();
      return serverOver(options, openStores(options, gyms.length));
    },
    withInstances: (count) => {
      stop();
      const more = openStores(options, Math.max(count - stores.length, 0));
      return serverOver(options, [...stores.slice(0, count), ...more]);
    },
    withMistakes: (changed) => {
      stop();
      return serverOver({ ...options, mistakes: changed }, stores);
    },
    stop,
  };
}
