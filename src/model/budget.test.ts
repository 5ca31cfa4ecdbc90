import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { budgets, type Budget, type Measure } from './budget';
import { episodeOf, episodes, messageOf } from './episode.fixtures';
import { messageSize } from './text';
import { viewAt } from './view';

const measure: Measure = {
  message: (message) => 10 + messageSize(message),
  stub: (message) => 3 + (message.msgId % 4),
};

describe('budgets', () => {
  it('measures exactly the view of every step', () => {
    fc.assert(
      fc.property(episodes(), (episode) => {
        const all = budgets(episode, measure);
        expect(all.length).toBe(episode.steps.length);
        all.forEach((budget, step) => {
          const expected: Budget = {
            byRole: { system: 0, developer: 0, user: 0, assistant: 0, tool: 0 },
            stubs: 0,
            total: 0,
            withoutEdits: 0,
          };
          for (const { state, message } of viewAt(episode, step)) {
            if (state === 'verbatim') expected.byRole[message.role] += measure.message(message);
            if (state === 'stub') expected.stubs += measure.stub(message);
            const isSummary = episode.edits.some(({ summary }) => summary === message.msgId);
            if (!isSummary) expected.withoutEdits += measure.message(message);
          }
          expected.total = Object.values(expected.byRole).reduce((sum, size) => sum + size, expected.stubs);
          expect(budget).toEqual(expected);
        });
      }),
      { numRuns: 500 },
    );
  });

  it('measures each message once, however many steps see it', () => {
    const messages = Array.from({ length: 50 }, (_, step) => messageOf(step, 'policy', { bornAtStep: step }));
    let measured = 0;
    const counting: Measure = { message: () => ++measured, stub: () => 0 };
    budgets(episodeOf({ messages }), counting);
    expect(measured).toBe(50);
  });
});
