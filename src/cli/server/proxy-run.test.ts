import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAiPolicy, scriptedPolicy } from '../../agent';
import { chunk, json, openEndpoint, streamed, type Endpoint } from '../../agent/policies/endpoint.fixtures';
import { findExporter } from '../../formats';
import { environmentNamed, taskRows } from '../../gym';
import { hostGym, type Host } from '../../gym/node-host';
import {
  configFor,
  createRun,
  localServer,
  proxyFetch,
  proxyTransport,
  remoteServer,
  replayEpisode,
  type LiveServer,
  type Run,
} from '../../live';
import { sessionBreak } from '../../model';
import { loadBundledTokenizer } from '../../tokens';
import { startServer, type LocalServer } from './listen';

/** A live run as the page has it: server and model on other ports, both through the proxy. */
let folder = '';
let local: LocalServer;
let host: Host;
let endpoint: Endpoint;
const counter = environmentNamed('stateful_counter');

beforeAll(async () => {
  if (counter === undefined) throw new Error('There is no counter.');
  folder = await mkdtemp(join(tmpdir(), 'rollscope-run-'));
  await writeFile(join(folder, 'index.html'), '<!doctype html>');
  local = await startServer({ appFolder: folder, sources: [], port: 0 });
  host = await hostGym({ environments: counter, port: 0, accessLog: false });
  endpoint = await openEndpoint();
});

afterAll(async () => {
  await Promise.all([local.close(), host.close(), endpoint.close()]);
  await rm(folder, { recursive: true });
});

const page = (): string => `http://127.0.0.1:${local.port}/#token=${local.token}`;
const proxiedServer = (): LiveServer => remoteServer(host.url, proxyTransport(page(), local.token));

async function runOf(given: Pick<Parameters<typeof createRun>[0], 'policy' | 'server'>): Promise<Run> {
  const task = counter === undefined ? undefined : taskRows(counter)[0];
  if (task === undefined) throw new Error('There is no task.');
  const tokenizer = await loadBundledTokenizer();
  return createRun({ id: 'proxied', task, config: configFor(task, undefined), tokenizer, ...given });
}

test('a script against a server on a port: one session, verified there, reproduced there and here', async () => {
  const server = proxiedServer();
  const run = await runOf({ server, policy: scriptedPolicy(counter?.scripts[0]?.emissions ?? []) });
  await run.run();
  const { status, episode, editable } = run.getSnapshot();
  expect({ status, reward: episode.outcome.reward }).toEqual({ status: 'finished', reward: 1 });
  expect(new Set(episode.exchanges?.map(({ session }) => session)).size).toBe(1);
  expect(sessionBreak(episode.exchanges ?? [])).toBeUndefined();
  // The store is on the other side: nothing is known of the state, and nothing can be changed.
  expect(episode.states).toBeUndefined();
  expect(episode.gaps).toMatchObject([{ about: 'state', reason: expect.stringContaining(host.url) }]);
  expect(editable.state).toBe(false);
  for (const where of [server, ...(counter === undefined ? [] : [localServer(counter)])]) {
    expect(await replayEpisode({ episode }, where)).toMatchObject({
      status: 'reproduced',
      replayedReward: 1,
    });
  }
});

function call(id: string, name: string, args: string): object {
  return { tool_calls: [{ index: 0, id, type: 'function', function: { name, arguments: args } }] };
}

function turn(delta: object, reason: string): unknown[] {
  return [chunk(delta), chunk({}, { finish_reason: reason }), '[DONE]'];
}

test('a model that streams its turns; the key goes there and nowhere else', async () => {
  endpoint.answer(
    json(503, { error: { message: 'Loading.' } }),
    streamed([
      chunk({ content: 'Adding. ' }),
      ...turn(call('c1', 'increment_counter', '{"count": 2}'), 'tool_calls'),
    ]),
    streamed(turn(call('c2', 'get_counter_value', '{}'), 'tool_calls')),
    streamed([chunk({ content: 'It is ' }), ...turn({ content: '5.' }, 'stop')]),
  );
  const policy = openAiPolicy({
    baseUrl: endpoint.url,
    model: 'tiny',
    apiKey: 'sk-very-secret',
    fetch: proxyFetch(page(), local.token),
    backoffMs: 1,
  });
  const run = await runOf({ server: proxiedServer(), policy });
  const seen = new Set<string>();
  run.subscribe(() => seen.add(run.getSnapshot().streamed));
  await run.run();
  const { status, episode, log } = run.getSnapshot();
  expect({ status, reward: episode.outcome.reward }).toEqual({ status: 'finished', reward: 1 });
  expect(seen).toContain('It is ');
  expect(endpoint.requests.map(({ key }) => key)).toEqual(Array(4).fill('Bearer sk-very-secret'));
  for (const target of ['rollscope', 'nemo-gym', 'statelm', 'openai']) {
    expect(findExporter(target)?.write(episode)).not.toContain('very-secret');
  }
  expect(JSON.stringify(log)).not.toContain('very-secret');
  expect(await replayEpisode({ episode }, proxiedServer())).toMatchObject({ status: 'reproduced' });
});

test('a server that goes away in the middle loses no finished step', async () => {
  const own = await hostGym({
    environments: counter ?? [],
    port: 0,
    accessLog: false,
  });
  const server = remoteServer(own.url, proxyTransport(page(), local.token));
  const run = await runOf({ server, policy: scriptedPolicy(counter?.scripts[0]?.emissions ?? []) });
  await run.step();
  await own.close();
  await run.run();
  const { status, error, episode } = run.getSnapshot();
  expect(status).toBe('failed');
  expect(error).toMatch(/cannot be reached/);
  expect(episode.messages.filter(({ role }) => role === 'tool')).toHaveLength(1);
});
