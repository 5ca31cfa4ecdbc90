import { errorText } from '../model/error-text';
/** One session with a server: every exchange is kept as the model has it, and the state that it left. */
import {
  createGymClient,
  type Exchange as ClientExchange,
  type Incoming,
  type JsonObject,
  type Outgoing,
  type Transport,
} from '../gym';
import { sameValue, type Exchange, type SessionState } from '../model';
import { sessionIn } from './session-id';
import type { LiveServer } from './server';

export interface SessionOptions {
  readonly server: LiveServer;
  readonly timeoutMs?: number;
  /** What a session that goes on has behind it: the exchanges and states of its beginning. */
  readonly exchanges?: readonly Exchange[];
  readonly states?: readonly SessionState[];
}

/** What an exchange is for: `{ step: 2, purpose: 'call', callId: 'call_7' }`. */
export type Occasion = Pick<Exchange, 'step' | 'purpose' | 'callId'>;

export interface Session {
  /** Lists that grow: what was read once does not change. */
  readonly exchanges: readonly Exchange[];
  readonly states: readonly SessionState[];
  /** The session that the last exchange was answered for, where it can be told. */
  readonly id: string | undefined;
  /** One after the other, also when asked at once: only so can the state after each be told. */
  post(path: string, body: JsonObject, occasion: Occasion, signal?: AbortSignal): Promise<Exchange>;
  get(path: string, occasion: Occasion, signal?: AbortSignal): Promise<Exchange>;
  /** Changes the state by hand. */
  edit(value: unknown, step: number): Promise<void>;
}

export function openSession(options: SessionOptions): Session {
  const { server, timeoutMs = 30_000 } = options;
  const exchanges: Exchange[] = [...(options.exchanges ?? [])];
  const states: SessionState[] = [...(options.states ?? [])];
  let id = exchanges.at(-1)?.session;
  const dropCookies = server.mistakes?.drop_cookies === true;
  let restored = dropCookies ? [] : restoreCookie(options.exchanges ?? []);
  /** That of the request under way. */
  let current: AbortSignal | undefined;
  const client = createGymClient({
    baseUrl: server.baseUrl,
    transport: (request) => abortable(server.transport, request, current),
    dropCookies,
    timeoutMs,
  });

  const keep = async (made: ClientExchange, occasion: Occasion): Promise<Exchange> => {
    const exchange = exchangeOf(made, occasion, server);
    exchanges.push(exchange);
    if (exchange.response === undefined) return exchange;
    id = exchange.session ?? id;
    if (server.states === undefined || exchange.session === undefined) return exchange;
    const value = await server.states.read(exchange.session).catch(() => unreadable);
    if (value === unreadable) return exchange;
    const last = states.at(-1);
    // What an exchange left as it was is not noted again.
    if (last !== undefined && last.session === exchange.session && sameValue(last.value, value))
      return exchange;
    states.push({
      step: occasion.step,
      exchange: exchanges.length - 1,
      session: exchange.session,
      ...(value === undefined ? {} : { value }),
    });
    return exchange;
  };

  let queue: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(task: () => Promise<T>): Promise<T> => {
    const done = queue.then(task);
    queue = done.catch(() => undefined);
    return done;
  };
  const request = (
    method: string,
    path: string,
    occasion: Occasion,
    signal: AbortSignal | undefined,
    send: () => Promise<ClientExchange>,
  ): Promise<Exchange> =>
    inTurn(async () => {
      signal?.throwIfAborted();
      const cookies = restored;
      restored = [];
      for (const cookie of cookies) await client.setCookie(cookie);
      current = signal;
      const made = await send().catch((error: unknown) => ({ error }));
      if (!('error' in made)) return keep(made, occasion);
      // What cannot be written cannot be sent: a body nested deeper than the stack.
      const unsent: Exchange = {
        ...occasion,
        request: { method, url: `${server.baseUrl}${path}`, headers: [] },
        error: `it could not be sent: ${errorText(made.error)}`,
      };
      exchanges.push(unsent);
      return unsent;
    });

  return {
    exchanges,
    states,
    get id() {
      return id;
    },
    post: (path, body, occasion, signal) =>
      request('POST', path, occasion, signal, () => client.post(path, body)),
    get: (path, occasion, signal) => request('GET', path, occasion, signal, () => client.get(path)),
    edit: (value, step) =>
      inTurn(async () => {
        if (server.states === undefined)
          throw new Error(`The state behind ${server.label} cannot be changed.`);
        if (id === undefined) throw new Error('There is no session yet whose state could be changed.');
        await server.states.write(id, value);
        states.push({ step, session: id, ...(value === undefined ? {} : { value }), edited: true });
      }),
  };
}

const unreadable = Symbol('unreadable');

/** A server in this process does not look at signals: then nobody waits for it any more. */
function abortable(
  transport: Transport,
  request: Outgoing,
  signal: AbortSignal | undefined,
): Promise<Incoming> {
  if (signal === undefined) return transport(request);
  const both = request.signal === undefined ? signal : AbortSignal.any([request.signal, signal]);
  return new Promise((done, fail) => {
    const stop = (): void => fail(both.reason);
    both.addEventListener('abort', stop);
    void transport({ ...request, signal: both })
      .then(done, fail)
      .finally(() => both.removeEventListener('abort', stop));
  });
}

/** The cookies that a client had at the end of these exchanges. */
function restoreCookie(exchanges: readonly Exchange[]): string[] {
  const last = exchanges.findLast(({ response }) => (response?.setCookies.length ?? 0) > 0);
  return last?.response?.setCookies ?? [];
}

function exchangeOf(made: ClientExchange, occasion: Occasion, server: LiveServer): Exchange {
  const { request, response, startedAt, ms } = made;
  const session =
    'text' in response ? sessionIn(response.setCookie, request.cookie, server.environment) : undefined;
  return {
    ...occasion,
    request: {
      method: request.method,
      url: request.url,
      headers: Object.entries(request.headers),
      ...(request.cookie === '' ? {} : { cookie: request.cookie }),
      ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
    },
    ...('text' in response
      ? {
          response: {
            status: response.status,
            headers: response.headers.map(([name, value]) => [name, value]),
            setCookies: [...response.setCookie],
            body: response.text,
          },
        }
      : { error: response.error }),
    startedAt,
    ms,
    ...(session === undefined ? {} : { session }),
  };
}
