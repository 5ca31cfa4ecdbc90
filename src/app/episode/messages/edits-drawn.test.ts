import { describe, expect, it } from 'vitest';
import { detectFormat } from '../../../formats';
import { isFixtureList } from '../../../formats/harness.fixtures';
import { budgets, viewAt, type Episode } from '../../../model';
import { estimated } from '../measure';
import { rowsFor } from './rows';

/** Every fixture of every format whose context was edited: deletes and compactions are drawn the same way. */
const modules = import.meta.glob<Record<string, unknown>>('../../../formats/*/*.fixtures.ts', {
  eager: true,
});

const edited = Object.values(modules)
  .flatMap((module) => Object.values(module).filter(isFixtureList).flat())
  .flatMap(({ name, value, text = JSON.stringify(value) }) => {
    const episode = detectFormat(value)?.episode({ value, text, index: 0, line: 1 }, 0);
    const takes = episode?.edits.some(({ msgIds }) => msgIds.length > 0) === true;
    return episode === undefined || !takes ? [] : [[`${episode.format}: ${name}`, episode] as const];
  });

it('there are some, of several formats and of both kinds', () => {
  expect(new Set(edited.map(([, { format }]) => format)).size).toBeGreaterThanOrEqual(3);
  const kinds = edited.flatMap(([, { edits }]) => edits.map(({ kind }) => kind));
  expect(new Set(kinds)).toEqual(new Set(['delete', 'compact']));
});

describe.each(edited)('%s', (_, episode: Episode) => {
  it('shows at every step what is gone, and which edit took it', () => {
    for (const { index: step } of episode.steps) {
      const { rows } = rowsFor(episode, step, 'seen', new Set());
      for (const entry of viewAt(episode, step)) {
        if (entry.state === 'verbatim') continue;
        const { msgId } = entry.message;
        const row = rows.find((each) =>
          each.kind === 'gone'
            ? each.messages.some((message) => message.msgId === msgId)
            : each.kind === 'message' && each.message.msgId === msgId,
        );
        if (entry.state === 'removed') expect(row).toMatchObject({ kind: 'gone', edit: entry.edit });
        else expect(row).toMatchObject({ as: { state: 'stub', edit: entry.edit } });
      }
    }
  });

  it('has a ghost line that never forgets what was taken', () => {
    const ghosts = budgets(episode, estimated(episode)).map(({ withoutEdits }) => withoutEdits);
    // In a history that branches every call has a past of its own.
    if (episode.messages.some(({ follows }) => follows !== undefined)) return;
    expect(ghosts).toEqual(ghosts.toSorted((a, b) => a - b));
  });
});
