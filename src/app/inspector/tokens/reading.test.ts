import { describe, expect, it } from 'vitest';
import { episodeOf, messageOf } from '../../../model/episode.fixtures';
import { evidenceIn, unreadIds, withReading } from './reading';
import { trackFrom } from './track';

const track = trackFrom(
  {
    promptIds: Int32Array.of(7, 8, 7),
    responseIds: Int32Array.of(9, -1, 8),
    maskLength: 3,
    trained: [[0, 3]],
    turns: [[0, 3]],
    texts: ['said', undefined, undefined],
  },
  [],
  false,
);

describe('reading ids', () => {
  it('asks for each id that nothing recorded reads, once', () => {
    expect([...unreadIds(track)]).toEqual([7, 8]);
  });

  it('keeps what was recorded, and leaves ids that it does not know', () => {
    const read = withReading(track, {
      by: 'x',
      fits: true,
      texts: new Map([
        [7, 'a'],
        [9, 'other'],
      ]),
    });
    expect([0, 1, 2, 3, 4, 5].map((at) => read.textAt(at))).toEqual([
      'a',
      undefined,
      'a',
      'said',
      undefined,
      undefined,
    ]);
    expect(withReading(track, undefined)).toBe(track);
  });

  it('judges a tokenizer by emissions that say something', () => {
    const tokens = { promptIds: Int32Array.of(1), generationIds: Int32Array.of(2) };
    const said = ['ok', 'The lamp is lit.', '', 'Two', 'More words.', 'And more.', 'And still more.'];
    const episode = episodeOf({
      messages: said.map((text, step) =>
        messageOf(step, 'policy', { bornAtStep: step, parts: [{ kind: 'text', text }] }),
      ),
      steps: said.map((_, index) => (index === 4 ? { index } : { index, tokens })),
    });
    expect(evidenceIn(episode).map(({ text }) => text)).toEqual([
      'The lamp is lit.',
      'And more.',
      'And still more.',
    ]);
  });
});
