import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seenMessages } from '../../../model';
import { callPart, episodeOf, messageOf } from '../../../model/episode.fixtures';
import { seenText, textChange, withoutReasoning } from './seen';

const episode = episodeOf({
  statelm: { dialect: 'inference' },
  messages: [
    messageOf(0, 'prompt', { bornAtStep: -1, parts: [{ kind: 'text', text: 'Who?' }] }),
    messageOf(1, 'policy', {
      bornAtStep: 0,
      parts: [
        { kind: 'reasoning', text: 'Hm.', form: 'full' },
        { kind: 'text', text: ' I read.\n' },
        callPart('a'),
      ],
    }),
    messageOf(2, 'environment', {
      bornAtStep: 0,
      parts: [{ kind: 'text', text: '{"status": "success"}' }],
      toolResultFor: ['a'],
    }),
    messageOf(3, 'policy', { bornAtStep: 1 }),
  ],
});

describe('seenText', () => {
  it('tells what the loop made of a message', () => {
    const told = seenMessages(episode, 1).map(({ message, chat }) => seenText(message, chat));
    expect(told).toEqual([
      { kind: 'extended', added: expect.stringMatching(/^\n\n<external_memory>/) },
      { kind: 'same' },
      { kind: 'rewritten', text: '{"status": "success", "msg_id": 2}' },
    ]);
  });

  it('knows that the thoughts of earlier turns are not sent again', () => {
    const [, emitted] = seenMessages(episode, 1);
    expect(emitted && withoutReasoning(emitted.message, emitted.chat)).toBe(true);
    expect(emitted && withoutReasoning(emitted.message, { ...emitted.chat, reasoning_content: 'Hm.' })).toBe(
      false,
    );
  });
});

describe('textChange', () => {
  it('takes both texts apart so that they can be put together again', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ') });
    fc.assert(
      fc.property(text, text, (before, after) => {
        const { lead, removed, added, tail } = textChange(before, after);
        expect(lead + removed + tail).toBe(before);
        expect(lead + added + tail).toBe(after);
        if (before === after) expect(removed + added).toBe('');
      }),
    );
  });

  it('finds the one place that changed', () => {
    expect(textChange('notes: none.', 'notes: two.')).toEqual({
      lead: 'notes: ',
      removed: 'none',
      added: 'two',
      tail: '.',
    });
  });
});
