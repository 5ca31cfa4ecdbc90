import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { callPart, episodeOf, messageOf } from '../../../model/episode.fixtures';
import type { Message } from '../../../model';
import { FIRST_PARTS } from '../fold';
import { estimated } from '../measure';
import { FEW } from './few';
import { MessageArticle } from './MessageArticle';
import { Openings } from './openings';
import { SurroundingsContext, type Surroundings } from './surroundings';

function markupOf(messages: Message[], drawn: Message, opened: string[] = [], inferredText = false): string {
  const episode = episodeOf({ messages });
  const openings = new Openings();
  for (const key of opened) openings.set(key, true);
  const surroundings: Surroundings = {
    episode,
    measure: estimated(episode),
    textMode: 'plain',
    inferredText,
    jumpTo: () => {},
    takeFocus: () => false,
    openings,
  };
  return renderToStaticMarkup(
    <SurroundingsContext value={surroundings}>
      <MessageArticle
        message={drawn}
        state="verbatim"
        edit={undefined}
        chat={undefined}
        before={undefined}
        jump={0}
      />
    </SurroundingsContext>,
  );
}

const times = (markup: string, text: string) => markup.split(text).length - 1;

describe('a message of very many parts', () => {
  const parts = Array.from({ length: 5_000 }, (_, nth) => callPart(`call ${nth}`, 'look'));
  const message = messageOf(3, 'policy', { bornAtStep: 0, parts });

  it('draws the first of them, and says how many there are besides', () => {
    const markup = markupOf([message], message);
    expect(times(markup, '>look<')).toBe(FIRST_PARTS);
    expect(markup).toContain(`Show 250 of 4,950 more parts`);
  });

  it('draws more where they were asked for, and the last ones by their number', () => {
    const markup = markupOf([message], message, ['3 parts from 50']);
    expect(times(markup, '>look<')).toBe(FIRST_PARTS + 250);
    const few = { ...message, parts: parts.slice(0, FIRST_PARTS + 1) };
    expect(markupOf([few], few)).toContain('Show 1 more part<');
    const all = { ...message, parts: parts.slice(0, FIRST_PARTS) };
    expect(markupOf([all], all)).not.toContain('more part');
  });
});

describe('thousands of calls with one id', () => {
  it('are answered in a few words', () => {
    const parts = Array.from({ length: 3_000 }, () => callPart('same', 'look'));
    const asking = messageOf(3, 'policy', { bornAtStep: 0, parts });
    const answer = messageOf(4, 'environment', {
      bornAtStep: 1,
      parts: [{ kind: 'text', text: 'seen' }],
      toolResultFor: parts.map(() => 'same'),
    });
    const markup = markupOf([asking, answer], answer);
    expect(times(markup, 'answers look')).toBe(FEW);
    expect(markup).toContain('and 2,980 more');
    const strays = { ...answer, toolResultFor: Array.from({ length: 3_000 }, () => 'nowhere') };
    expect(times(markupOf([strays], strays), 'not in this episode')).toBe(FEW);
  });
});

describe('a message that was cut out of a text', () => {
  const message = messageOf(0, 'prompt', {
    bornAtStep: -1,
    parts: [{ kind: 'text', text: 'Add one.' }],
    inferredFrom: 'user\nAdd one.\nassistant\n',
  });

  it('says so, and is shown as that text on request', () => {
    const markup = markupOf([message], message);
    expect(markup).toContain('>inferred<');
    expect(markup).not.toContain('user\n');
    const raw = markupOf([message], message, [], true);
    expect(raw).toContain('user\nAdd one.\nassistant');
    expect(raw).toContain('aria-pressed="true"');
  });

  it('is the only kind that changes', () => {
    const recorded = messageOf(0, 'prompt', { bornAtStep: -1, parts: [{ kind: 'text', text: 'Add one.' }] });
    expect(markupOf([recorded], recorded, [], true)).toBe(markupOf([recorded], recorded));
  });
});
