import { describe, expect, it } from 'vitest';
import { directTransport, environmentNamed } from '../../gym';
import { endpointsOf } from './endpoints';
import { inLatin1, mergedCookies, send, sessionIdIn } from './send';
import { createTabServer } from './server';

const counter = environmentNamed('stateful_counter');
if (counter === undefined) throw new Error('There is no counter.');
const server = createTabServer({ store: 'memory' });
server.stop();
const host = {
  baseUrl: 'http://tab.test',
  transport: directTransport((request) => server.fetch(request)),
  without: undefined,
  close: async () => undefined,
};

async function ask(name: string, body: string, cookie: string) {
  const endpoint = endpointsOf(counter ?? fail()).find((one) => one.name === name) ?? fail();
  return send({ server, host, environment: counter ?? fail(), endpoint, body, cookie });
}
function fail(): never {
  throw new Error('not there');
}

describe('send', () => {
  it('keeps the session in the cookie and shows what a request changed', async () => {
    const seeded = await ask('seed_session', '{"initial_count": 3}', '');
    expect([seeded.isNew, seeded.before, seeded.after]).toEqual([true, undefined, { count: 3 }]);
    const added = await ask('increment_counter', '{"count": 2}', seeded.cookie);
    expect([added.isNew, added.before, added.after]).toEqual([false, { count: 3 }, { count: 5 }]);
    expect(added.sessionId).toBe(seeded.sessionId);
    expect(added.instance).toBe(1);
  });

  it('sends broken JSON and forged cookies as they are', async () => {
    const seeded = await ask('seed_session', '{"initial_count": 3}', '');
    const broken = await ask('increment_counter', '{"count": ', seeded.cookie);
    expect([broken.exchange.response.status, broken.after]).toEqual([400, { count: 3 }]);
    const forged = await ask('get_counter_value', '{}', seeded.cookie.replace(/.$/, '!'));
    expect(forged.isNew).toBe(true);
    expect(forged.exchange.response.json).toEqual({ count: 0 });
  });
});

it('replaces a cookie by its name', () => {
  expect(mergedCookies('a=1; b=2', ['b=3'])).toBe('a=1; b=3');
  expect(mergedCookies('', ['b=3'])).toBe('b=3');
});

it('finds the id before the signature', () => {
  const cookie = 'x=y; StatefulCounterResourcesServer___stateful_counter=abc.def';
  expect(sessionIdIn(cookie, counter)).toBe('abc');
  expect(sessionIdIn('other=abc.def', counter)).toBeUndefined();
  const assistant = environmentNamed('per_user_assistant');
  expect(assistant && sessionIdIn('nat-session=a.b', assistant)).toBe('a.b');
});

describe('inLatin1', () => {
  it('leaves what a header can hold, and sends the bytes of the rest', () => {
    expect(inLatin1('nat-session=Jos\u00e9')).toBe('nat-session=Jos\u00e9');
    expect(Buffer.from(inLatin1('nat-session=\u674e'), 'latin1').toString()).toBe('nat-session=\u674e');
    expect(inLatin1(inLatin1('\u674e'))).toBe(inLatin1('\u674e'));
  });
});
