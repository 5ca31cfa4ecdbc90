/** Which session an exchange belongs to, read from its cookies. */
import type { Environment } from '../gym';
import { stringAt } from '../model';

/** What the answer sets counts for more than what was sent: the server may have begun a new session. */
export function sessionIn(
  setCookies: readonly string[],
  cookie: string,
  environment: Environment | undefined,
): string | undefined {
  const given = setCookies.map((line) => line.split(';', 1)[0] ?? '');
  return idIn(given, environment) ?? idIn(cookie.split(';'), environment);
}

function idIn(pairs: readonly string[], environment: Environment | undefined): string | undefined {
  for (const pair of pairs) {
    const equals = pair.indexOf('=');
    if (equals < 0) continue;
    const name = pair.slice(0, equals).trim();
    if (!isSessionCookie(name, environment)) continue;
    const value = pair.slice(equals + 1).trim();
    if (value === '') continue;
    return environment?.session.kind === 'named' || name === 'nat-session' ? value : signedId(value);
  }
  return undefined;
}

function isSessionCookie(name: string, environment: Environment | undefined): boolean {
  if (environment?.session.kind === 'named') return name === environment.session.cookie;
  if (environment !== undefined && name === `${environment.serverName}___${environment.name}`) return true;
  // NeMo Gym calls its cookie `Server___name`, Starlette `session`.
  return name.includes('___') || name === 'session' || name === 'nat-session';
}

/** What stands before the signature: an id as we write it, or Starlette's base64 of `{"session_id": ...}`. */
function signedId(value: string): string {
  const [first = ''] = value.replace(/^"|"$/g, '').split('.');
  if (/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(first)) return first;
  try {
    const inner: unknown = JSON.parse(atob(first.replaceAll('-', '+').replaceAll('_', '/')));
    return stringAt(inner, 'session_id') ?? first;
  } catch {
    return first;
  }
}
