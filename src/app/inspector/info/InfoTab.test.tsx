import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { episodeOf } from '../../../model/episode.fixtures';
import type { Episode } from '../../../model';
import { FIRST } from '../../controls/first';
import { InfoTab } from './InfoTab';
import { metricsNamed } from './facts';

const many = 50_000;
const nothing = () => {};

function markupOf(fields: Partial<Episode>): string {
  return renderToStaticMarkup(
    <InfoTab
      episodeRef={{ source: 'a', episode: 0 }}
      episode={episodeOf(fields)}
      step={0}
      findings={[]}
      onPlace={nothing}
    />,
  );
}

const elements = (markup: string) => markup.match(/<[a-z]/g)?.length ?? 0;
const numbered = Object.fromEntries(Array.from({ length: many }, (_, nth) => [`score ${nth}`, nth]));
const list = <Item,>(item: (nth: number) => Item): Item[] =>
  Array.from({ length: many }, (_, nth) => item(nth));

describe('Info of an episode with very much of something', () => {
  const empty = elements(markupOf({}));

  it.each<[what: string, fields: Partial<Episode>]>([
    ['metrics', { metrics: numbered }],
    ['components', { outcome: { components: numbered } }],
    ['tools', { tools: list((nth) => ({ name: `tool ${nth}` })) }],
    ['edits', { edits: list((nth) => ({ step: nth, kind: 'delete' as const, msgIds: [nth] })) }],
    ['gaps', { gaps: list((nth) => ({ about: 'timing' as const, reason: 'none', step: nth })) }],
  ])('draws the first %s, and says how many there are besides', (_, fields) => {
    const markup = markupOf(fields);
    expect(elements(markup) - empty).toBeLessThan(10 * FIRST);
    expect(markup).toMatch(/and 49,9\d\d more/);
  });

  it('draws all of what is not very much', () => {
    const few = Object.fromEntries(Object.entries(numbered).slice(0, FIRST));
    expect(markupOf({ metrics: few })).not.toMatch(/and .* more/);
  });

  it('finds a metric that is not among the first', () => {
    expect(metricsNamed(numbered, `score ${many - 1}`)).toEqual([[`score ${many - 1}`, many - 1]]);
  });
});
