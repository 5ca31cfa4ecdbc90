import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareEpisodes } from '../../model';
import { episodes } from '../../model/episode.fixtures';
import { piecesOf } from './inline';
import { sectionsOf } from './sections';

const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc
    .array(fc.constantFrom('a', 'b ', ' ', '\n', 'word', '\ud800', '{', '"'), { maxLength: 30 })
    .map((all) => all.join('')),
);

describe('the pieces of two texts', () => {
  it('put together are the texts', () => {
    fc.assert(
      fc.property(texts, texts, (a, b) => {
        const pieces = piecesOf(a, b);
        const side = (other: 'a' | 'b') =>
          pieces
            .filter((piece) => piece.side !== other)
            .map(({ text }) => text)
            .join('');
        expect([side('b'), side('a')]).toEqual([a, b]);
      }),
    );
  });

  it('name only what differs', () => {
    expect(piecesOf('count is 3 now', 'count is 5 now')).toEqual([
      { text: 'count is ', side: 'both' },
      { text: '3', side: 'a' },
      { text: '5', side: 'b' },
      { text: ' now', side: 'both' },
    ]);
  });

  it('end soon for texts that have nothing in common', () => {
    const a = Array.from({ length: 30_000 }, (_, at) => `left ${at}\n`).join('');
    const b = Array.from({ length: 30_000 }, (_, at) => `right ${at}\n`).join('');
    expect(piecesOf(a, b)).toHaveLength(2);
  });
});

describe('the sections of a row', () => {
  it('are all the same exactly where the row has no difference', () => {
    fc.assert(
      fc.property(episodes(), episodes(), (a, b) => {
        for (const row of compareEpisodes(a, b).rows) {
          if (row.kind !== 'both') continue;
          const sections = sectionsOf(a, b, row);
          if (sections.every(({ same }) => same)) continue;
          expect(row.differences.length).toBeGreaterThan(0);
        }
        for (const row of compareEpisodes(a, a).rows) {
          expect(sectionsOf(a, a, row).every(({ same }) => same)).toBe(true);
        }
      }),
    );
  });
});
