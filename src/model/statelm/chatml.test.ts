import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readChatml } from './chatml';

describe('readChatml', () => {
  it('reads turns, emissions without an end mark, and the cue for the next one', () => {
    expect(
      readChatml(
        '<|im_start|>user\nHi\nthere<|im_end|>\n<|im_start|>assistant\nlook<|im_start|>tool\n{}<|im_end|>\n<|im_start|>assistant\n',
      ),
    ).toEqual([
      { role: 'user', content: 'Hi\nthere', calls: [] },
      { role: 'assistant', content: 'look', calls: [] },
      { role: 'tool', content: '{}', calls: [] },
    ]);
  });

  it('takes calls out of what was said, in either way of writing them', () => {
    const calls = [
      { name: 'f', arguments: '{"a": 1.0}' },
      { name: 'g', arguments: '{}' },
    ];
    const tagged =
      'so<tool_call>\n{"name":"f","arguments":{"a":1.0}}\n</tool_call>\n<tool_call>{"name": "g", "arguments": {}}</tool_call>';
    const listed =
      'so{"id": "1", "type": "function", "function": {"name": "f", "arguments": "{\\"a\\": 1.0}"}}{"id": "2", "type": "function", "function": {"name": "g", "arguments": "{}"}}';
    expect(readChatml(`<|im_start|>assistant\n${tagged}<|im_end|>`)).toMatchObject([
      { content: expect.stringMatching(/^so\s*$/), calls },
    ]);
    expect(readChatml(`<|im_start|>assistant\n${listed}<|im_end|>`)).toEqual([
      { role: 'assistant', content: 'so', calls },
    ]);
  });

  it('reads results that a template wraps into a user turn', () => {
    expect(
      readChatml(
        '<|im_start|>user\n<tool_response>\n{}\n</tool_response>\n<tool_response>\nno\n</tool_response><|im_end|>\n',
      ),
    ).toEqual([
      { role: 'tool', content: '{}', calls: [] },
      { role: 'tool', content: 'no', calls: [] },
    ]);
  });

  it('is not fooled by what a person says about it', () => {
    expect(
      readChatml('<|im_start|>user\nuse <tool_response>\nx\n</tool_response> please<|im_end|>'),
    ).toMatchObject([{ role: 'user' }]);
    expect(readChatml('just text')).toBeUndefined();
    expect(readChatml('before <|im_start|>user\nx')).toBeUndefined();
  });

  it('reads anything in time that grows with its length', () => {
    const marks = fc.constantFrom(
      '<|im_start|>',
      '<|im_end|>',
      '\n',
      'assistant',
      '<tool_call>',
      '</tool_call>',
      '{"id": ',
      '}',
      'x',
    );
    fc.assert(
      fc.property(fc.array(marks, { maxLength: 60 }), (pieces) => {
        readChatml(`<|im_start|>${pieces.join('')}`);
      }),
    );
    expect(readChatml(`<|im_start|>assistant\n${'{"id": '.repeat(200_000)}`)).toHaveLength(1);
    expect(readChatml(`<|im_start|>assistant\n${'<tool_call>'.repeat(200_000)}`)).toHaveLength(1);
  });
});
