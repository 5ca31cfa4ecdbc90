import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { createGymClient } from './client';
import { perUserAssistant } from './environments/per_user_assistant';
import { statefulCounter } from './environments/stateful_counter';
import { hostGym, type Host, type HostOptions } from './node-host';
import { directTransport } from './transport';

const run = promisify(execFile);
const hosts: Host[] = [];
afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.close()));
});

async function host(
  options: Omit<HostOptions, 'port' | 'log'> & { log?: (line: string) => void },
): Promise<Host> {
  const started = await hostGym({ port: 0, log: () => undefined, ...options });
  hosts.push(started);
  return started;
}

const clientAt = (url: string) =>
  createGymClient({ baseUrl: url, transport: directTransport((request) => fetch(request)) });

async function curl(url: string, user: string, body: string): Promise<string> {
  const { stdout } = await run('curl', [
    '-s',
    '-X',
    'POST',
    url,
    '-H',
    'Content-Type: application/json',
    '-H',
    `Cookie: nat-session=${user}`,
    '-d',
    body,
  ]);
  return stdout;
}

const HELP =
  'Available commands:\\n- note add <content>: Add a note\\n- note list: List all notes\\n- note clear: Clear all notes\\n- note count: Count notes\\n- pref set <key> <value>: Set a preference\\n- pref get <key>: Get a preference\\n- pref list: List all preferences\\n- stats: Show session statistics\\n- help: Show this help message';

describe('per-user workflow, by curl', () => {
  /** Sections of the walk-through; each begins with users that nobody has seen. */
  const sections: [string, [string, string, string][]][] = [
    [
      'notes of two users',
      [
        [
          'alice',
          '{"command": "note", "action": "add", "param1": "Alices first note"}',
          '{"success":true,"message":"Note added successfully","data":{"notes":[],"count":1,"commands_executed":1}}',
        ],
        [
          'alice',
          '{"command": "note", "action": "list"}',
          '{"success":true,"message":"Found 1 notes","data":{"notes":["Alices first note"],"count":1,"commands_executed":2}}',
        ],
        [
          'bob',
          '{"command": "note", "action": "list"}',
          '{"success":true,"message":"Found 0 notes","data":{"notes":[],"count":0,"commands_executed":1}}',
        ],
        [
          'bob',
          '{"command": "note", "action": "add", "param1": "Bobs note"}',
          '{"success":true,"message":"Note added successfully","data":{"notes":[],"count":1,"commands_executed":2}}',
        ],
      ],
    ],
    [
      'preferences',
      [
        [
          'alice',
          '{"command": "pref", "action": "set", "param1": "theme", "param2": "light"}',
          '{"success":true,"message":"Preference \'theme\' set to \'light\'","data":{"value":"","preferences":{"theme":"light","language":"en","notifications":"enabled"},"commands_executed":1}}',
        ],
        [
          'bob',
          '{"command": "pref", "action": "get", "param1": "theme"}',
          '{"success":true,"message":"Preference \'theme\' = \'dark\'","data":{"value":"dark","preferences":{},"commands_executed":1}}',
        ],
      ],
    ],
    [
      'help and stats',
      [
        [
          'alice',
          '{"command": "help"}',
          `{"success":true,"message":"${HELP}","data":{"commands_executed":1}}`,
        ],
        [
          'alice',
          '{"command": "stats"}',
          '{"success":true,"message":"Session statistics: 2 commands executed","data":{"commands_executed":2}}',
        ],
      ],
    ],
  ];
  it.each(sections)('%s', async (_name, lines) => {
    const { url } = await host({ environments: perUserAssistant });
    for (const [user, body, expected] of lines)
      expect(await curl(`${url}/generate`, user, body)).toBe(expected);
  });

  const SEED = new URL('../../../shared/seeds/per-user-workflow.md', import.meta.url);
  it.runIf(existsSync(SEED))('every curl line of the original walk-through gives its output', async () => {
    const text = readFileSync(SEED, 'utf8');
    let lines = 0;
    for (const section of text.split(/^#### /m).slice(1)) {
      const name = section.split('\n')[0];
      const { url } = await host({ environments: perUserAssistant });
      // Notes of user 2 do not depend on those of user 1, so that a fresh server for each section is a fresh user for each.
      const pairs = section.matchAll(
        /-H "Cookie: nat-session=(\w+)" \\\s*-d '([^']*)'\s*```[\s\S]*?```console\n(.*?)%?\n```/g,
      );
      for (const [, user = '', body = '', expected = ''] of pairs) {
        lines += 1;
        const answer = await curl(`${url}/generate`, user, body);
        if (body.includes('help')) expect(answer).toContain('Available commands');
        else expect(answer, `${name}: ${body}`).toBe(expected);
      }
    }
    expect(lines).toBe(8);
  });
});

describe('on a port', () => {
  it('plays the counter over HTTP, with its access log', async () => {
    const lines: string[] = [];
    const { url } = await host({ environments: statefulCounter, log: (line) => lines.push(line) });
    const client = clientAt(url);
    await client.seed({ initial_count: 3 });
    await client.call('increment_counter', { count: 2 });
    expect((await client.verify({ expected_count: 5 })).response.json).toMatchObject({ reward: 1 });
    expect(lines.map((line) => line.replace(/[\d.]+ ms.*/, ''))).toEqual([
      'POST /seed_session 200 ',
      'POST /increment_counter 200 ',
      'POST /verify 200 ',
    ]);
    expect(lines[0]).toMatch(/ms stateful_counter [\da-f]{8}$/);
  });

  it('refuses 20 MB with 413, and lives on', async () => {
    const { url } = await host({ environments: statefulCounter });
    const response = await fetch(`${url}/seed_session`, {
      method: 'POST',
      body: `{"initial_count": 1, "x": "${'y'.repeat(20_000_000)}"}`,
    });
    expect(response.status).toBe(413);
    expect((await clientAt(url).seed({ initial_count: 1 })).response.status).toBe(200);
  });

  it('answers what is under way before it closes', async () => {
    const slow = await hostGym({
      port: 0,
      environments: statefulCounter,
      mistakes: { slow: 150 },
      log: () => undefined,
    });
    const underWay = clientAt(slow.url).seed({ initial_count: 1 });
    await new Promise((resolve) => setTimeout(resolve, 60));
    await slow.close();
    expect((await underWay).response.status).toBe(200);
    expect((await clientAt(slow.url).seed({ initial_count: 1 })).response.status).toBe(0);
  });

  it('closes the connections that clients keep, once they have their answer', async () => {
    const slow = await hostGym({
      port: 0,
      environments: statefulCounter,
      mistakes: { slow: 150 },
      log: () => undefined,
    });
    const agent = new Agent({ keepAlive: true });
    const kept = (): Promise<string | undefined> =>
      new Promise((resolve, reject) => {
        const request = httpRequest({ agent, port: slow.port, path: '/', host: '127.0.0.1' }, (response) => {
          response.resume().on('end', () => resolve(response.headers.connection));
        });
        request.on('error', reject).end();
      });
    expect(await kept()).toBe('keep-alive');
    const underWay = kept();
    await new Promise((resolve) => setTimeout(resolve, 60));
    // Much later than an answer and much sooner than what is cut off.
    const late = new Promise((resolve) => setTimeout(resolve, 5000, 'still open'));
    expect(await Promise.race([slow.close(), late])).toBeUndefined();
    expect(await underWay).toBe('close');
    agent.destroy();
  });

  it('says which port is in use', async () => {
    const { port } = await host({ environments: statefulCounter });
    await expect(hostGym({ port, environments: statefulCounter, log: () => undefined })).rejects.toThrow(
      `Port ${port} is in use`,
    );
  });

  it('is only on the loopback', async () => {
    const { url } = await host({ environments: statefulCounter });
    expect(new URL(url).hostname).toBe('127.0.0.1');
  });

  it('keeps line breaks of a request out of the log', async () => {
    const lines: string[] = [];
    const { port } = await host({ environments: perUserAssistant, log: (line) => lines.push(line) });
    await new Promise<void>((resolve, reject) => {
      const request = httpRequest(
        { port, host: '127.0.0.1', path: '/%0d%0aPOST', headers: { cookie: 'nat-session=\u00e9vil' } },
        (response) => {
          response.resume().on('end', () => resolve());
        },
      );
      request.on('error', reject).end();
    });
    expect(lines).toHaveLength(1);
    expect(lines[0]).not.toMatch(/[^\x20-\x7e]/);
  });

  it('bears 50 sessions with 20 increments each, several at the same time, without losing one', async () => {
    const { url, gym } = await host({ environments: statefulCounter, accessLog: false });
    await Promise.all(
      Array.from({ length: 50 }, async (_, user) => {
        const client = clientAt(url);
        await client.seed({ initial_count: user });
        for (let batch = 0; batch < 4; batch++) {
          const answers = await Promise.all(
            Array.from({ length: 5 }, () => client.call('increment_counter', { count: 1 })),
          );
          for (const { response } of answers) expect(response.status).toBe(200);
        }
        expect((await client.verify({ expected_count: user + 20 })).response.json).toMatchObject({
          reward: 1,
        });
      }),
    );
    expect(await gym.sessions('stateful_counter')).toHaveLength(50);
  }, 30_000);
});
