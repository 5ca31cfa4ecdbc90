/** The endpoints that every environment has. */
import { Hono, type Context } from 'hono';
import { aggregate, AggregateRequest } from './aggregate';
import { readObject } from './body';
import type { Environment, Parsed } from './environment';
import { RequestError, validationDetails } from './errors';
import { createMetrics } from './metrics';
import { mistakesOn, type Mistakes } from './mistakes';
import { openApi, toolSchemas, jsonSchema } from './openapi';
import { SESSION_ID_KEY, type Session, type Sessions } from './session';
import type { SessionStates } from './state';
import { StoreError, type StoreKind } from './store/store';
import * as v from 'valibot';

/** Filled in while a request is served, for the server that hosts the app. */
export interface Bindings {
  session?: Session;
  environment?: string;
}

export interface EnvironmentAppOptions {
  readonly environment: Environment;
  readonly states: SessionStates;
  readonly sessions: () => Promise<Sessions>;
  readonly mistakes: Mistakes;
  readonly idle: { readonly timeout: number; readonly interval: number };
  readonly storeKind: StoreKind;
  readonly random: () => number;
  readonly delay: (ms: number) => Promise<void>;
}

type Types = { Bindings: Bindings; Variables: { sessionId: string } };

export function environmentApp(options: EnvironmentAppOptions): Hono<Types> {
  const { environment, states, mistakes } = options;
  const metrics = createMetrics();
  const app = new Hono<Types>();

  app.onError((error) => failure(error));

  app.use(async (c, next) => {
    const started = performance.now();
    c.env.environment = environment.name;
    try {
      const session = await (await options.sessions()).find(c.req.raw.headers.get('cookie'));
      c.env.session = session;
      const id = session[SESSION_ID_KEY];
      c.set('sessionId', id);
      await states.during(id, async () => {
        if (mistakes.slow !== undefined) await options.delay(mistakes.slow);
        if (mistakes.flaky !== undefined && options.random() < mistakes.flaky) {
          throw new RequestError(500, 'Failed on purpose: the mistake "flaky" is on.');
        }
        await next();
      });
    } finally {
      metrics.record(
        `${c.req.method} ${endpointOf(c)}`,
        c.error === undefined ? c.res.status : statusOf(c.error),
        performance.now() - started,
      );
    }
  });

  app.get('/', () => answer({ status: 'ok', environment: environment.name, title: environment.title }));
  app.get('/tools', () =>
    answer({
      tools: toolSchemas(environment),
      seed_session: jsonSchema(environment.seedSchema),
      verify: jsonSchema(environment.verifySchema),
    }),
  );
  app.get('/openapi.json', (c) => answer(openApi(environment, baseOf(c.req.raw))));
  app.get('/reverify_mode', () => answer(environment.reverify));
  app.get('/metrics', async () =>
    answer({
      environment: environment.name,
      store: options.storeKind,
      sessions: environment.stateful ? await states.count() : 0,
      ...metrics.counts(),
      idle: options.idle,
      mistakes: mistakesOn(mistakes),
    }),
  );

  app.post('/seed_session', async (c) => {
    const state = accepted(environment.seed(await readObject(c.req.raw)));
    if (state !== undefined) await states.seed(c.var.sessionId, state);
    return answer({});
  });
  app.post('/verify', async (c) => {
    const body = await readObject(c.req.raw);
    const judge = accepted(environment.verify(body));
    await environment.prepare();
    const verdict = environment.stateful ? await states.read(c.var.sessionId, judge) : judge(undefined);
    return answer({ ...body, ...verdict });
  });
  app.post('/aggregate_metrics', async (c) => {
    const read = v.safeParse(AggregateRequest, await readObject(c.req.raw));
    if (!read.success) throw new RequestError(422, validationDetails(read.issues));
    return answer(aggregate(read.output.verify_responses));
  });
  app.post('/:tool', async (c) => {
    const tool = environment.tools.get(c.req.param('tool'));
    if (tool === undefined) {
      throw new RequestError(
        404,
        `There is no tool '${c.req.param('tool')}' here. There are: ${[...environment.tools.keys()].join(', ')}.`,
      );
    }
    const run = accepted(tool.parse(await readObject(c.req.raw)));
    await environment.prepare();
    if (!environment.stateful) return answer(run(undefined).result);
    if (tool.readOnly) return answer(await states.read(c.var.sessionId, (stored) => run(stored).result));
    return answer(await states.change(c.var.sessionId, run));
  });
  app.all('/:endpoint', (c) => {
    const name = c.req.param('endpoint');
    if (!POST_ENDPOINTS.has(name) && !GET_ENDPOINTS.has(name) && !environment.tools.has(name)) {
      throw new RequestError(404, `There is no '${name}' here.`);
    }
    return answer({ detail: 'Method Not Allowed' }, 405, { Allow: GET_ENDPOINTS.has(name) ? 'GET' : 'POST' });
  });

  const endpointOf = (c: Context<Types>): string => {
    const last = c.req.path.split('/').at(-1) ?? '';
    // Only names that exist: a client must not be able to grow the table.
    return POST_ENDPOINTS.has(last) || GET_ENDPOINTS.has(last) || environment.tools.has(last)
      ? `/${last}`
      : '(other)';
  };
  return app;
}

const POST_ENDPOINTS: ReadonlySet<string> = new Set(['seed_session', 'verify', 'aggregate_metrics']);
const GET_ENDPOINTS: ReadonlySet<string> = new Set(['tools', 'openapi.json', 'reverify_mode', 'metrics']);

function answer(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  });
}

function accepted<T>(read: Parsed<T>): T {
  if (!read.ok) throw new RequestError(422, validationDetails(read.issues));
  return read.value;
}

function statusOf(error: Error): number {
  if (error instanceof RequestError) return error.status;
  return error instanceof StoreError ? 503 : 500;
}

/** A message and no stack. */
function failure(error: Error): Response {
  const detail = error instanceof RequestError ? error.detail : error.message;
  return answer({ detail }, statusOf(error));
}

/** Where a client finds the endpoints: a host that has moved them into a folder says so in `x-forwarded-prefix`. */
function baseOf({ url, headers }: Request): string {
  const { origin, pathname } = new URL(url);
  const prefix = headers.get('x-forwarded-prefix') ?? '';
  const folder = pathname.slice(0, pathname.lastIndexOf('/openapi.json'));
  return `${origin}${/^(\/[\w.~-]+)+$/.test(prefix) ? prefix : ''}${folder}`;
}
