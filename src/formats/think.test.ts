import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { partText } from '../model';
import { splitThoughts } from './think';

/** `r` for reasoning, `t` for text. */
function shown(text: string): string[] {
  return splitThoughts(text).map((part) => `${part.kind === 'reasoning' ? 'r' : 't'}:${partText(part)}`);
}

test.each([
  ['4', ['t:4']],
  ['', ['t:']],
  ['<think>hm</think>4', ['r:<think>hm</think>', 't:4']],
  ['\n<think>hm</think>', ['r:\n<think>hm</think>']],
  ['hm</think>4', ['r:hm</think>', 't:4']],
  ['<think>cut o', ['r:<think>cut o']],
  ['<think>a</think>b\n<think>c</think>d', ['r:<think>a</think>', 't:b\n', 'r:<think>c</think>', 't:d']],
  ['</think><think>cut', ['r:</think>', 'r:<think>cut']],
  ['Write it in <think> tags.', ['t:Write it in <think> tags.']],
  ['Write <think>this</think> down.', ['t:Write <think>this</think> down.']],
  ['First.\n<think> is a tag.', ['t:First.\n<think> is a tag.']],
])('%j', (text, parts) => {
  expect(shown(text)).toEqual(parts);
});

test('the parts put together are the text', () => {
  const piece = fc.constantFrom('<think>', '</think>', '\n', ' ', 'a', '<', 'think>');
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const text = pieces.join('');
      expect(splitThoughts(text).map(partText).join('')).toBe(text);
    }),
  );
});
