import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { budgets, budgetTools, toolOf, withTotals, type Budget, type Measure } from './budget';
import type { Episode, Message } from './episode';
import { callPart, episodeOf, episodes, messageOf } from './episode.fixtures';
import { seenMessages } from './statelm';
import { messageSize } from './text';
import { viewAt } from './view';

const measure: Measure = {
  message: (message) => 10 + messageSize(message),
  stub: (message) => 3 + (message.msgId % 4),
  text: (text) => text.length,
};

function emptyBudget(tools: number): Budget {
  return {
    byRole: { system: 0, developer: 0, user: 0, assistant: 0, tool: 0 },
    byTool: Array.from({ length: tools }, () => 0),
    notes: 0,
    stubs: 0,
    rest: 0,
    total: 0,
    withoutEdits: 0,
  };
}

/** A call and its result, as large as wanted. */
const read = (step: number, tool: string, size: number, named: boolean): Message[] => [
  messageOf(2 * step, 'policy', { bornAtStep: step, parts: [callPart(`c${step}`, tool)] }),
  messageOf(2 * step + 1, 'environment', {
    bornAtStep: step,
    toolResultFor: [`c${step}`],
    ...(named ? { toolName: tool } : {}),
    parts: [{ kind: 'text', text: 'x'.repeat(size) }],
  }),
];

describe('budgets', () => {
  it('measures exactly the view of every step', () => {
    fc.assert(
      fc.property(episodes(), (episode) => {
        const all = budgets(episode, measure);
        const tools = budgetTools(episode);
        expect(all.length).toBe(episode.steps.length);
        all.forEach((budget, step) => {
          const expected = emptyBudget(tools.length);
          for (const { state, message } of viewAt(episode, step)) {
            if (state === 'verbatim') expected.byRole[message.role] += measure.message(message);
            if (state === 'stub') expected.stubs += measure.stub(message);
            const tool = tools.indexOf(toolOf(episode, message) ?? '');
            if (state === 'verbatim' && tool >= 0)
              expected.byTool[tool] = (expected.byTool[tool] ?? 0) + measure.message(message);
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
    const counting: Measure = { message: () => ++measured, stub: () => 0, text: () => 0 };
    budgets(episodeOf({ messages }), counting);
    expect(measured).toBe(50);
  });

  it('tells the results of the largest tools apart, by the names of calls where results have none', () => {
    const sizes = [10, 60, 20, 50, 30, 40];
    const episode = episodeOf({
      messages: [
        ...sizes.flatMap((size, step) => read(step, `t${size}`, size, step % 2 === 0)),
        ...read(6, 'end', 0, true),
      ],
    });
    expect(budgetTools(episode)).toEqual(['t60', 't50', 't40', 't30']);
    expect(budgets(episode, measure).at(-1)?.byTool).toEqual([70, 60, 50, 40]);
    expect(budgets(episode, measure).at(-1)?.byRole.tool).toBe(60 + 210);
  });
});

const noted = (dialect: 'rl' | 'inference', edited: boolean): Episode =>
  episodeOf({
    messages: [
      messageOf(0, 'prompt', { bornAtStep: -1, parts: [{ kind: 'text', text: 'Who?' }] }),
      ...[0, 1, 2, 3].map((step) =>
        messageOf(step + 1, 'policy', { bornAtStep: step, parts: [{ kind: 'text', text: 'On.' }] }),
      ),
    ],
    statelm: { dialect },
    edits: edited ? [{ step: 1, kind: 'delete', msgIds: [1] }] : [],
    notes: [
      { step: 0, key: 'a', change: { kind: 'write', summary: 'one', content: '' } },
      { step: 2, key: 'b', change: { kind: 'write', summary: 'two', content: '' } },
    ],
  });

describe('the notes block', () => {
  it('counts as it stood in the view of each step', () => {
    for (const episode of [noted('rl', true), noted('rl', false), noted('inference', true)]) {
      const inView = episode.steps.map((_, step) => {
        const content = seenMessages(episode, step)[0]?.chat.content;
        return typeof content === 'string' ? content.length - 'Who?'.length : Number.NaN;
      });
      expect(budgets(episode, measure).map(({ notes }) => notes)).toEqual(inView);
    }
    // Without a render in between, what is noted is not seen.
    expect(new Set(budgets(noted('rl', false), measure).map(({ notes }) => notes)).size).toBe(1);
  });
});

describe('recorded totals', () => {
  it('win over what was measured, and the parts still add up to them', () => {
    fc.assert(
      fc.property(episodes(), fc.array(fc.option(fc.nat(5000), { nil: undefined })), (episode, totals) => {
        const measured = budgets(episode, measure);
        withTotals(measured, totals).forEach((budget, step) => {
          const { byRole, notes, stubs, rest, total, withoutEdits } = budget;
          expect(total).toBe(totals[step] ?? measured[step]?.total);
          const parts = Object.values(byRole).reduce((sum, size) => sum + size, notes + stubs + rest);
          expect(parts).toBeCloseTo(total);
          if (episode.edits.length === 0) expect(withoutEdits).toBeCloseTo(total);
          expect(Math.min(rest, ...Object.values(byRole))).toBeGreaterThanOrEqual(0);
        });
      }),
    );
  });
});
