import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { environmentNamed, parseMistakes } from '../../gym';
import { hostGym, type Host } from '../../gym/node-host';
import { startRedis } from '../../gym/store/redis.fixtures';
import { rollscope } from '../io.fixtures';

const counter = environmentNamed('stateful_counter');
if (counter === undefined) throw new Error('The counter environment is not there.');

const hosts: Host[] = [];

async function host(mistakes: string): Promise<string> {
  const started = await hostGym({
    environments: counter ?? [],
    port: 0,
    mistakes: parseMistakes(mistakes),
    idle: { timeout: 1, interval: 1 },
    accessLog: false,
    log: () => undefined,
  });
  hosts.push(started);
  return started.url;
}

let sound = '';
let leaky = '';
beforeAll(async () => {
  [sound, leaky] = await Promise.all([host(''), host('global_state')]);
});
afterAll(() => Promise.all(hosts.map((each) => each.close())));

describe('check', () => {
  test('passes a sound server, clean-up included', async () => {
    const { code, out } = await rollscope(['check', sound, '--profile', 'stateful_counter', '--json']);
    const { url, checks }: { url: string; checks: { id: string; status: string }[] } = JSON.parse(out);
    expect(url).toBe(sound);
    expect(checks.map(({ id, status }) => `${id} ${status}`)).toEqual([
      'isolation pass',
      'persistence pass',
      'missing-state pass',
      'verification pass',
      'cleanup pass',
    ]);
    expect(code).toBe(0);
  });

  test('fails a server that mixes up its users, and says how', async () => {
    const { code, out } = await rollscope([
      'check',
      leaky,
      '--profile',
      'stateful_counter',
      '--max-wait',
      '0',
    ]);
    expect(out).toMatch(/^fail +isolation +One session wrote, and another saw it/m);
    expect(code).toBe(1);
  });

  test.each([
    ['no address', ['check', '--profile', 'stateful_counter']],
    ['an address that is none', ['check', 'counter', '--profile', 'stateful_counter']],
    ['no profile', ['check', 'http://127.0.0.1:1']],
    ['a profile that is none', ['check', 'http://127.0.0.1:1', '--profile', 'no-such-file']],
  ])('%s is a usage error', async (_name, args) => {
    expect((await rollscope(args)).code).toBe(2);
  });
});

describe('gym', () => {
  test.each([
    ['an unknown environment', ['gym', '--env', 'nowhere'], 2],
    ['an unknown mistake', ['gym', '--mistake', 'typo'], 2],
    ['a port that is none', ['gym', '--port', 'x'], 2],
    ['a port past the last', ['gym', '--port', '70000'], 2],
    ['no worker at all', ['gym', '--workers', '0'], 2],
    ['several workers without a store that they share', ['gym', '--workers', '2'], 2],
    ['a time that is none', ['gym', '--idle', '0'], 2],
    ['an empty secret', ['gym', '--secret', ''], 2],
    ['an origin with a path', ['gym', '--cors', 'http://localhost:3000/'], 2],
    ['any origin', ['gym', '--cors', '*'], 2],
    ['a store that is none', ['gym', '--port', '0', '--store', 'ftp://x'], 1],
    ['a configuration that is not there', ['gym', '--config', 'no-such.yml'], 2],
  ])('%s is refused', async (_name, args, code) => {
    expect((await rollscope(args)).code).toBe(code);
  });

  test.each([
    ['one process', []],
    ['two workers over Redis', ['--workers', '2']],
  ])(
    'as a program, with %s, it serves and ends when told to',
    async (_name, more) => {
      const redis = await startRedis();
      const program = fileURLToPath(new URL('../boot/rollscope.mjs', import.meta.url));
      const child = spawn(
        process.execPath,
        [
          program,
          'gym',
          '--env',
          'stateful_counter',
          '--port',
          '0',
          '--store',
          redis.url,
          '--quiet',
          ...more,
        ],
        { stdio: ['ignore', 'pipe', 'ignore'] },
      );
      const ended = once(child, 'exit');
      const [said]: unknown[] = await once(child.stdout, 'data');
      const url = String(said).trim();
      expect(
        (await fetch(`${url}/seed_session`, { method: 'POST', body: '{"initial_count": 3}' })).status,
      ).toBe(200);
      child.kill('SIGTERM');
      expect(await ended).toEqual([0, null]);
      await redis.stop();
    },
    60_000,
  );
});
