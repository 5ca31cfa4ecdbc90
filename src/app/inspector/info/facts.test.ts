import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Gap, Message } from '../../../model';
import {
  callCount,
  editText,
  freedText,
  gapsBySubject,
  messageList,
  metricsNamed,
  parametersText,
  rewardParts,
  toolUse,
} from './facts';

const calling = (...names: string[]): Message => ({
  msgId: 1,
  role: 'assistant',
  origin: 'policy',
  parts: names.map((name, index) => ({
    kind: 'call',
    call: { callId: String(index), name, arguments: '{}' },
  })),
  bornAtStep: 0,
  raw: [],
});

describe('components of the reward', () => {
  it('say whether they add up to it, however decimals round', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: -10, max: 10, noNaN: true }), { minLength: 1 }), (parts) => {
        const components = Object.fromEntries(parts.map((value, index) => [`part ${index}`, value]));
        // In another order the sum differs in its last digits.
        const reward = parts.toReversed().reduce((sum, value) => sum + value, 0);
        expect(rewardParts({ reward, components }).isReward).toBe(true);
        expect(rewardParts({ reward: reward + 0.01, components }).isReward).toBe(false);
      }),
    );
  });

  it('have nothing to agree with where there is no reward', () => {
    expect(rewardParts({ components: { a: 1 } }).isReward).toBeUndefined();
  });
});

describe('tools', () => {
  it('are counted by the calls, and those not offered are told apart', () => {
    const messages = [calling('read', 'read', 'shell'), calling('read')];
    const tools = toolUse({ tools: [{ name: 'note' }, { name: 'read' }], messages });
    expect(tools.map(({ name, calls, offered }) => [name, calls, offered])).toEqual([
      ['read', 3, true],
      ['note', 0, true],
      ['shell', 1, false],
    ]);
    expect(callCount({ messages })).toBe(4);
  });

  it('show parameters of any depth', () => {
    let deep: unknown = 1;
    for (let depth = 0; depth < 100_000; depth += 1) deep = [deep];
    expect(parametersText(deep)).toContain('Raw');
    expect(parametersText({ type: 'object' })).toBe('{\n  "type": "object"\n}');
  });
});

describe('context edits', () => {
  it('are told in words', () => {
    expect(editText({ step: 4, kind: 'delete', msgIds: [4], by: 7 })).toBe('message 7 deleted message 4');
    expect(editText({ step: 9, kind: 'compact', msgIds: [2, 3, 5, 6, 8], summary: 14 })).toBe(
      'compacted messages 2, 3, 5 and 2 more into message 14',
    );
    expect(messageList([8, 9])).toBe('messages 8 and 9');
    expect(messageList([])).toBe('no message');
  });

  it('say what they freed where the source does', () => {
    expect(freedText({ step: 1, kind: 'delete', msgIds: [1], tokensBefore: 3000, tokensAfter: 1116 })).toBe(
      '1,884 tokens freed',
    );
    expect(freedText({ step: 1, kind: 'delete', msgIds: [1] })).toBeUndefined();
  });
});

describe('gaps', () => {
  it('stand by their subject, those of the whole episode first, and none is lost', () => {
    const gaps: Gap[] = [
      { about: 'results', reason: 'one', step: 1 },
      { about: 'tokens', reason: 'two' },
      { about: 'results', reason: 'three' },
    ];
    expect(
      gapsBySubject(gaps).map(({ about, gaps: found }) => [about, found.map(({ reason }) => reason)]),
    ).toEqual([
      ['results', ['three', 'one']],
      ['tokens', ['two']],
    ]);
  });
});

describe('metrics', () => {
  it('are found by name and by text, in the order of the source', () => {
    const metrics = { total_tokens: 3, judge: 'Said YES', correct: true };
    expect(metricsNamed(metrics, 'yes').map(([name]) => name)).toEqual(['judge']);
    expect(metricsNamed(metrics, 'TOKENS ').map(([name]) => name)).toEqual(['total_tokens']);
    expect(metricsNamed(metrics, '').length).toBe(3);
  });
});
