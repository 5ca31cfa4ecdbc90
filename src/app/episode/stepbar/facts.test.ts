import { describe, expect, it } from 'vitest';
import { budgets } from '../../../model';
import { callPart, episodeOf, messageOf } from '../../../model/episode.fixtures';
import { charactersOf } from '../measure';
import { marksOf } from '../timeline/marks';
import { factsOf, viewTruth } from './facts';

const episode = episodeOf({
  messages: [
    messageOf(0, 'prompt', { bornAtStep: -1, parts: [{ kind: 'text', text: 'x'.repeat(1234) }] }),
    messageOf(1, 'policy', { bornAtStep: 0, parts: [callPart('a'), callPart('b')] }),
    messageOf(2, 'policy', { bornAtStep: 1, parts: [] }),
  ],
  steps: [
    {
      index: 0,
      unfinished: 'stopped',
      tokens: { promptIds: new Int32Array(400), generationIds: new Int32Array(1) },
    },
    { index: 1 },
  ],
  edits: [{ step: 0, kind: 'delete', msgIds: [0] }],
});

const characters = charactersOf(episode);

describe('factsOf', () => {
  it('says what is known of a step, in few words', () => {
    const finding = { rule: 'r', severity: 'error', message: 'm', explanation: 'e', step: 0 } as const;
    const facts = factsOf(
      episode,
      0,
      budgets(episode, characters)[0],
      marksOf(episode, [finding]).get(0),
      characters,
    );
    expect(facts.map(({ text, tone }) => (tone === undefined ? text : `${text} (${tone})`))).toEqual([
      '1,234 characters',
      '400 + 1 token',
      '2 tool calls',
      'deletes 1 message (deleted)',
      'unfinished: stopped (warn)',
      '1 finding (warn)',
    ]);
  });

  it('says little where little is known', () => {
    expect(factsOf(episodeOf({}), 0, undefined, undefined, characters)).toEqual([]);
  });
});

describe('viewTruth', () => {
  it('calls a view derived from the first edit on', () => {
    expect(viewTruth(episode, 0)).toBeUndefined();
    expect(viewTruth(episode, 1)).toMatch(/^Derived/);
    const gaps = [{ about: 'views', reason: 'No views in this file.' } as const];
    expect(viewTruth({ ...episode, gaps }, 1)).toContain('No views in this file.');
  });
});
