import { describe, expect, it } from 'vitest';
import type { Episode } from '../episode';
import { episodeOf, messageOf } from '../episode.fixtures';
import type { Exchange } from '../exchange';
import { sessionShared, sessionsOf } from './session';
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
    finds: ['The seed set initial_count to 3, and the state has count 0 @0'],
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

const used = (...sessions: string[]) =>
  sessionsOf(served(sessions.map((session, step) => cookie('call', step, session))));

describe('session-shared', () => {
  it('is about each session once, where it first answered', () => {
    expect(used('bbb', 'aaa', 'bbb')).toEqual([
      { session: 'bbb', step: 0 },
      { session: 'aaa', step: 1 },
    ]);
    expect(sessionsOf(served([exchange('call', 0)]))).toEqual([]);
  });
  it('names the other episode, and stands at the step', () => {
    const [finding] = used('aaa').map((session) => sessionShared(session, 'episode 3'));
    expect(finding).toMatchObject({
      rule: 'session-shared',
      message: 'Session aaa was used by episode 3, too',
      step: 0,
    });
  });
});
