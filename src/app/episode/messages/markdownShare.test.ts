import { expect, it } from 'vitest';
import type { Part } from '../../../model';
import { CHARACTERS } from '../fold';
import { markdownParts, SHARE } from './markdownShare';

const text = (length: number): Part => ({ kind: 'text', text: 'x'.repeat(length) });

it('draws the first parts of a message as Markdown, each counted as it is folded', () => {
  expect(markdownParts([text(5), text(5)])).toBe(2);
  expect(markdownParts([text(1_000_000), text(5)])).toBe(2);
  expect(markdownParts(Array.from({ length: 100 }, () => text(1_000_000)))).toBe(SHARE / CHARACTERS);
});
