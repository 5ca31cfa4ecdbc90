import * as fc from 'fast-check';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { episodeOf } from '../../model/episode.fixtures';
import { InfoTab } from '../inspector/info/InfoTab';
import { hidesSomething } from './invisible';
import { Name } from './Name';
import { NAME_LENGTH, spelled, TITLE_LENGTH } from './spelled';

const override = '\u202erm -rf';

describe('Name', () => {
  it('marks what cannot be seen, and isolates its direction', () => {
    const markup = renderToStaticMarkup(<Name text={override} />);
    expect(markup).toMatch(/^<bdi><span[^>]*>U\+202E<\/span>rm -rf<\/bdi>$/);
  });

  it('draws the start of a long one', () => {
    const markup = renderToStaticMarkup(<Name text={'\ud83d\ude00'.repeat(500_000)} />);
    expect(markup.length).toBeLessThan(NAME_LENGTH + TITLE_LENGTH + 100);
    expect(markup).not.toContain('U+D83D');
  });
});

describe('spelled', () => {
  it('has nothing hidden in it, and leaves other texts alone', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(override, '\u200b', '\ud800', '\r'),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = pieces.join('');
        expect(hidesSomething(spelled(text))).toBe(false);
        if (!hidesSomething(text) && text.length <= TITLE_LENGTH) expect(spelled(text)).toBe(text);
      }),
    );
    expect(spelled(override)).toBe('[U+202E]rm -rf');
  });
});

it('nothing of an episode stands in Info with its direction turned or its characters hidden', () => {
  const markup = renderToStaticMarkup(
    <InfoTab
      episodeRef={{ source: 'a', episode: 0 }}
      episode={episodeOf({
        model: override,
        task: { key: override },
        tools: [{ name: override, description: override, parameters: { [override]: override } }],
        metrics: { [override]: override },
        outcome: { components: { [override]: 1 }, verdict: override, termination: override, error: override },
        gaps: [{ about: 'reward', reason: override }],
      })}
      step={0}
      findings={[]}
      onPlace={() => {}}
    />,
  );
  expect(markup.match(/>U\+202E</g)).toHaveLength(13);
  expect(hidesSomething(markup)).toBe(false);
});
