import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { detectFormat } from '../../../formats';
import { plans, runRl, type Plan } from '../../../formats/statelm/loop.fixtures';
import { maskOfSpans, type Episode } from '../../../model';
import { episodeOf } from '../../../model/episode.fixtures';
import { between, keptAt, maskOf, momentsOf } from './contents';

function episodeFrom(plan: Plan) {
  const run = runRl(plan);
  const value: unknown = JSON.parse(run.text);
  const episode = detectFormat(value)?.episode({ value, text: run.text, index: 0, line: 1 }, 0);
  if (episode === undefined) throw new Error('the plan became no episode');
  return { episode, run };
}

it('are what the loop kept: history, deleted messages and mask', () => {
  fc.assert(
    fc.property(plans, (plan) => {
      const { episode, run } = episodeFrom(plan);
      const moments = momentsOf(episode);
      expect(moments.length).toBe(run.snapshots.length === 0 ? 0 : run.snapshots.length + 1);
      for (const [nth, snapshot] of run.snapshots.entries()) {
        const moment = moments[nth];
        const mask = moment === undefined ? undefined : maskOf(episode, moment);
        if (moment === undefined || mask === undefined) throw new Error('no such moment');
        expect(moment.messageCount).toBe(snapshot.history);
        expect([...maskOfSpans(mask.length, mask.trained)]).toEqual(snapshot.mask);
        expect(moment.trained).toBe(snapshot.mask.filter((one) => one === 1).length);
        expect(moment.context).toBe(snapshot.context.length);
        const stubs = keptAt(episode, moment).flatMap(({ state, message }) =>
          state === 'stub' ? [message.msgId] : [],
        );
        expect(moment.gone).toBe(stubs.length);
        expect(stubs.every((msgId) => snapshot.deleted.includes(msgId))).toBe(true);
      }
    }),
    { numRuns: 40 },
  );
});

const deletes: Plan = {
  turns: [
    { text: 'one', calls: [{ tool: 'read', answer: 0 }] },
    { text: 'two', calls: [{ tool: 'delete', back: [2], broken: false }] },
    { text: 'three', calls: [{ tool: 'delete', back: [2], broken: false }] },
    { text: 'four', calls: [] },
  ],
  end: 'budget',
  joinedNotes: false,
  keepsDeletedText: false,
};

const idsOf = (kept: readonly { message: { msgId: number } }[]) => kept.map(({ message }) => message.msgId);

it('keep what their own edit takes, and compare by what came and went', () => {
  const { episode } = episodeFrom(deletes);
  const [first, second, end] = momentsOf(episode).map((moment) => keptAt(episode, moment));
  if (first === undefined || second === undefined || end === undefined) throw new Error('three moments');
  const goes = first.filter((kept) => kept.goes);
  expect(goes).toHaveLength(1);
  expect(goes.every(({ state }) => state === 'whole')).toBe(true);

  const change = between(first, second);
  expect(idsOf(change.taken)).toEqual(idsOf(goes));
  expect(idsOf(change.added)).toEqual(idsOf(second.slice(first.length)));
  expect(between(first, first)).toEqual({ added: [], taken: [] });
  expect(between(first, end).taken).toHaveLength(2);
});

it('are none without an edit', () => {
  const plain: Episode = episodeOf({ steps: [{ index: 0 }] });
  expect(momentsOf(plain)).toEqual([]);
});
