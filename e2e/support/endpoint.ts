import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../src/cli/boot/rollscope.mjs', import.meta.url));

/** An environment on a port of its own, as `rollscope gym` starts it. */
export async function serveGym(environment: string): Promise<{ url: string; kill: () => Promise<void> }> {
  const args = [program, 'gym', '--json', '--quiet', '--env', environment, '--port', '0'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<void>((done) => child.once('close', () => done()));
  for await (const line of createInterface(child.stdout)) {
    const { url }: { url: string } = JSON.parse(line);
    return {
      url,
      kill: async () => {
        child.kill('SIGKILL');
        await ended;
      },
    };
  }
  throw new Error('The environment server ended before it said where it is.');
}

export interface Turn {
  text: string;
  call?: { name: string; arguments: object };
}

export interface ModelEndpoint {
  url: string;
  /** What it was sent, in order. */
  requests: { authorization: string | undefined; body: string }[];
  close: () => Promise<void>;
}

/** Answers chat completions with these turns, one after the other, streamed a few bytes at a time. */
export async function serveModel(turns: readonly Turn[]): Promise<ModelEndpoint> {
  const requests: ModelEndpoint['requests'] = [];
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const turn = turns[requests.length] ?? { text: 'No more.' };
      requests.push({
        authorization: request.headers.authorization,
        body: Buffer.concat(pieces).toString(),
      });
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const text = [
        ...deltas(turn).map((delta) => JSON.stringify({ choices: [{ index: 0, delta }] })),
        '[DONE]',
      ];
      const bytes = Buffer.from(text.map((data) => `data: ${data}\n\n`).join(''));
      for (let at = 0; at < bytes.length; at += 23) response.write(bytes.subarray(at, at + 23));
      response.end();
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The endpoint has no port.');
  return {
    url: `http://127.0.0.1:${address.port}/v1`,
    requests,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

const piece = (part: object) => ({ tool_calls: [{ index: 0, ...part }] });

function deltas({ text, call }: Turn): object[] {
  if (call === undefined) return [{ role: 'assistant' }, { content: text }];
  const args = JSON.stringify(call.arguments);
  const half = Math.ceil(args.length / 2);
  return [
    { role: 'assistant', content: text },
    piece({ id: 'call_1', type: 'function', function: { name: call.name, arguments: '' } }),
    piece({ function: { arguments: args.slice(0, half) } }),
    piece({ function: { arguments: args.slice(half) } }),
  ];
}
