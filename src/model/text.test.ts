import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { episodeMarkdown } from './markdown';
import { episodeOf, messageOf } from './episode.fixtures';
import { beginning, excerpt, messageSize, partText } from './text';

describe('partText', () => {
  it('writes out what the importer did not know', () => {
    expect(partText({ kind: 'unknown', type: 'web_search_call', value: { query: 'x' } })).toBe(
      '{"query":"x"}',
    );
    expect(partText({ kind: 'unknown', type: 'odd', value: undefined })).toBe('');
  });

  it('survives a value nested 100,000 deep', () => {
    const value: unknown = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000));
    const part = { kind: 'unknown', type: 'deep', value } as const;
    expect(partText(part)).toContain('nested too deeply');
    expect(messageSize({ parts: [part] })).toBeGreaterThan(0);
    const message = messageOf(0, 'prompt', { bornAtStep: -1, parts: [part] });
    expect(episodeMarkdown(episodeOf({ messages: [message] }))).toContain('nested too deeply');
  });
});

describe('excerpt', () => {
  it('leaves short text as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii', maxLength: 60 }), (text) => {
        expect(excerpt(text)).toBe(text);
      }),
    );
  });

  it('fits on one line, is bounded, and cuts no character in two', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const short = excerpt(text);
        expect(short).not.toMatch(/\p{Cc}/u);
        expect(Array.from(short).length).toBeLessThanOrEqual(61);
        expect(short).not.toMatch(/\p{Cs}/u);
      }),
    );
  });
});

describe('beginning', () => {
  it('is all of a short text, and of a long one as much as fits without half a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), fc.nat(40), (text, length) => {
        const start = beginning(text, length);
        expect(text.startsWith(start)).toBe(true);
        expect(start).not.toMatch(/\p{Cs}/u);
        expect(start.length).toBeGreaterThanOrEqual(Math.min(text.length, length) - 1);
        expect(start.length).toBeLessThanOrEqual(length);
        if (text.length <= length) expect(start).toBe(text);
      }),
    );
  });
});
