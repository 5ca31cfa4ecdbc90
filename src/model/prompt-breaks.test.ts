import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ContextEdit, Episode } from './episode';
import { episodeOf, messageOf } from './episode.fixtures';
import { aroundBreak, promptBreaks } from './prompt-breaks';

interface Call {
  prompt: number[];
  emitted: number[];
}

function calling(calls: Call[], given: Partial<Episode> = {}): Episode {
  return episodeOf({
    messages: calls.map((_, step) => messageOf(step, 'policy', { bornAtStep: step })),
    steps: calls.map(({ prompt, emitted }, index) => ({
      index,
      tokens: { promptIds: Int32Array.from(prompt), generationIds: Int32Array.from(emitted) },
    })),
    ...given,
  });
}

const ids = fc.array(fc.nat(3), { maxLength: 8 });

describe('prompt breaks', () => {
  it('are where a prompt leaves the context before it, found by comparing them whole', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ prompt: ids, emitted: ids }), { maxLength: 4 }), (calls) => {
        const naive = calls.flatMap(({ prompt }, step) => {
          const before = calls[step - 1];
          if (before === undefined) return [];
          const context = [...before.prompt, ...before.emitted];
          const at = context.findIndex((id, index) => prompt[index] !== id);
          return at < 0 ? [] : [{ step, at, was: context[at], is: prompt[at], edited: false }];
        });
        const episode = calling(calls);
        expect(promptBreaks(episode)).toEqual(naive);
        for (const found of promptBreaks(episode)) {
          const { lead, was, is } = aroundBreak(episode, found, 3);
          expect(was[0]).toBe(found.was);
          expect(is[0]).toBe(found.is);
          expect(lead.length).toBe(Math.min(found.at, 3));
        }
      }),
    );
  });

  it('are explained by an edit between the calls, and only there', () => {
    const calls = [
      { prompt: [1], emitted: [2] },
      { prompt: [1, 9], emitted: [3] },
      { prompt: [1, 8], emitted: [] },
    ];
    const edits: ContextEdit[] = [{ step: 0, kind: 'delete', msgIds: [0] }];
    expect(promptBreaks(calling(calls, { edits })).map(({ edited }) => edited)).toEqual([true, false]);
  });

  it('are not looked for between branches', () => {
    const calls = [
      { prompt: [1], emitted: [2] },
      { prompt: [5], emitted: [3] },
    ];
    const messages = [
      messageOf(0, 'policy', { bornAtStep: 0 }),
      messageOf(1, 'policy', { bornAtStep: 1, follows: null }),
    ];
    expect(promptBreaks(calling(calls, { messages }))).toEqual([]);
    expect(promptBreaks(calling(calls))).toHaveLength(1);
  });
});
