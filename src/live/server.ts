/** A resources server that runs and replays talk to: one of ours in this process, or any other by its address. */
import {
  createGym,
  directTransport,
  memoryStore,
  type Environment,
  type Gym,
  type Mistakes,
  type Store,
  type Transport,
} from '../gym';
import { isJson } from './json';

/** Looks into what the server keeps. Only a server whose store is at hand allows that. */
export interface StateAccess {
  read(session: string): Promise<unknown>;
  /** Changes it by hand. */
  write(session: string, value: unknown): Promise<void>;
}

export interface LiveServer {
  /** For people: `stateful_counter, in this tab`. */
  readonly label: string;
  /** Where its endpoints stand, without a slash at the end. */
  readonly baseUrl: string;
  readonly transport: Transport;
  /** The environment, where it is one of ours. */
  readonly environment?: Environment;
  /** Absent: there is no state, or it cannot be seen. */
  readonly states?: StateAccess;
  /** Mistakes on purpose that this server makes; `drop_cookies` is its clients'. */
  readonly mistakes?: Mistakes;
}

export interface LocalServerOptions {
  readonly store?: Store;
  readonly mistakes?: Mistakes;
  readonly label?: string;
  readonly random?: () => number;
  readonly delay?: (ms: number) => Promise<void>;
}

/** A server of one environment in this process, with a store of its own unless one is given. */
export function localServer(environment: Environment, options: LocalServerOptions = {}): LiveServer {
  const { store = memoryStore(), mistakes = {}, label, random, delay } = options;
  const gym = createGym({
    environments: environment,
    store,
    mistakes,
    ...(random === undefined ? {} : { random }),
    ...(delay === undefined ? {} : { delay }),
  });
  return {
    label: label ?? environment.name,
    // Never resolved: requests are handed to the app.
    baseUrl: 'http://environment.invalid',
    transport: directTransport((request) => gym.fetch(request)),
    environment,
    ...(environment.stateful ? { states: statesOf(gym, environment.name) } : {}),
    mistakes,
  };
}

/** The states of one environment of a server in this process, for a server that is reached another way (the tab's). */
export function statesOf(gym: Pick<Gym, 'state' | 'setState'>, environment: string): StateAccess {
  return {
    read: (session) => gym.state(environment, session),
    write: async (session, value) => {
      if (value !== undefined && !isJson(value)) throw new Error('A state is JSON.');
      await gym.setState(environment, session, value);
    },
  };
}

/** Any resources server by its address, directly or through a proxy. */
export function remoteServer(
  baseUrl: string,
  transport: Transport,
  options: { readonly environment?: Environment; readonly dropCookies?: boolean } = {},
): LiveServer {
  return {
    label: baseUrl,
    baseUrl: baseUrl.replace(/\/+$/, ''),
    transport,
    ...(options.environment === undefined ? {} : { environment: options.environment }),
    ...(options.dropCookies === true ? { mistakes: { drop_cookies: true } } : {}),
  };
}
