/** The resources server: environments behind `fetch(Request) -> Response`, wherever it is hosted. */
import { Hono } from 'hono';
import { cors } from 'hono/cors';
import { withSetCookie } from './cookies';
import { environmentApp, type Bindings } from './environment-app';
import type { Environment } from './environment';
import type { Json } from './json';
import { MISTAKE_HEADER, MISTAKES, mistakesOn, type MistakeName, type Mistakes } from './mistakes';
import { createSessions, makeSecret, type Sessions } from './session';
import { createStates, type SessionStates } from './state';
import { memoryStore } from './store/memory';
import type { Clock, Store, StoreEntry } from './store/store';

export interface GymOptions {
  /** One: its endpoints stand at the root. Several: each under `/NAME/`. */
  readonly environments: Environment | readonly Environment[];
  readonly store?: Store;
  /** Signs the cookies. Without one, it is made once and kept in the store. */
  readonly secret?: string;
  readonly mistakes?: Mistakes;
  /** Seconds; instead of what each environment says. */
  readonly idle?: { readonly timeout: number; readonly interval: number };
  /** An origin that may call from another page; nobody may without it. */
  readonly cors?: string;
  readonly clock?: Clock;
  readonly random?: () => number;
  readonly delay?: (ms: number) => Promise<void>;
  readonly log?: (line: string) => void;
  readonly onServed?: (served: Served) => void;
}

/** A request that has been answered. */
export interface Served {
  readonly environment: string | undefined;
  readonly sessionId: string | undefined;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly ms: number;
}

export interface Gym {
  fetch(request: Request): Promise<Response>;
  readonly environments: readonly Environment[];
  readonly store: Store;
  readonly mistakes: readonly MistakeName[];
  sessions(environment: string): Promise<readonly StoreEntry[]>;
  /** The state of a session, for the person who looks on; handlers only ever get their own. */
  state(environment: string, sessionId: string): Promise<Json | undefined>;
  /** Changes the state of a session by hand, as a debugger does; undefined takes it away. */
  setState(environment: string, sessionId: string, state: Json | undefined): Promise<void>;
  /** Removes idle sessions now, and says how many. */
  sweep(): Promise<number>;
  /** Starts the regular clean-up; the function ends it. */
  start(): () => void;
}

interface Mount {
  readonly environment: Environment;
  readonly states: SessionStates;
}

const SECRET_ID = '(secret)';

export function createGym(options: GymOptions): Gym {
  const {
    store = memoryStore(options.clock === undefined ? {} : { clock: options.clock }),
    mistakes = {},
    clock = Date.now,
    random = Math.random,
    delay = (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    log = () => undefined,
    onServed = () => undefined,
  } = options;
  const single = 'name' in options.environments ? options.environments : undefined;
  const environments = 'name' in options.environments ? [options.environments] : options.environments;
  const on = mistakesOn(mistakes);
  for (const name of on) log(`A mistake is on, on purpose: ${name}. ${MISTAKES[name]}`);

  let secret: Promise<string> | undefined;
  const secretOf = async (): Promise<string> => {
    secret ??= keptSecret(options.secret, store);
    return secret.catch((error: unknown) => {
      secret = undefined;
      throw error;
    });
  };

  // A slash at the end makes no difference: `/stateful_counter/` is where the index says it is.
  const app = new Hono<{ Bindings: Bindings }>({ strict: false });
  if (options.cors !== undefined)
    app.use(cors({ origin: options.cors, credentials: true, exposeHeaders: [MISTAKE_HEADER] }));
  const mounts = new Map<string, Mount>();
  for (const environment of environments) {
    const idle = options.idle ?? environment.idle;
    const states = createStates({ environment, store, mistakes, clock, delay, idle });
    let sessions: Promise<Sessions> | undefined;
    mounts.set(environment.name, { environment, states });
    app.route(
      single === undefined ? `/${environment.name}` : '/',
      environmentApp({
        environment,
        states,
        sessions: () =>
          (sessions ??= secretOf()
            .then((key) => createSessions(environment, key))
            .catch((error: unknown) => {
              // A store that was away for a moment must not lock the environment for good.
              sessions = undefined;
              throw error;
            })),
        mistakes,
        idle,
        storeKind: store.kind,
        random,
        delay,
      }),
    );
  }
  if (single === undefined) {
    app.get('/', (c) =>
      c.json({
        status: 'ok',
        environments: environments.map(({ name, title }) => ({ name, title, path: `/${name}/` })),
      }),
    );
  }
  app.notFound((c) =>
    c.json(
      {
        detail:
          `Not Found. ${single === undefined ? `Environments: ${[...mounts.keys()].map((name) => `/${name}/`).join(' ')}` : ''}`.trim(),
      },
      404,
    ),
  );

  const stateful = [...mounts.values()].filter(({ environment }) => environment.stateful);
  const sweep = async (): Promise<number> => {
    const gone = await Promise.all(stateful.map(({ states }) => states.sweep()));
    return gone.flat().length;
  };

  return {
    environments,
    store,
    mistakes: on,
    fetch: async (request) => {
      const started = performance.now();
      const bindings: Bindings = {};
      let response = await app.fetch(request, bindings);
      if (on.length > 0) response.headers.set(MISTAKE_HEADER, on.join(', '));
      if (bindings.session !== undefined) response = withSetCookie(response, bindings.session.setCookie);
      onServed({
        environment: bindings.environment,
        sessionId: bindings.session?.session_id,
        method: request.method,
        path: new URL(request.url).pathname,
        status: response.status,
        ms: performance.now() - started,
      });
      return response;
    },
    sessions: async (environment) => mounts.get(environment)?.states.list() ?? [],
    state: async (environment, sessionId) => mounts.get(environment)?.states.peek(sessionId),
    setState: async (environment, sessionId, state) => mounts.get(environment)?.states.put(sessionId, state),
    sweep,
    start: () => {
      const timers = stateful.flatMap(({ environment, states }) => {
        const idle = options.idle ?? environment.idle;
        return [
          every(idle.interval * 1000, () => states.sweep(), log),
          every((idle.timeout * 1000) / 4, () => states.keepAlive(), log),
        ];
      });
      return () => {
        for (const stop of timers) stop();
      };
    },
  };
}

/** The longest that a timer can wait. */
const MAX_TIMEOUT = 2 ** 31 - 1;

function every(ms: number, work: () => Promise<unknown>, log: (line: string) => void): () => void {
  const timer = setInterval(
    () => {
      work().catch((error: unknown) => log(`Clean-up failed: ${String(error)}`));
    },
    Math.min(Math.max(ms, 10), MAX_TIMEOUT),
  );
  // In Node the clean-up alone does not keep the process alive.
  if (typeof timer === 'object') timer.unref();
  return () => clearInterval(timer);
}

/** Kept with the sessions, so that a restart, a reload and other instances accept the same cookies. */
async function keptSecret(given: string | undefined, store: Store): Promise<string> {
  if (given !== undefined) return given;
  const made = makeSecret();
  const kept = await store.update(SECRET_ID, (value) => (typeof value === 'string' ? undefined : made));
  return typeof kept?.value === 'string' ? kept.value : made;
}
