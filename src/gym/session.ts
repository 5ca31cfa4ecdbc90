/** Whose request is it? Read from a cookie before any handler runs. */
import { cookieFor, readCookie } from './cookies';
import type { Environment } from './environment';

/** What handlers find the session's id under, as in NeMo Gym. */
export const SESSION_ID_KEY = 'session_id';

export interface Session {
  readonly [SESSION_ID_KEY]: string;
  /** No cookie came, or one that was not ours. */
  readonly isNew: boolean;
  /** Sent with every answer, because some clients keep only the cookies of the last one. */
  readonly setCookie: string;
}

export interface Sessions {
  cookieName: string;
  find(cookieHeader: string | null): Promise<Session>;
}

export function createSessions(environment: Environment, secret: string): Sessions {
  return environment.session.kind === 'signed'
    ? signedSessions(`${environment.serverName}___${environment.name}`, secret)
    : namedSessions(environment.session.cookie);
}

/**
 * `<uuid>.<HMAC-SHA256 of name and uuid, base64url>`. The name is signed too, so that the cookie of one server is nothing to another.
 * Comparing is left to Web Crypto, which takes the same time whether the first or the last byte is wrong.
 */
function signedSessions(cookieName: string, secret: string): Sessions {
  const encoder = new TextEncoder();
  const key = crypto.subtle.importKey(
    'raw',
    encoder.encode(secret),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign', 'verify'],
  );
  const signed = (id: string): Uint8Array<ArrayBuffer> => encoder.encode(`${cookieName}=${id}`);

  const verify = async (cookie: string): Promise<string | undefined> => {
    const [id = '', signature = '', ...rest] = cookie.split('.');
    const bytes = fromBase64Url(signature);
    if (id === '' || rest.length > 0 || bytes === undefined) return undefined;
    return (await crypto.subtle.verify('HMAC', await key, bytes, signed(id))) ? id : undefined;
  };
  // Checking costs more than all the rest of a small request, and what was right once stays right.
  const checked = new Map<string, string>();
  const known = async (cookie: string): Promise<string | undefined> => {
    const id = checked.get(cookie) ?? (await verify(cookie));
    if (id === undefined) return undefined;
    if (checked.size >= 10_000) checked.clear();
    checked.set(cookie, id);
    return id;
  };
  return {
    cookieName,
    find: async (header) => {
      const cookie = readCookie(header, cookieName);
      const old = cookie === undefined ? undefined : await known(cookie);
      if (old !== undefined && cookie !== undefined) {
        return { [SESSION_ID_KEY]: old, isNew: false, setCookie: cookieFor(cookieName, cookie) };
      }
      const id = crypto.randomUUID();
      const signature = toBase64Url(await crypto.subtle.sign('HMAC', await key, signed(id)));
      return { [SESSION_ID_KEY]: id, isNew: true, setCookie: cookieFor(cookieName, `${id}.${signature}`) };
    },
  };
}

/** The client names itself: `nat-session=alice` is alice. */
function namedSessions(cookieName: string): Sessions {
  return {
    cookieName,
    find: async (header) => {
      const given = readCookie(header, cookieName) ?? '';
      const isNew = given === '' || given.length > 256;
      const id = isNew ? crypto.randomUUID() : given;
      return { [SESSION_ID_KEY]: id, isNew, setCookie: cookieFor(cookieName, id) };
    },
  };
}

export function makeSecret(): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(32)).buffer);
}

function toBase64Url(bytes: ArrayBuffer): string {
  const binary = String.fromCharCode(...new Uint8Array(bytes));
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Strict, so that one signature has one spelling. */
function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[\w-]{43}$/.test(text)) return undefined;
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  return toBase64Url(bytes.buffer) === text ? bytes : undefined;
}
