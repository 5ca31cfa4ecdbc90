import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { messageText, viewAt, type Episode } from '../../model';
import type { Beside } from '../format';
import { recordOf } from '../harness.fixtures';
import { atif } from './atif';
import { fileName, partName, runFiles } from './files';
import { inOneFile, linear, seen } from './run.fixtures';
import { trajectory } from './trajectory.fixtures';

type Files = Readonly<Record<string, unknown>>;

/** The episode of a file, read with those beside it that it asks for. */
function read(files: Files, name: string): Episode {
  const record = recordOf(files[name]);
  const folder = Object.keys(files).filter((each) => each !== name);
  const records = new Map(runFiles.needs(record, name, folder).map((each) => [each, recordOf(files[each])]));
  const beside: Beside = { name, records };
  return atif.episode(record, 0, beside);
}

const viewsOf = (episode: Episode): string[][] =>
  episode.steps.map((_, step) =>
    viewAt(episode, step).flatMap(({ state, message }) =>
      state === 'removed' ? [] : [messageText(message)],
    ),
  );
const reasonsOf = ({ gaps }: Episode): string => gaps.map(({ reason }) => reason).join(' ');

describe('a context that was summed up', () => {
  test.each([
    ['in a file of its own', linear, 'trajectory.cont-1.json'],
    ['in the same file', inOneFile, 'trajectory.json'],
  ])('is an edit where the run goes on %s', (_, files, name) => {
    const episode = read(files, name);
    expect(viewsOf(episode)).toEqual(seen);
    expect(episode.edits).toMatchObject([{ kind: 'compact', step: 1 }]);
    const [edit] = episode.edits;
    const summary = episode.messages.find(({ msgId }) => msgId === edit?.summary);
    expect(messageText(summary ?? expect.fail('no summary'))).toMatch(/^You pick up/);
    // What the harness noted of it was seen by no model.
    const noted = episode.messages.find((message) => messageText(message) === 'The context was summed up.');
    expect(edit?.msgIds).toContain(noted?.msgId);
  });

  test('is told by its words where a step says that it is a compaction', () => {
    const [asked, ...rest] = [
      { source: 'user', message: 'Count.' },
      { source: 'agent', message: 'One.' },
      { source: 'system', message: 'So far: one.', extra: { context_management: { type: 'compaction' } } },
      { source: 'agent', message: 'Two.' },
    ];
    const episode = atif.episode(recordOf(trajectory([asked, ...rest])), 0);
    expect(viewsOf(episode)).toEqual([['Count.'], ['Count.', 'So far: one.']]);
    expect(episode.edits).toEqual([{ kind: 'compact', step: 0, msgIds: [1], summary: 2 }]);
    const nearly = trajectory([
      asked,
      ...rest.map((step) => ({ ...step, extra: { context_management: {} } })),
    ]);
    expect(atif.episode(recordOf(nearly), 0).edits).toEqual([]);
  });
});

describe('a file that is not there', () => {
  test('is named by the part that goes on from it', () => {
    const { 'trajectory.json': _, ...files } = linear;
    const episode = read(files, 'trajectory.cont-1.json');
    expect(viewsOf(episode)).toEqual(seen.slice(2));
    expect(episode.edits).toEqual([]);
    expect(reasonsOf(episode)).toContain(
      'goes on from trajectory.json, after a compaction: open both together',
    );
    expect(reasonsOf(read(linear, 'trajectory.cont-1.json'))).toContain(
      'Steps 0 to 1 are read from trajectory.json',
    );
  });

  test('is named where the summary stood in it', () => {
    const { 'trajectory.json': value } = inOneFile;
    const episode = read({ 'trajectory.json': value }, 'trajectory.json');
    expect(viewsOf(episode)[2]).toEqual(['Make hello.txt.', 'It answered: the folder test. Go on.']);
    expect(episode.edits).toMatchObject([{ kind: 'compact', step: 1 }]);
    const gap = episode.gaps.find(({ about }) => about === 'views');
    expect(gap?.reason).toContain('trajectory.summarization-1-questions.json: open it together');
    expect(gap?.step).toBe(1);
  });

  test('is not taken from another run', () => {
    const other = trajectory(
      [
        { source: 'user', message: 'Else.' },
        { source: 'agent', message: 'So.' },
      ],
      {
        session_id: 'another',
      },
    );
    const episode = read({ ...linear, 'trajectory.json': other }, 'trajectory.cont-1.json');
    expect(viewsOf(episode)).toEqual(seen.slice(2));
    const elsewhere = { ...linear['trajectory.json'], continued_trajectory_ref: 'trajectory.cont-2.json' };
    const skipped = read({ ...linear, 'trajectory.json': elsewhere }, 'trajectory.cont-1.json');
    expect(viewsOf(skipped)).toEqual(seen.slice(2));
  });
});

test('messages of other files point to nothing in the record', () => {
  const { messages } = read(linear, 'trajectory.cont-1.json');
  const own = messages.filter(({ raw }) => raw.length > 0).map((message) => messageText(message));
  expect(own).toEqual([...(seen[2]?.slice(1) ?? []), 'Writing it.', '$ echo hello > hello.txt', 'Done.', '']);
});

test('every step of a run in any number of files is seen as its own file says', () => {
  // Each part: how many of the messages before it stay, how many are put after them, and how many steps follow.
  const parts = fc.array(
    fc.record({ stays: fc.nat(4), put: fc.nat(3), calls: fc.integer({ min: 1, max: 3 }) }),
    { minLength: 1, maxLength: 4 },
  );
  fc.assert(
    fc.property(parts, fc.nat(3), (plan, missing) => {
      let said = 0;
      const files: Record<string, unknown> = {};
      const wanted: string[][] = [];
      const starts: number[] = [];
      let context: { source: string; message: string }[] = [{ source: 'user', message: 'task' }];
      plan.forEach(({ stays, put, calls }, nth) => {
        if (nth > 0) {
          context = context.slice(0, stays + 1);
          for (let each = 0; each < put; each++) context.push({ source: 'user', message: `told ${said++}` });
        }
        const steps: object[] = context.map((step) =>
          nth === 0 ? step : { ...step, is_copied_context: true },
        );
        starts.push(wanted.length);
        for (let each = 0; each < calls; each++) {
          wanted.push(context.map(({ message }) => message));
          const step = { source: 'agent', message: `said ${said++}` };
          context.push(step);
          steps.push(step);
        }
        files[partName('run', nth)] = trajectory(steps);
      });
      const last = partName('run', plan.length - 1);
      expect(viewsOf(read(files, last))).toEqual(wanted);
      // Without one of its files it begins after that.
      if (missing >= plan.length - 1) return;
      delete files[partName('run', missing)];
      expect(viewsOf(read(files, last))).toEqual(wanted.slice(starts[missing + 1]));
    }),
  );
});

test('names tell what a file is to another', () => {
  expect(fileName('a.trajectory.cont-12.json')).toEqual({ stem: 'a.trajectory', part: 12 });
  const names = Object.keys(linear);
  const relations = names.map((name) => names.map((other) => runFiles.relation(name, other)));
  expect(relations).toEqual([
    [undefined, 'later', 'summary'],
    ['earlier', undefined, 'summary'],
    ['run', 'run', undefined],
  ]);
  expect(runFiles.relation('trajectory.json', 'other.cont-1.json')).toBeUndefined();
});
