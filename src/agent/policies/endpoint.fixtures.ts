import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** A small model endpoint on a real port: each request is handed to the next of its answers. */
export interface Endpoint {
  readonly url: string;
  readonly requests: { readonly path: string; readonly key: string | undefined; readonly body: unknown }[];
  answer(...answers: Answer[]): void;
  close(): Promise<void>;
}

export type Answer = (response: ServerResponse, request: IncomingMessage) => void | Promise<void>;

export async function openEndpoint(): Promise<Endpoint> {
  const requests: Endpoint['requests'] = [];
  let waiting: Answer[] = [];
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const text = Buffer.concat(pieces).toString();
      requests.push({
        path: request.url ?? '',
        key: request.headers.authorization,
        body: text === '' ? undefined : JSON.parse(text),
      });
      const answer = waiting.length > 1 ? waiting.shift() : waiting[0];
      void answer?.(response, request);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The endpoint has no port.');
  return {
    url: `http://127.0.0.1:${address.port}/v1`,
    requests,
    answer: (...answers) => {
      waiting = answers;
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

/** Sends events in pieces of a few bytes, which cut characters and lines anywhere. */
export function streamed(
  events: readonly unknown[],
  { size = 7, end = true, lineBreak = '\n' } = {},
): Answer {
  return async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const bytes = Buffer.from(
      events
        .map(
          (event) =>
            `data: ${typeof event === 'string' ? event : JSON.stringify(event)}${lineBreak}${lineBreak}`,
        )
        .join(''),
    );
    for (let at = 0; at < bytes.length; at += size) {
      response.write(bytes.subarray(at, at + size));
      if (at % (size * 8) === 0) await new Promise((done) => setImmediate(done));
    }
    if (end) response.end();
  };
}

export function json(status: number, value: unknown, headers: Record<string, string> = {}): Answer {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(value));
  };
}

/** Chunks of a chat completion. */
export function chunk(delta: object, rest: object = {}): object {
  return { model: 'tiny-1', choices: [{ index: 0, delta, finish_reason: null, ...rest }] };
}
