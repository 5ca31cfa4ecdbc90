import { describe, expect, it } from 'vitest';
import type { Episode } from '../episode';
import { episodeOf, messageOf } from '../episode.fixtures';
import type { Exchange } from '../exchange';
import { lintAcross } from './session';
import { specify } from './lint.fixtures';

function exchange(purpose: Exchange['purpose'], step: number, given: Partial<Exchange> = {}): Exchange {
  return {
    step,
    purpose,
    request: { method: 'POST', url: `http://localhost/${purpose}`, headers: [] },
    response: { status: 200, headers: [], setCookies: [], body: '{}' },
    ...given,
  };
}

function served(exchanges: Exchange[], given: Partial<Episode> = {}): Episode {
  const messages = [0, 1].map((step) => messageOf(step, 'policy', { bornAtStep: step }));
  return episodeOf({ messages, exchanges, ...given });
}

const first = (session: string): Exchange => {
  const seed = exchange('seed', -1, { session });
  return { ...seed, response: { status: 200, headers: [], setCookies: ['s=1'], body: '{}' } };
};
const cookie = (purpose: Exchange['purpose'], step: number, session: string): Exchange => {
  const sent = exchange(purpose, step, { session });
  return { ...sent, request: { ...sent.request, cookie: 's=1' } };
};

specify('session-changed', [
  {
    what: 'a cookie that was lost on the way',
    episode: served([first('aaa'), cookie('call', 0, 'aaa'), exchange('call', 1, { session: 'bbb' })]),
    finds: [
      'Exchange 3 (/call) carried no cookie, though exchange 1 (/seed) had been given one: the client lost it, and the server began a new session. (aaa → bbb) @1',
    ],
  },
  {
    what: 'one session to the end',
    episode: served([first('aaa'), cookie('call', 0, 'aaa'), cookie('verify', 1, 'aaa')]),
    finds: [],
  },
]);

const seeded = (body: string, value: unknown): Episode => {
  const seed = first('aaa');
  return served([{ ...seed, request: { ...seed.request, body } }], { states: [{ step: -1, value }] });
};

specify('seed-not-kept', [
  {
    what: 'a counter that starts elsewhere',
    episode: seeded('{"initial_count": 3}', { count: 0 }),
    finds: ['The seed set initial_count to 3, and the state has count 0'],
  },
  {
    what: 'a counter that starts as asked',
    episode: seeded('{"initial_count": 3}', { count: 3 }),
    finds: [],
  },
  {
    what: 'a seed that the state has no such place for',
    episode: seeded('{"initial_value": 3, "expected": 5}', { register: 0 }),
    finds: [],
  },
  { what: 'a seed that is no JSON', episode: seeded('count=3', { count: 0 }), finds: [] },
]);

specify('verify-in-other-session', [
  {
    what: 'a verifier without the cookie',
    episode: served([cookie('call', 0, 'aaa'), exchange('verify', 1, { session: 'bbb' })]),
    finds: ['Verified in session bbb, while the tools ran in aaa @1'],
  },
  {
    what: 'a verifier in the session of the tools',
    episode: served([cookie('call', 0, 'aaa'), cookie('verify', 1, 'aaa')]),
    finds: [],
  },
  {
    what: 'a server that does not say which session it answered for',
    episode: served([exchange('call', 0), exchange('verify', 1)]),
    finds: [],
  },
]);

const look = (...sessions: string[][]) => {
  const across = lintAcross();
  return sessions.flatMap((own, index) =>
    across(served(own.map((session) => cookie('call', 0, session))), `episode ${index}`).map(
      ({ message, step }) => `${message} @${step}`,
    ),
  );
};

describe('session-shared', () => {
  it('reports: two episodes of one session', () => {
    expect(look(['aaa'], ['bbb', 'aaa', 'aaa'])).toEqual(['Session aaa was used by episode 0, too @0']);
  });
  it('lets pass: one episode that uses its session often', () => {
    expect(look(['aaa', 'aaa'], ['bbb'])).toEqual([]);
  });
});
