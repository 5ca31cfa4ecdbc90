import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ContextEdit, Episode } from './episode';
import { callPart, episodeOf, episodes, messageOf } from './episode.fixtures';
import { broughtBy, historyOf } from './history';
import { ghostsAt, viewAt, viewDiff } from './view';

interface Seen {
  msgId: number;
  state: 'verbatim' | 'stub' | 'removed';
  edit?: ContextEdit;
}

/** The history walked step by step: every message copies the path it continues, every edit changes what it names. */
function replay(episode: Episode, upTo: number): Seen[] {
  const born: Seen[] = [];
  const paths = new Map<number, Seen[]>();
  let last: Seen[] = [];
  const parentOf = (follows: number | null | undefined): Seen[] => {
    if (follows === undefined) return last;
    return follows === null ? [] : (paths.get(follows) ?? []);
  };
  for (let step = -1; step < upTo; step++) {
    for (const message of episode.messages.filter((each) => each.bornAtStep === step)) {
      const seen: Seen = { msgId: message.msgId, state: 'verbatim' };
      born.push(seen);
      last = [...parentOf(message.follows), seen];
      paths.set(message.msgId, last);
    }
    for (const edit of episode.edits.filter((each) => each.step === step)) {
      for (const seen of born.filter((each) => edit.msgIds.includes(each.msgId))) {
        if (edit.kind === 'delete' && seen.state === 'verbatim') Object.assign(seen, { state: 'stub', edit });
        if (edit.kind === 'compact' && seen.state !== 'removed')
          Object.assign(seen, { state: 'removed', edit });
      }
    }
  }
  const emission = episode.messages.find((each) => each.bornAtStep === upTo && each.origin === 'policy');
  return emission === undefined ? last : parentOf(emission.follows);
}

function seenAt(episode: Episode, step: number): Seen[] {
  return viewAt(episode, step).map(({ message, ...rest }) => ({ msgId: message.msgId, ...rest }));
}

const stepsAndEnd = (episode: Episode): number[] => [...episode.steps.keys(), episode.steps.length];

/** An episode and two of its steps, the final context included. */
const withTwoSteps = episodes().chain((episode) =>
  fc.tuple(fc.constant(episode), fc.nat(episode.steps.length), fc.nat(episode.steps.length)),
);

describe('viewAt', () => {
  it('equals a naive replay', () => {
    fc.assert(
      fc.property(episodes(), (episode) => {
        for (const step of stepsAndEnd(episode)) {
          expect(seenAt(episode, step)).toEqual(replay(episode, step));
        }
      }),
      { numRuns: 500 },
    );
  });

  it('gives the final context for every step past the end, and the prompt for every step before the first', () => {
    fc.assert(
      fc.property(episodes(), fc.integer({ min: 1, max: 5 }), (episode, beyond) => {
        const end = episode.steps.length;
        expect(seenAt(episode, end + beyond)).toEqual(seenAt(episode, end));
        expect(seenAt(episode, -beyond)).toEqual(seenAt(episode, 0));
      }),
    );
  });

  it('copies no message', () => {
    fc.assert(
      fc.property(episodes(), (episode) => {
        const originals = new Set(episode.messages);
        const view = viewAt(episode, episode.steps.length);
        expect(view.every(({ message }) => originals.has(message))).toBe(true);
      }),
    );
  });

  it('ends where hostile parents make a cycle', () => {
    const messages = [
      messageOf(0, 'prompt', { bornAtStep: -1, follows: 1 }),
      messageOf(1, 'policy', { bornAtStep: 0, follows: 1 }),
      messageOf(2, 'policy', { bornAtStep: 1, follows: 0 }),
    ];
    expect(seenAt(episodeOf({ messages }), 1).map(({ msgId }) => msgId)).toEqual([0]);
  });
});

describe('ghostsAt', () => {
  it('holds the original of every entry that is not verbatim, and the edit that took it', () => {
    fc.assert(
      fc.property(withTwoSteps, ([episode, step]) => {
        const gone = replay(episode, step).filter(({ state }) => state !== 'verbatim');
        expect(ghostsAt(episode, step).map(({ message, edit }) => [message.msgId, edit])).toEqual(
          gone.map(({ msgId, edit }) => [msgId, edit]),
        );
      }),
    );
  });
});

describe('viewDiff', () => {
  it('turns the one view into the other', () => {
    fc.assert(
      fc.property(withTwoSteps, ([episode, from, to]) => {
        const seen = new Map(replay(episode, from).map(({ msgId, state }) => [msgId, state]));
        const diff = viewDiff(episode, from, to);
        for (const msgId of diff.removed) seen.delete(msgId);
        for (const msgId of diff.added) seen.set(msgId, 'verbatim');
        for (const msgId of diff.stubbed) seen.set(msgId, 'stub');

        const inOrder = episode.messages.flatMap(({ msgId }) => {
          const state = seen.get(msgId);
          return state === undefined || state === 'removed' ? [] : [[msgId, state]];
        });
        const expected = replay(episode, to).filter(({ state }) => state !== 'removed');
        expect(inOrder).toEqual(expected.map(({ msgId, state }) => [msgId, state]));
      }),
      { numRuns: 500 },
    );
  });

  it('names nothing between a view and itself', () => {
    fc.assert(
      fc.property(withTwoSteps, ([episode, step]) => {
        expect(viewDiff(episode, step, step)).toEqual({ added: [], stubbed: [], removed: [] });
      }),
    );
  });
});

describe('broughtBy', () => {
  it('splits the history among the prompt and the steps', () => {
    fc.assert(
      fc.property(episodes(), (episode) => {
        const brought = [-1, ...stepsAndEnd(episode)].flatMap((step) => {
          const { emitted, answered } = broughtBy(episode, step);
          return [...emitted, ...answered];
        });
        expect(brought.map(({ msgId }) => msgId)).toEqual(episode.messages.map(({ msgId }) => msgId));
        expect(broughtBy(episode, episode.steps.length + 1)).toEqual({ emitted: [], answered: [] });
      }),
    );
  });
});

/** One assistant and one tool message per step; every fifth step deletes the last ten results, half of them again. */
function longEpisode(steps: number): Episode {
  const messages = [messageOf(0, 'prompt', { bornAtStep: -1 })];
  const edits: ContextEdit[] = [];
  for (let step = 0; step < steps; step++) {
    const callId = `call_${step}`;
    const msgId = messages.length;
    messages.push(messageOf(msgId, 'policy', { bornAtStep: step, parts: [callPart(callId)] }));
    messages.push(messageOf(msgId + 1, 'environment', { bornAtStep: step, toolResultFor: [callId] }));
    if (step % 5 === 4) {
      const msgIds = Array.from({ length: 10 }, (_, back) => msgId + 1 - 2 * back).filter((id) => id > 0);
      edits.push({ step, kind: 'delete', msgIds });
    }
  }
  return episodeOf({ messages, edits });
}

function indexEntries(episode: Episode): number {
  const { byId, positions, bornBefore, editsOf, calls, results } = historyOf(episode);
  const answers = [...results.values()].reduce((sum, each) => sum + each.length, 0);
  return byId.size + positions.size + bornBefore.length + editsOf.size + calls.size + answers;
}

describe('an episode of 10,000 messages and 1,000 deletes', () => {
  const episode = longEpisode(5000);

  it('is as large as said', () => {
    expect(episode.messages.length).toBe(10_001);
    expect(episode.edits.length).toBe(1000);
  });

  it('has an index that grows with the history, not with history times deletes', () => {
    expect(indexEntries(episode)).toBeLessThan(11 * indexEntries(longEpisode(500)));
    expect(indexEntries(episode)).toBeLessThan(5 * episode.messages.length);
  });

  it('has a stub for every deleted result and everything else as it was', () => {
    for (const step of [0, 4, 5, 2500, 5000]) {
      expect(seenAt(episode, step).length).toBe(1 + 2 * step);
      const stubs = seenAt(episode, step).filter(({ state }) => state === 'stub');
      expect(stubs.length).toBe(step - (step % 5));
    }
  });
});
