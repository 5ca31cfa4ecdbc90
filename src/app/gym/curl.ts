/** A request as a line for a POSIX shell. */

export interface CurlRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookie: string;
  /** A file that keeps cookies from one line to the next, instead of the cookie. */
  readonly jar?: string | undefined;
  readonly body: string | undefined;
}

/** `curl -sS -i -g -X POST -H 'content-type: application/json' --data-raw '{"count":2}' --url 'http://127.0.0.1:8000/increment_counter'` */
export function curlLine({ method, url, headers, cookie, jar, body }: CurlRequest): string {
  const all = Object.entries(headers);
  if (cookie !== '' && jar === undefined) all.push(['Cookie', cookie]);
  return [
    // -g: brackets and braces in a URL are no patterns here.
    'curl -sS -i -g',
    ...(method === 'GET' ? [] : [`-X ${quoted(method)}`]),
    // Kept, and read only where the request is one of a session: else a new one begins.
    ...(jar === undefined ? [] : [`${cookie === '' ? '' : `-b ${quoted(jar)} `}-c ${quoted(jar)}`]),
    // Not -b, which reads a file where its value has no `=`.
    ...all.map(([name, value]) => `-H ${quoted(oneLine(`${name}: ${value}`))}`),
    // Not --data, which reads a file where its value starts with `@`.
    ...(body === undefined ? [] : [`--data-raw ${quoted(body)}`]),
    `--url ${quoted(oneLine(url))}`,
  ].join(' ');
}

/** One word of a shell. Within single quotes nothing has a meaning but the quote itself; an argument cannot hold NUL, nor UTF-8 half a pair. */
export function quoted(text: string): string {
  const sayable = text.replaceAll('\0', '').replace(/\p{Surrogate}/gu, '\uFFFD');
  if (/^[\w.:/@%+,-]+$/.test(sayable) && !sayable.startsWith('-')) return sayable;
  return `'${sayable.replaceAll("'", `'\\''`)}'`;
}

/** A header ends with its line: what comes after a line break would be another one. */
function oneLine(text: string): string {
  return text.replace(/[\r\n]+/g, ' ');
}
