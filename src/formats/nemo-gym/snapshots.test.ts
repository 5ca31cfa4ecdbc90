import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { chatOf, partText, viewAt, type Episode, type Message } from '../../model';
import { expectSound, recordOf } from '../harness.fixtures';
import { call, result, rollout, said, thought, user } from './nemo-gym.fixtures';
import { nemoGymRollout } from './rollout';

/**
 * An agent that writes snapshots, as aviary's and cube's do. What it really did is known, so that the history and the
 * views that come out can be held against it.
 */

type Item = Record<string, unknown>;

interface Turn {
  thinks: boolean;
  calls: number;
  /** Whether the environment shows its state after the results. */
  shows: boolean;
}

const turns = fc.array(
  fc.record({ thinks: fc.boolean(), calls: fc.integer({ min: 1, max: 3 }), shows: fc.boolean() }),
  { minLength: 1, maxLength: 8 },
);

const request = [user('Reach the goal.')];
const placeholder = '[hidden]';

function emitted(turn: Turn, step: number): Item[] {
  const calls = Array.from({ length: turn.calls }, (_, nth) => call(`c${step}.${nth}`));
  return turn.thinks ? [thought(`thought ${step}`), ...calls] : calls;
}

function observed(turn: Turn, step: number): Item[] {
  const results = Array.from({ length: turn.calls }, (_, nth) =>
    result(`c${step}.${nth}`, `result ${step}.${nth}`),
  );
  return turn.shows ? [...results, user(`state ${step}`)] : results;
}

/** Every state but the newest becomes a placeholder. */
function collapsing(run: readonly Turn[]): Item[][] {
  let context = request;
  return run.map((turn, step) => {
    const hidden = context.map((item) =>
      String(item['content']).startsWith('state ') ? user(placeholder) : item,
    );
    context = [...hidden, ...emitted(turn, step), ...observed(turn, step)];
    return context;
  });
}

/** Only the last `n` turns stay. */
function forgetting(run: readonly Turn[], n: number): Item[][] {
  return run.map((_, step) => {
    const first = Math.max(0, step + 1 - n);
    const kept = run
      .slice(first, step + 1)
      .flatMap((turn, nth) => [...emitted(turn, first + nth), ...observed(turn, first + nth)]);
    return [...request, ...(first > 0 ? [user(placeholder)] : []), ...kept];
  });
}

function imported(input: readonly Item[], output: unknown): Episode {
  const [episode] = expectSound(nemoGymRollout, recordOf(rollout(input, output)));
  if (episode === undefined) throw new Error('no episode');
  return episode;
}

/** What the model read, without who said it: a placeholder keeps the role of what it hides. */
function read(episode: Episode, step: number): unknown[] {
  return chatOf(viewAt(episode, step)).map(({ content, reasoning_content, tool_calls }) => [
    content,
    reasoning_content,
    tool_calls?.map(({ id }) => id),
  ]);
}

/** The messages, wherever they stand in the record. */
function withoutPlaces({ messages }: Episode): Message[] {
  return messages.map((message) => ({ ...message, raw: [] }));
}

function expectTold(run: readonly Turn[], snapshots: Item[][]): void {
  const episode = imported(request, snapshots);
  // The agent's own account: everything, once.
  const really = imported(
    request,
    run.flatMap((turn, step) => [...emitted(turn, step), ...observed(turn, step)]),
  );
  expect(withoutPlaces(episode)).toEqual(withoutPlaces(really));
  expect(episode.steps.length).toBe(run.length);
  snapshots.forEach((snapshot, step) => {
    const recorded = imported([], snapshot);
    expect(read(episode, step + 1)).toEqual(read(recorded, recorded.steps.length));
  });
  expect(episode.gaps.filter(({ about }) => about === 'views')).toEqual([]);
}

test('snapshots that hide old states give the history and every view', () => {
  fc.assert(
    fc.property(turns, (run) => expectTold(run, collapsing(run))),
    { numRuns: 40 },
  );
});

test('snapshots that leave old turns out give the history and every view', () => {
  fc.assert(
    fc.property(turns, fc.integer({ min: 1, max: 4 }), (run, n) => expectTold(run, forgetting(run, n))),
    { numRuns: 40 },
  );
});

test('whatever two snapshots hold, the last view is the second one, or a gap says why not', () => {
  const items = fc.array(
    fc.oneof(
      fc.constantFrom('a', 'b', 'c').map(user),
      fc.constantFrom('d', 'e').map(said),
      fc.constantFrom('c1', 'c2').map((id) => call(id)),
      fc.constantFrom('c1', 'c2').map((id) => result(id)),
    ),
    { maxLength: 6 },
  );
  fc.assert(
    fc.property(items, items, (one, two) => {
      const episode = imported([], [one, two]);
      if (episode.gaps.some(({ about }) => about === 'views')) return;
      expect(itemsSeen(episode)).toEqual(itemsSeen(imported([], two)));
    }),
    { numRuns: 300 },
  );
});

/** The context at the end, item by item, whichever messages the items were joined to. */
function itemsSeen(episode: Episode): string[] {
  return viewAt(episode, episode.steps.length).flatMap((entry) => {
    if (entry.state === 'removed') return [];
    return entry.state === 'stub' ? [entry.edit.stub ?? ''] : entry.message.parts.map(partText);
  });
}
