import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chatMessage, chatOf, STUB_TEXT } from './chat';
import { callPart, episodeOf, episodes, messageOf } from './episode.fixtures';
import { messageText } from './text';
import { viewAt } from './view';

describe('chatOf', () => {
  it('holds what the model saw, in order, and nothing of what was deleted or removed', () => {
    fc.assert(
      fc.property(episodes(), fc.nat(6), (episode, step) => {
        const view = viewAt(episode, step);
        const seen = view.filter(({ state }) => state !== 'removed');
        const chat = chatOf(view);
        expect(chat.length).toBe(seen.length);
        const written = JSON.stringify(chat);
        for (const { state, message } of view) {
          const own = message.parts.filter(({ kind }) => kind === 'text' || kind === 'reasoning');
          for (const part of own) {
            expect(written.includes(messageText({ parts: [part] }))).toBe(state === 'verbatim');
          }
        }
        seen.forEach(({ state, message }, index) => {
          if (state === 'verbatim') expect(chat[index]).toEqual(chatMessage(message));
          else expect(chat[index]?.content).toBe(STUB_TEXT);
        });
      }),
    );
  });

  it('leaves a deleted assistant its calls, without their arguments, for the results that answer them', () => {
    const messages = [
      messageOf(0, 'policy', {
        bornAtStep: 0,
        parts: [{ kind: 'text', text: 'secret' }, callPart('a', 'read', '{"page":9}')],
      }),
      messageOf(1, 'environment', { bornAtStep: 0, toolResultFor: ['a'] }),
    ];
    const episode = episodeOf({ messages, edits: [{ step: 0, kind: 'delete', msgIds: [0, 1] }] });
    expect(chatOf(viewAt(episode, 1))).toEqual([
      {
        role: 'assistant',
        content: STUB_TEXT,
        tool_calls: [
          { id: 'a', type: 'function', function: { name: 'read', arguments: `{"message":"${STUB_TEXT}"}` } },
        ],
      },
      { role: 'tool', content: STUB_TEXT, tool_call_id: 'a' },
    ]);
  });
});

describe('chatMessage', () => {
  it('tells text, reasoning, images and calls apart', () => {
    const message = messageOf(0, 'policy', {
      bornAtStep: 0,
      parts: [
        { kind: 'reasoning', text: 'think', form: 'full' },
        { kind: 'sealed', bytes: 9 },
        { kind: 'text', text: 'look' },
        { kind: 'image', url: 'data:image/png;base64,AA==' },
        callPart('a', 'click', '{"x":1}'),
      ],
    });
    expect(chatMessage(message)).toEqual({
      role: 'assistant',
      reasoning_content: 'think',
      content: [
        { type: 'text', text: 'look' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } },
      ],
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'click', arguments: '{"x":1}' } }],
    });
  });

  it('has no content where the assistant only called', () => {
    expect(chatMessage(messageOf(0, 'policy', { bornAtStep: 0, parts: [callPart('a')] })).content).toBeNull();
  });

  it('puts inline thoughts back where they stood', () => {
    const text = 'a\n<think>hm</think>b';
    const [before, thought, after] = ['a\n', '<think>hm</think>', 'b'];
    const message = messageOf(0, 'policy', {
      bornAtStep: 0,
      parts: [
        { kind: 'text', text: before },
        { kind: 'reasoning', form: 'inline', text: thought },
        { kind: 'text', text: after },
        callPart('a'),
      ],
    });
    expect(chatMessage(message).content).toBe(text);
    expect(chatMessage(message)).not.toHaveProperty('reasoning_content');
  });

  it('keeps thoughts given apart out of the text, and texts of their own on lines of their own', () => {
    const message = messageOf(0, 'policy', {
      bornAtStep: 0,
      parts: [
        { kind: 'reasoning', form: 'full', text: 'apart' },
        { kind: 'text', text: 'one' },
        { kind: 'text', text: 'two' },
        { kind: 'reasoning', form: 'inline', text: '<think>cut off' },
      ],
    });
    expect(chatMessage(message)).toMatchObject({
      content: 'one\ntwo<think>cut off',
      reasoning_content: 'apart',
    });
  });
});
