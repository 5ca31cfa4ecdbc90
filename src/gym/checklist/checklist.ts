/** The session checklist: five checks that run against any resources server, each with the exchanges that prove it. */
import { createGymClient, type Exchange, type GymClient } from '../client';
import { at, sameJson, type Json } from '../json';
import type { Transport } from '../transport';
import type { ChecklistProfile, StatefulProfile } from './profile';

export const CHECKS = {
  isolation: 'Sessions are isolated: different cookies, different state',
  persistence: 'State persists across calls, and a new seed replaces it',
  'missing-state': 'A session without state is handled',
  verification: 'Verification uses the state of its own session',
  cleanup: 'Idle sessions are cleaned up',
} as const;

export type CheckId = keyof typeof CHECKS;
export type CheckStatus = 'pass' | 'fail' | 'not-applicable';

export interface CheckResult {
  readonly id: CheckId;
  readonly status: CheckStatus;
  /** What was found, or why it does not apply. */
  readonly detail: string;
  readonly exchanges: readonly Exchange[];
}

export interface ChecklistOptions {
  readonly baseUrl: string;
  readonly transport: Transport;
  readonly profile: ChecklistProfile;
  /** Makes every client forget its cookies: the client's mistake on purpose. */
  readonly dropCookies?: boolean;
  /** The longest wait for the clean-up to be seen, in milliseconds. */
  readonly maxWaitMs?: number;
  readonly timeoutMs?: number;
  /** How to let time pass; a test may only turn a clock. */
  readonly wait?: (ms: number) => Promise<void>;
  readonly onCheck?: (result: CheckResult) => void;
}

/** Thrown by a check that found something; the exchanges so far are its proof. */
class Finding extends Error {
  override readonly name = 'Finding';
}

type Verdict = { readonly status: 'pass' | 'not-applicable'; readonly detail: string };
type NewClient = () => GymClient;

export async function runChecklist(options: ChecklistOptions): Promise<readonly CheckResult[]> {
  const { profile } = options;
  const checks: [CheckId, (client: NewClient) => Promise<Verdict>][] = profile.stateful
    ? [
        ['isolation', (client) => isolation(client, profile)],
        ['persistence', (client) => persistence(client, profile)],
        ['missing-state', (client) => missingState(client, profile)],
        ['verification', (client) => verification(client, profile)],
        ['cleanup', (client) => cleanup(client, profile, options)],
      ]
    : [
        ['isolation', stateless('there is nothing to isolate')],
        ['persistence', stateless('there is nothing to keep')],
        ['missing-state', (client) => worksUnseeded(client, profile.call.path, profile.call.body)],
        ['verification', stateless('its verifier reads the request alone')],
        ['cleanup', stateless('there is nothing to clean up')],
      ];
  const results: CheckResult[] = [];
  for (const [id, check] of checks) {
    const result = await runCheck(id, check, options);
    results.push(result);
    options.onCheck?.(result);
  }
  return results;
}

async function runCheck(
  id: CheckId,
  check: (client: NewClient) => Promise<Verdict>,
  options: ChecklistOptions,
): Promise<CheckResult> {
  const exchanges: Exchange[] = [];
  const newClient = (): GymClient =>
    createGymClient({
      baseUrl: options.baseUrl,
      transport: options.transport,
      dropCookies: options.dropCookies ?? false,
      timeoutMs: options.timeoutMs ?? 10_000,
      onExchange: (exchange) => exchanges.push(exchange),
    });
  try {
    return { id, ...(await check(newClient)), exchanges };
  } catch (error) {
    if (!(error instanceof Finding)) throw error;
    return { id, status: 'fail', detail: error.message, exchanges };
  }
}

function stateless(reason: string): () => Promise<Verdict> {
  return async () => ({ status: 'not-applicable', detail: `The server is stateless: ${reason}.` });
}

/** Each of two sessions changes its state; neither may see the other's change. */
async function isolation(newClient: NewClient, profile: StatefulProfile): Promise<Verdict> {
  const [a, b] = [newClient(), newClient()];
  succeeded(await a.seed(profile.seed));
  succeeded(await b.seed(profile.otherSeed));
  const before = { a: await look(a, profile), b: await look(b, profile) };
  await write(a, profile);
  const seenByB = await look(b, profile);
  if (!sameJson(seenByB, before.b))
    throw new Finding(`One session wrote, and another saw it: ${show(before.b)} became ${show(seenByB)}.`);
  const own = await look(a, profile);
  await write(b, profile);
  const seenByA = await look(a, profile);
  if (!sameJson(seenByA, own))
    throw new Finding(`One session wrote, and another saw it: ${show(own)} became ${show(seenByA)}.`);
  return { status: 'pass', detail: 'Two sessions wrote in turn, and neither saw the other.' };
}

async function persistence(newClient: NewClient, profile: StatefulProfile): Promise<Verdict> {
  const { seen } = profile;
  const busy = newClient();
  succeeded(await busy.seed(profile.seed));
  const writes = Array.from({ length: seen.concurrent.writes }, () => write(busy, profile));
  await Promise.all(writes);
  expectSeen(
    await look(busy, profile),
    seen.concurrent.value,
    `After ${seen.concurrent.writes} writes at the same time`,
  );

  const client = newClient();
  succeeded(await client.seed(profile.seed));
  expectSeen(await look(client, profile), seen.seeded, 'After the seed');
  await write(client, profile);
  expectSeen(await look(client, profile), seen.written, 'After a write');
  expectSeen(await look(client, profile), seen.written, 'When read a second time');
  succeeded(await client.seed(profile.otherSeed));
  expectSeen(
    await look(client, profile),
    seen.otherSeeded,
    'After a second seed, which must replace the first',
  );
  return {
    status: 'pass',
    detail: `Seed, writes and a new seed were kept, and so were ${seen.concurrent.writes} writes at the same time.`,
  };
}

async function missingState(newClient: NewClient, profile: StatefulProfile): Promise<Verdict> {
  const calls = [
    await newClient().post(profile.read.path, profile.read.body),
    await newClient().post(profile.write.path, profile.write.body),
    await newClient().verify(profile.verify.body),
  ];
  for (const { request, response } of calls) {
    if (response.status === 0 || response.status >= 500) {
      throw new Finding(
        `${request.path} in a session that was never seeded: ${response.status || 'no answer'}.`,
      );
    }
  }
  const reward = at(calls[2]?.response.json, 'reward');
  if (reward !== 0)
    throw new Finding(`verify in a session that was never seeded gave reward ${show(reward)}, not 0.`);
  return {
    status: 'pass',
    detail: 'Reading, writing and verifying without a seed worked, and the reward was 0.',
  };
}

async function verification(newClient: NewClient, profile: StatefulProfile): Promise<Verdict> {
  const [a, b] = [newClient(), newClient()];
  succeeded(await a.seed(profile.seed));
  succeeded(await b.seed(profile.otherSeed));
  await write(a, profile);
  const rewards = [await a.verify(profile.verify.body), await b.verify(profile.verify.body)].map((exchange) =>
    at(succeeded(exchange).response.json, 'reward'),
  );
  const [own, other] = rewards;
  if (own !== profile.verify.reward) {
    throw new Finding(`The session that did the work got reward ${show(own)}, not ${profile.verify.reward}.`);
  }
  if (other === profile.verify.reward)
    throw new Finding('A session that did not do the work was rewarded for it.');
  return {
    status: 'pass',
    detail: `The session that did the work got ${show(own)}, the other ${show(other)}.`,
  };
}

async function cleanup(
  newClient: NewClient,
  profile: StatefulProfile,
  options: ChecklistOptions,
): Promise<Verdict> {
  const { maxWaitMs = 15_000, wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms)) } = options;
  const idle = profile.idle ?? (await idleOf(newClient()));
  if (idle === undefined) {
    return {
      status: 'not-applicable',
      detail: 'The server does not say after how long an idle session goes.',
    };
  }
  const ms = (idle.timeout + 2 * idle.interval) * 1000;
  if (ms > maxWaitMs) {
    return {
      status: 'not-applicable',
      detail: `Idle sessions go after ${idle.timeout} s, looked at every ${idle.interval} s: longer than this check waits (${maxWaitMs / 1000} s). Start the server with short timeouts to see it.`,
    };
  }
  const client = newClient();
  succeeded(await client.seed(profile.seed));
  await write(client, profile);
  expectSeen(await look(client, profile), profile.seen.written, 'Before the wait');
  await wait(ms);
  const after = await client.post(profile.read.path, profile.read.body);
  if (after.response.status === 0) throw new Finding('The server no longer answers.');
  if (sameJson(valueAt(after.response.json, profile.read.at), profile.seen.written)) {
    throw new Finding(`After ${ms / 1000} s without a request the state was still there.`);
  }
  return { status: 'pass', detail: `The state was gone after ${ms / 1000} s without a request.` };
}

async function worksUnseeded(
  newClient: NewClient,
  path: string,
  body: { readonly [key: string]: Json },
): Promise<Verdict> {
  succeeded(await newClient().post(path, body));
  return { status: 'pass', detail: 'A call without a seed worked.' };
}

/** Servers that are not ours have no `/metrics`, and say nothing. */
async function idleOf(client: GymClient): Promise<{ timeout: number; interval: number } | undefined> {
  const exchange = await client.get('/metrics');
  const { status, json } = exchange.response;
  if (status === 0 || status >= 500) succeeded(exchange);
  const idle = at(json, 'idle');
  const [timeout, interval] = [at(idle, 'timeout'), at(idle, 'interval')];
  return typeof timeout === 'number' && typeof interval === 'number' ? { timeout, interval } : undefined;
}

async function write(client: GymClient, { write: call }: StatefulProfile): Promise<void> {
  succeeded(await client.post(call.path, call.body));
}

async function look(client: GymClient, { read }: StatefulProfile): Promise<unknown> {
  return valueAt(succeeded(await client.post(read.path, read.body)).response.json, read.at);
}

/** `data.notes` of `{"data": {"notes": []}}` */
function valueAt(json: unknown, path: string): unknown {
  let value = json;
  for (const key of path.split('.')) value = at(value, key);
  return value ?? null;
}

function succeeded(exchange: Exchange): Exchange {
  const { request, response } = exchange;
  if (!response.ok) {
    const why = 'error' in response ? `did not answer (${response.error})` : `answered ${response.status}`;
    throw new Finding(`${request.path} ${why}.`);
  }
  return exchange;
}

function expectSeen(seen: unknown, expected: Json, when: string): void {
  if (!sameJson(seen, expected))
    throw new Finding(`${when}: expected ${show(expected)}, found ${show(seen)}.`);
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 120 ? `${text.slice(0, 120)}...` : text;
}
