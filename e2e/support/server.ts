import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../src/cli/boot/rollscope.mjs', import.meta.url));

/** The real server, as `rollscope [paths...]` starts it. */
export interface RunningServer {
  /** `http://127.0.0.1:4600` */
  origin: string;
  /** With the token: what `rollscope` opens in the browser. */
  url: string;
  token: string;
  stop(): Promise<void>;
}

export async function serve(...paths: string[]): Promise<RunningServer> {
  const args = [program, 'serve', '--json', '--no-open', '--port', '0', ...paths];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<void>((done) => child.once('close', () => done()));
  for await (const line of createInterface(child.stdout)) {
    const { url, token }: { url: string; token: string } = JSON.parse(line);
    return {
      origin: new URL(url).origin,
      url,
      token,
      stop: async () => {
        child.kill();
        await ended;
      },
    };
  }
  throw new Error('The server ended before it said where it is.');
}
