import { describe, expect, it } from 'vitest';
import { budgets, type Episode } from '../../../model';
import { callPart, episodeOf, messageOf } from '../../../model/episode.fixtures';
import { estimated } from '../measure';
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

const measure = estimated(episode);

describe('factsOf', () => {
  it('says what is known of a step, in few words', () => {
    const finding = { rule: 'r', severity: 'error', message: 'm', explanation: 'e', step: 0 } as const;
    const facts = factsOf(
      episode,
      0,
      budgets(episode, measure)[0],
      marksOf(episode, [finding]).get(0),
      measure,
    );
    expect(facts.map(({ text, tone }) => (tone === undefined ? text : `${text} (${tone})`))).toEqual([
      '400 + 1 token',
      '2 tool calls',
      'deletes 1 message (deleted)',
      'unfinished: stopped (warn)',
      '1 finding (warn)',
    ]);
  });

  it('marks a size that is an estimate', () => {
    const { steps: _, ...rest } = episode;
    const plain = episodeOf(rest);
    const size = estimated(plain);
    const facts = factsOf(plain, 0, budgets(plain, size)[0], undefined, size);
    expect(facts[0]?.text).toBe('≈309 tokens');
  });

  it('counts the snapshots of a training loop', () => {
    const edits = [0, 0, 1].map((step) => ({ step, kind: 'delete' as const, msgIds: [0] }));
    const trained: Episode = { ...episode, statelm: { dialect: 'rl' }, edits };
    const texts = (at: number) =>
      factsOf(trained, at, undefined, marksOf(trained, []).get(at), measure).map(({ text }) => text);
    expect(texts(0)).toContain('snapshot 1 taken, mask cleared');
    expect(texts(1)).toContain('snapshot 2 taken, mask cleared');
  });

  it('says little where little is known', () => {
    expect(factsOf(episodeOf({}), 0, undefined, undefined, measure)).toEqual([]);
  });
});

const recorded = (content: string): Episode => ({
  ...episode,
  recordedViews: [{ step: 0, keeps: 0, form: 'messages', adds: [{ role: 'user', content }] }],
});

describe('viewTruth', () => {
  it('calls a view derived from the first edit on', () => {
    expect(viewTruth(episode, 0)).toBeUndefined();
    expect(viewTruth(episode, 1)?.word).toBe('derived');
    const gaps = [{ about: 'views', reason: 'No views in this file.' } as const];
    expect(viewTruth({ ...episode, gaps }, 1)?.title).toContain('No views in this file.');
  });

  it('holds it against what was recorded', () => {
    expect(viewTruth(recorded('x'.repeat(1234)), 0)?.word).toBe('as recorded');
    expect(viewTruth(recorded('y'), 0)).toMatchObject({ word: 'not as recorded', tone: 'warn' });
    expect(viewTruth(recorded('y'), 1)?.word).toBe('derived');
  });
});

it.each([
  [80.4, '80 ms'],
  [1240, '1.2 s'],
  [125_000, '2 min'],
])('says how long a call took, where that is recorded: %d', (durationMs, text) => {
  const timed = episodeOf({ ...episode, steps: [{ index: 0, timing: { durationMs, firstTokenMs: 8 } }] });
  const facts = factsOf(timed, 0, undefined, undefined, measure);
  expect(facts.find((fact) => fact.text === text)?.title).toContain('first token came after 8 ms');
});
