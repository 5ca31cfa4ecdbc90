import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { broughtBy, seenDiff, viewAt, type Episode } from '../../../model';
import { episodeOf, episodes, messageOf } from '../../../model/episode.fixtures';
import type { ViewMode } from '../../stores/preferences';
import { rowsFor, type Row } from './rows';

const nothing: ReadonlySet<string> = new Set();
const modes: readonly ViewMode[] = ['seen', 'history', 'changed'];

const rowsOf = (episode: Episode, step: number, mode: ViewMode, open = nothing) =>
  rowsFor(episode, step, mode, open).rows;

/** What a row says about messages, in short: `3`, `4 stub`, `gone 5,6`. */
const told = (rows: readonly Row[]) =>
  rows.flatMap((row) => {
    if (row.kind === 'gone') return [`gone ${row.messages.map(({ msgId }) => msgId).join(',')}`];
    if (row.kind !== 'message') return [];
    return [row.as.state === 'verbatim' ? `${row.message.msgId}` : `${row.message.msgId} ${row.as.state}`];
  });

const ascending = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b);

const texts = (episode: Episode, mode: ViewMode) =>
  rowsOf(episode, 0, mode).flatMap((row) => (row.kind === 'note' ? [row.text, ...row.reasons] : []));

/** StateLM's loops write messages anew, others do not. */
const loops = fc.constantFrom<Partial<Episode>>(
  {},
  { statelm: { dialect: 'rl' } },
  { statelm: { dialect: 'inference' } },
  {
    statelm: { dialect: 'inference' },
    notes: [0, 1].map((step) => ({
      step,
      key: `${step}`,
      change: { kind: 'write', summary: 'seen', content: 'noted' },
    })),
  },
);

const anyStep = fc.tuple(episodes(), loops, fc.nat()).map(([episode, loop, any]) => ({
  episode: { ...episode, ...loop },
  step: any % Math.max(1, episode.steps.length),
}));

describe('rowsFor', () => {
  it('shows the view in order, then the emission, then what came back', () => {
    fc.assert(
      fc.property(anyStep, ({ episode, step }) => {
        const { emitted, answered } = broughtBy(episode, step);
        const brought = episode.steps.length === 0 ? [] : [...emitted, ...answered];
        const flat = rowsOf(episode, step, 'seen').flatMap((row) => {
          if (row.kind === 'gone') return row.messages.map(({ msgId }) => `${msgId} removed`);
          return row.kind === 'message' ? [`${row.message.msgId} ${row.as.state}`] : [];
        });
        expect(flat).toEqual([
          ...viewAt(episode, step).map(({ message, state }) => `${message.msgId} ${state}`),
          ...brought.map(({ msgId }) => `${msgId} verbatim`),
        ]);
      }),
    );
  });

  it('shows the same at a step, whichever steps were shown before', () => {
    fc.assert(
      fc.property(anyStep, fc.array(fc.nat(), { maxLength: 8 }), ({ episode }, walk) => {
        const steps = Math.max(1, episode.steps.length);
        for (const any of walk) {
          const anew = { ...episode, messages: episode.messages.map((message) => ({ ...message })) };
          const [rows, expected] = [episode, anew].map((each) => rowsOf(each, any % steps, 'seen'));
          expect(rows).toEqual(expected);
        }
      }),
    );
  });

  it('shows every message of the history once, whole, whatever the step', () => {
    fc.assert(
      fc.property(anyStep, ({ episode, step }) => {
        const shown = rowsOf(episode, step, 'history').flatMap((row) =>
          row.kind === 'message' ? [row] : [],
        );
        expect(shown.map((row) => row.message)).toEqual(episode.messages);
        expect(shown.every((row) => row.as.state !== 'stub')).toBe(true);
      }),
    );
  });

  it('shows as changed what the diff of the views names, each once', () => {
    fc.assert(
      fc.property(anyStep, ({ episode, step }) => {
        const diff = step === 0 ? undefined : seenDiff(episode, step - 1, step);
        const changed =
          diff === undefined
            ? viewAt(episode, 0).map(({ message }) => message.msgId)
            : Object.values(diff).flat();
        const { rows, now } = rowsFor(episode, step, 'changed', nothing);
        const shown = rows.flatMap((row, index) =>
          row.kind === 'message' && (index < now.start || index >= now.end) ? [row.message.msgId] : [],
        );
        expect(ascending(shown)).toEqual(ascending([...new Set(changed)]));
      }),
    );
  });

  it('gives every row its own key, and knows which of them the step brought', () => {
    fc.assert(
      fc.property(anyStep, fc.constantFrom(...modes), ({ episode, step }, mode) => {
        const { rows, now } = rowsFor(episode, step, mode, nothing);
        expect(new Set(rows.map((row) => row.key)).size).toBe(rows.length);
        const { emitted, answered } = broughtBy(episode, step);
        const brought = rows
          .slice(now.start, now.end)
          .flatMap((row) => (row.kind === 'message' ? [row.message] : []));
        // In the history they stand in the order in which they happened.
        const expected = episode.steps.length === 0 ? [] : [...emitted, ...answered];
        expect(new Set(brought)).toEqual(new Set(expected));
        expect(brought).toHaveLength(expected.length);
      }),
    );
  });

  const compacted = episodeOf({
    messages: [
      messageOf(0, 'prompt', { bornAtStep: -1 }),
      messageOf(1, 'policy', { bornAtStep: 0 }),
      messageOf(2, 'environment', { bornAtStep: 0 }),
      messageOf(3, 'policy', { bornAtStep: 1 }),
    ],
    steps: [{ index: 0 }, { index: 1 }, { index: 2 }],
    edits: [
      { step: 0, kind: 'delete', msgIds: [0] },
      { step: 1, kind: 'compact', msgIds: [1, 2] },
    ],
  });

  it('folds compacted neighbours into one row that opens to the originals', () => {
    const closed = rowsOf(compacted, 2, 'seen');
    expect(told(closed)).toEqual(['0 stub', 'gone 1,2', '3']);
    const key = closed.find((row) => row.kind === 'gone')?.key ?? '';
    expect(told(rowsOf(compacted, 2, 'seen', new Set([key])))).toEqual([
      '0 stub',
      'gone 1,2',
      '1 ghost',
      '2 ghost',
      '3',
    ]);
  });

  it('says what became of the messages since the last step', () => {
    expect(
      rowsOf(compacted, 2, 'changed').flatMap((row) => (row.kind === 'caption' ? [row.text] : told([row]))),
    ).toEqual([
      'New since step 1',
      '3',
      'No longer in the context since step 1',
      '1 ghost',
      '2 ghost',
      'Emitted at this step',
    ]);
    expect(told(rowsOf(compacted, 1, 'changed'))).toEqual(['1', '2', '0 stub', '3']);
  });

  it('says what is missing where it would stand', () => {
    const gaps = [{ about: 'messages', reason: 'The dump was cut.' } as const];
    for (const mode of modes) {
      expect(texts(episodeOf({ gaps }), mode)).toContain('The dump was cut.');
      const task = episodeOf({ messages: [messageOf(0, 'prompt', { bornAtStep: -1 })] });
      expect(texts(task, mode).join(' ')).toContain('No model call');
    }
    expect(texts(episodeOf({ steps: [{ index: 0 }] }), 'seen').join(' ')).toContain('kept nothing');
  });
});
