import { describe, expect, it } from 'vitest';
import { callPart, episodeOf, messageOf } from '../../../model/episode.fixtures';
import { stubOf } from '../../../model';
import { estimated } from '../measure';
import { answeredBy, callJson, fateOf, ghostWords, goneWords, gutterWords } from './words';

const long = messageOf(4, 'environment', {
  bornAtStep: 1,
  parts: [{ kind: 'text', text: 'x'.repeat(12_345) }],
  toolResultFor: ['a', 'nowhere'],
});
const caller = messageOf(3, 'policy', { bornAtStep: 1, parts: [callPart('a', 'read'), callPart('b')] });
const measure = estimated(episodeOf({ tokenIds: 'characters' }));
const edit = { step: 4, kind: 'delete', msgIds: [4], by: 7 } as const;

describe('the words around a message', () => {
  it('name role, id and size', () => {
    expect(gutterWords(long, 'verbatim', measure)).toMatchObject({
      role: 'tool',
      facts: 'id 4 · 12.3k tok',
    });
    expect(gutterWords({ ...long, roleLabel: 'ipython' }, 'verbatim', measure).role).toBe('ipython');
  });

  it('measure a stub by what it says', () => {
    const { content } = stubOf(long);
    const size = typeof content === 'string' ? content.length : 0;
    expect(size).toBeGreaterThan(0);
    expect(gutterWords(long, 'stub', measure).facts).toBe(`id 4 · ${size} tok`);
    expect(measure.stub(caller)).toBeGreaterThan(size);
  });

  it('tell who took it, when, and what that freed', () => {
    const freed = (12_345 - measure.stub(long)).toLocaleString('en-US');
    expect(ghostWords({ ...edit, msgIds: [4] }, [long], measure)).toBe(
      `deleted by message 7 at step 4 · ${freed} tokens freed`,
    );
    expect(
      ghostWords({ ...edit, msgIds: [3] }, [messageOf(1, 'policy', { bornAtStep: 0 })], measure),
    ).toContain('nothing freed');
    expect(
      goneWords({ step: 5, kind: 'compact', msgIds: [3, 4], summary: 9 }, [caller, long], measure),
    ).toMatch(/^2 messages compacted at step 5 · [\d,]+ tokens freed · summed up in message 9$/);
  });

  it('connect calls and results', () => {
    const gaps = [{ about: 'results', reason: 'The file keeps no results.' } as const];
    const episode = episodeOf({ messages: [caller, long], gaps });
    const [a, b] = caller.parts.flatMap((part) => (part.kind === 'call' ? [part.call] : []));
    expect(a && fateOf(episode, a)).toEqual({ kind: 'answered', by: [long] });
    expect(b && fateOf(episode, b)).toEqual({ kind: 'unanswered', why: 'The file keeps no results.' });
    expect(answeredBy(episode, long)).toEqual({
      calls: [{ name: 'read', msgId: 3, callId: 'a' }],
      unknown: ['nowhere'],
    });
  });

  it('write a call so that it can be pasted', () => {
    const call = { callId: 'c', name: 'f"', arguments: '{"a": 1.0}' };
    expect(callJson(call, true)).toBe('{"name": "f\\"", "arguments": {"a": 1.0}}');
    expect(callJson({ ...call, arguments: 'not json' }, false)).toBe(
      '{"name": "f\\"", "arguments": "not json"}',
    );
  });
});
