/** The server that copied lines speak to: `rollscope gym` on its port. */
import { mistakesOn, type Environment, type Mistakes } from '../../gym';

/** Where `rollscope gym` puts the environments: no curl reaches into a tab. */
export function portUrl(environment: string, path: string): string {
  return `http://127.0.0.1:8000/${encodeURIComponent(environment)}${path}`;
}

/** The server on that port, with the mistakes that are on; `drop_cookies` is its clients'. */
export function serverLine(mistakes: Mistakes): string {
  const names = mistakesOn(mistakes)
    .filter((name) => name !== 'drop_cookies')
    .map((name) => (typeof mistakes[name] === 'number' ? `${name}=${mistakes[name]}` : name));
  return `rollscope gym --port 8000${names.length === 0 ? '' : ` --mistake ${names.join(',')}`}`;
}

/**
 * The server on the port signs its own cookies and knows none of the tab's: where they are signed, a file keeps the port's cookie from
 * one line of a client to the next. Where a client names itself, the name is enough.
 */
export function jarFor({ session }: Environment, client: string): string | undefined {
  return session.kind === 'named' ? undefined : `${client.toLowerCase().replaceAll(/[^\w-]+/g, '-')}.cookies`;
}
