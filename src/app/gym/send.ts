/** Sends one request for the console, and looks at the session's state before and after. */
import { createGymClient, type Environment, type Exchange, type Json } from '../../gym';
import type { Endpoint } from './endpoints';
import { INSTANCE_HEADER, type TabServer } from './server';
import type { Host } from './worker';

export interface Sending {
  readonly server: TabServer;
  readonly host: Host;
  readonly environment: Environment;
  readonly endpoint: Endpoint;
  /** As typed: broken JSON is sent as it is. */
  readonly body: string;
  readonly cookie: string;
}

export interface Sent {
  readonly exchange: Exchange;
  /** What the client sends next time. */
  readonly cookie: string;
  readonly sessionId: string | undefined;
  readonly isNew: boolean;
  readonly instance: number | undefined;
  readonly before: Json | undefined;
  readonly after: Json | undefined;
  readonly body: string | undefined;
}

export async function send({ server, host, environment, endpoint, body, ...typed }: Sending): Promise<Sent> {
  const cookie = inLatin1(typed.cookie);
  const client = createGymClient({
    baseUrl: `${host.baseUrl}/${environment.name}`,
    transport: (request) =>
      host.transport({ ...request, cookie, body: endpoint.method === 'POST' ? body : undefined }),
  });
  const idBefore = sessionIdIn(cookie, environment);
  const before = await server.states(environment.name, idBefore ?? '');
  const made =
    endpoint.method === 'POST'
      ? await client.post(`/${endpoint.name}`, {})
      : await client.get(`/${endpoint.name}`);
  const { response } = made;
  const given = 'setCookie' in response ? response.setCookie.map((line) => line.split(';')[0] ?? '') : [];
  const sessionId = sessionIdIn(given.join('; '), environment) ?? idBefore;
  const instance = 'headers' in response ? instanceIn(response.headers) : undefined;
  const after = sessionId === undefined ? [] : await server.states(environment.name, sessionId);
  const at = (instance ?? 1) - 1;
  const sameState = sessionId === idBefore || server.mistakes.global_state === true;
  return {
    exchange: { ...made, request: { ...made.request, cookie } },
    cookie: server.mistakes.drop_cookies === true ? cookie : mergedCookies(cookie, given),
    sessionId,
    isNew: sessionId !== idBefore,
    instance,
    before: sameState ? before[at] : undefined,
    after: after[at],
    body: endpoint.method === 'POST' ? body : undefined,
  };
}

/** Headers hold Latin-1: any other text goes as the bytes of its UTF-8, as curl sends it. */
export function inLatin1(text: string): string {
  if (!/[^\0-\xff]/.test(text)) return text;
  return String.fromCharCode(...new TextEncoder().encode(text));
}

export function instanceIn(headers: readonly (readonly [string, string])[]): number | undefined {
  const named = headers.find(([name]) => name === INSTANCE_HEADER)?.[1];
  return named === undefined ? undefined : Number(named);
}

/** `a=1; b=2` with `b=3` set is `a=1; b=3`. */
export function mergedCookies(cookie: string, set: readonly string[]): string {
  const pairs = new Map<string, string>();
  for (const pair of [...cookie.split(';'), ...set].map((one) => one.trim())) {
    if (pair !== '') pairs.set(pair.split('=')[0] ?? '', pair);
  }
  return [...pairs.values()].join('; ');
}

/** The id in an environment's session cookie: a named one, or what stands before the signature. */
export function sessionIdIn(cookie: string, { name, serverName, session }: Environment): string | undefined {
  const wanted = session.kind === 'named' ? session.cookie : `${serverName}___${name}`;
  for (const pair of cookie.split(';').map((one) => one.trim())) {
    const equals = pair.indexOf('=');
    if (equals < 0 || pair.slice(0, equals) !== wanted) continue;
    const value = pair.slice(equals + 1);
    return session.kind === 'named' ? value : value.split('.')[0];
  }
  return undefined;
}
