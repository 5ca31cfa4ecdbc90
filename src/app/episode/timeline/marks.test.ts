import { describe, expect, it } from 'vitest';
import type { Finding } from '../../../model';
import { episodeOf, messageOf } from '../../../model/episode.fixtures';
import { glyphsOf, marksOf, markWords, worst } from './marks';

const finding = (place: Partial<Finding>): Finding => ({
  rule: 'r',
  severity: 'warning',
  message: 'm',
  explanation: 'e',
  ...place,
});

const episode = episodeOf({
  messages: [
    messageOf(0, 'prompt', { bornAtStep: -1 }),
    messageOf(1, 'policy', { bornAtStep: 0 }),
    messageOf(2, 'policy', { bornAtStep: 1 }),
  ],
  steps: [{ index: 0 }, { index: 1, unfinished: 'max_output_tokens' }],
  edits: [{ step: 0, kind: 'delete', msgIds: [0, 1] }],
  outcome: { components: {}, error: 'out of memory' },
});

describe('marksOf', () => {
  it('puts edits, findings and trouble at their steps', () => {
    const byStep = finding({ step: 1, severity: 'error' });
    const byMessage = finding({ msgId: 1 });
    const marks = marksOf(episode, [byStep, byMessage]);
    expect(marks.get(0)).toEqual({ deleted: 2, compacted: 0, findings: [byMessage] });
    expect(marks.get(1)).toEqual({
      deleted: 0,
      compacted: 0,
      findings: [byStep],
      trouble: 'unfinished: max_output_tokens · error: out of memory',
    });
  });

  it('puts what is about the prompt at the first step, and what is about the episode at the last', () => {
    const [prompt, whole] = [finding({ msgId: 0 }), finding({})];
    const marks = marksOf(episode, [prompt, whole, finding({ step: 7 }), finding({ msgId: 99 })]);
    expect(marks.get(0)?.findings).toEqual([prompt]);
    expect(marks.get(1)?.findings).toEqual([whole]);
    expect(marks.size).toBe(2);
    expect(marksOf({ ...episode, steps: [], edits: [] }, [whole]).size).toBe(0);
  });

  it('is said in words', () => {
    expect(
      markWords({ deleted: 1, compacted: 3, findings: [finding({})], trouble: 'unfinished: x' }),
    ).toEqual(['deletes 1 message', 'compacts 3 messages', 'unfinished: x', '1 finding']);
  });

  it('knows the worst finding', () => {
    expect(worst([finding({ severity: 'info' }), finding({ severity: 'error' }), finding({})])).toBe('error');
    expect(worst([])).toBeUndefined();
  });

  it('marks snapshots, penalties and changes of the state', () => {
    const marks = marksOf(
      {
        ...episode,
        statelm: { dialect: 'rl' },
        metrics: { early_stop_penalty: -1 },
        states: [
          { step: -1, value: { count: 0 } },
          { step: 0, value: { count: 0 } },
          { step: 1, value: { count: 2, seen: true } },
        ],
      },
      [],
    );
    expect(marks.get(0)).toMatchObject({ snapshot: 1 });
    expect(marks.get(0)?.changes).toBeUndefined();
    expect(marks.get(1)).toMatchObject({ penalty: 'penalty −1', changes: 2 });
    const last = marks.get(1);
    expect(last && glyphsOf(last)).toEqual(['penalty', 'trouble', 'state']);
    expect(last && markWords(last)).toContain('changes 2 places of the state');
  });
});
