import { describe, expect, it } from 'vitest';
import { STUB_TEXT } from '../chat';
import type { Episode, Message, StatelmTraits } from '../episode';
import { callPart, episodeOf, messageOf } from '../episode.fixtures';
import { seenAs, seenDiff } from '../seen';
import { editsFrom } from './deletes';
import { noteEditsFrom } from './notes';

/** Asks, reads (1, 2), notes (3, 4), deletes message 2 (5, 6), and answers (7). */
function messages(): Message[] {
  return [
    messageOf(-1, 'prompt', { bornAtStep: -1, role: 'system', parts: [text('Be brief.')] }),
    messageOf(0, 'prompt', { bornAtStep: -1, parts: [text('Who?')] }),
    messageOf(1, 'policy', {
      bornAtStep: 0,
      parts: [text(' look\n'), callPart('a', 'readChunk', '{"chunk_id": 1}')],
    }),
    result(2, 1, 'readChunk', 'a', '{"text":"...","reading_progress":"1/3"}'),
    messageOf(3, 'policy', { bornAtStep: 1, parts: [callPart('b', 'note', '{"key": "k", "summary": "s"}')] }),
    result(4, 3, 'note', 'b', '{"status": "success", "key": "k"}'),
    messageOf(5, 'policy', {
      bornAtStep: 2,
      parts: [text('drop'), callPart('c', 'deleteContext', '{"message_ids": [1, 2]}')],
    }),
    result(6, 5, 'deleteContext', 'c', 'Successfully deleted 2 message(s) from context.'),
    messageOf(7, 'policy', { bornAtStep: 3, parts: [text('done')] }),
  ];
}

function text(value: string): { kind: 'text'; text: string } {
  return { kind: 'text', text: value };
}

function result(
  msgId: number,
  invokedBy: number,
  toolName: string,
  callId: string,
  content: string,
): Message {
  const bornAtStep = (msgId - 2) / 2;
  return messageOf(msgId, 'environment', {
    bornAtStep,
    invokedBy,
    toolName,
    toolResultFor: [callId],
    parts: [text(content)],
  });
}

function run(traits: StatelmTraits): Episode {
  const history = messages();
  return episodeOf({
    messages: history,
    edits: editsFrom(history),
    notes: noteEditsFrom(history, traits.dialect),
    statelm: traits,
  });
}

const contents = (episode: Episode, step: number) => seenAs(episode, step).map(({ content }) => content);
const block = (lines: string) => `\n\n<external_memory>\n## Available Notes\n${lines}\n</external_memory>`;
const stubbed = `{"msg_id": 2, "msg_id(invoking_assistant)": 1, "status": "success", "message": "${STUB_TEXT}", "original_tool": "readChunk", "reading_progress": "1/3"}`;

describe('the rl dialect', () => {
  const episode = run({ dialect: 'rl' });

  it('appends until an edit, and then renders everything anew', () => {
    expect(contents(episode, 2)).toEqual([
      'Be brief.',
      `Who?${block('No notes recorded.')}`,
      ' look\n',
      '{"text":"...","reading_progress":"1/3"}',
      '',
      '{"status": "success", "key": "k"}',
    ]);
    expect(contents(episode, 3)).toEqual([
      'Be brief.',
      `Who?${block('- **k**: s')}`,
      STUB_TEXT,
      stubbed,
      '',
      '{"status": "success", "key": "k", "msg_id": 4, "msg_id(invoking_assistant)": 3}',
      'drop',
      '{"message": "Successfully deleted 2 message(s) from context.", "msg_id": 6, "msg_id(invoking_assistant)": 5}',
    ]);
  });

  it('gives tool messages no call id, and a stubbed call its id and name', () => {
    const view = seenAs(episode, 3);
    expect(view.every((message) => !('tool_call_id' in message))).toBe(true);
    expect(view[2]?.tool_calls).toEqual([
      {
        id: 'a',
        type: 'function',
        function: { name: 'readChunk', arguments: `{"message": "${STUB_TEXT}"}` },
      },
    ]);
  });

  it('tells what changed without being edited: the notes block, and results that got their ids', () => {
    expect(seenDiff(episode, 2, 3)).toEqual({ added: [5, 6], stubbed: [1, 2], removed: [], changed: [0, 4] });
    expect(seenDiff(episode, 1, 2).changed).toEqual([]);
    expect(seenDiff(run({ dialect: 'inference' }), 1, 2).changed).toEqual([0]);
  });

  it('leaves the result of the edit bare where the loop appends it after the render', () => {
    expect(contents(run({ dialect: 'rl', toolResults: 'returned-from-edit' }), 3).at(-1)).toBe(
      'Successfully deleted 2 message(s) from context.',
    );
  });

  it('writes ids into results at once where the loop does', () => {
    const rendered = contents(run({ dialect: 'rl', toolResults: 'rendered' }), 2);
    expect(rendered[3]).toBe(
      '{"text": "...", "reading_progress": "1/3", "msg_id": 2, "msg_id(invoking_assistant)": 1}',
    );
    // And yet the notes are those of the last render.
    expect(rendered[1]).toBe(`Who?${block('No notes recorded.')}`);
  });
});

describe('the inference dialect', () => {
  it('renders every call anew, an empty text as null, and names the call', () => {
    const view = seenAs(run({ dialect: 'inference' }), 2);
    expect(view.map(({ content }) => content)).toEqual([
      'Be brief.',
      `Who?${block('- **k**: s')}`,
      'look',
      '{"text": "...", "reading_progress": "1/3", "msg_id": 2, "msg_id(invoking_assistant)": 1}',
      null,
      '{"status": "success", "key": "k", "msg_id": 4, "msg_id(invoking_assistant)": 3}',
    ]);
    expect(view[3]?.tool_call_id).toBe('a');
  });

  it('keeps the text of a deleted message that has calls, if told so', () => {
    const view = seenAs(run({ dialect: 'inference', keepsDeletedText: true }), 3);
    expect(view[2]?.content).toBe('look');
    expect(view[2]?.tool_calls?.[0]?.function.arguments).toBe(`{"message": "${STUB_TEXT}"}`);
    expect(view[3]?.content).toBe(stubbed);
  });
});

describe('an id that is deleted before its message exists', () => {
  it('is a stub from the first edit after its birth, and not before', () => {
    const ask = (step: number, id: number, ids: string): Message[] => [
      messageOf(id, 'policy', {
        bornAtStep: step,
        parts: [callPart(`d${step}`, 'deleteContext', `{"message_ids": ${ids}}`)],
      }),
      messageOf(id + 1, 'environment', {
        bornAtStep: step,
        invokedBy: id,
        toolResultFor: [`d${step}`],
        parts: [text('Successfully deleted 1 message(s) from context.')],
      }),
    ];
    const history = [
      messageOf(0, 'prompt', { bornAtStep: -1, parts: [text('Who?')] }),
      ...ask(0, 1, '[3]'),
      messageOf(3, 'policy', { bornAtStep: 1, parts: [text('here')] }),
      ...ask(2, 4, '[]'),
      messageOf(6, 'policy', { bornAtStep: 3 }),
    ];
    const episode = episodeOf({ messages: history, edits: editsFrom(history), statelm: { dialect: 'rl' } });
    expect(episode.edits.map(({ step, msgIds }) => ({ step, msgIds }))).toEqual([
      { step: 0, msgIds: [3] },
      { step: 2, msgIds: [3] },
    ]);
    expect(contents(episode, 2)[3]).toBe('here');
    expect(contents(episode, 3)[3]).toBe(STUB_TEXT);
  });
});
