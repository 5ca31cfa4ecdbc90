import { describe, expect, it } from 'vitest';
import type { Episode, Message } from '../episode';
import { callPart, episodeOf, messageOf } from '../episode.fixtures';
import { chatMessage, type ChatMessage } from '../chat';
import { recordViews } from '../recorded';
import { seenAs } from '../seen';
import { compareView } from './agreement';
import { editsFrom } from './deletes';
import { maskAt, samplesOf, snapshotsOf } from './samples';

/** Calls and results in turn, every tenth call a delete of the result before it; tokens share one buffer per render. */
function long(steps: number): Episode {
  const history: Message[] = [
    messageOf(0, 'prompt', { bornAtStep: -1, parts: [{ kind: 'text', text: 'Go.' }] }),
  ];
  for (let step = 0; step < steps; step++) {
    const id = 2 * step + 1;
    const deletes = step % 10 === 9;
    const call = deletes
      ? callPart(`c${step}`, 'deleteContext', `{"message_ids": [${id - 1}]}`)
      : callPart(`c${step}`, 'readChunk', '{}');
    const answer = deletes
      ? 'Successfully deleted 1 message(s) from context.'
      : `{"text": "${'x'.repeat(100)}"}`;
    history.push(
      messageOf(id, 'policy', { bornAtStep: step, parts: [call] }),
      messageOf(id + 1, 'environment', {
        bornAtStep: step,
        invokedBy: id,
        toolResultFor: [`c${step}`],
        parts: [{ kind: 'text', text: answer }],
      }),
    );
  }
  return episodeOf({ messages: history, edits: editsFrom(history), statelm: { dialect: 'rl' } });
}

/** Strings and messages that views of an episode hold, each counted once. */
function held(episode: Episode): number {
  const seen = new Set<unknown>();
  for (let step = 0; step <= episode.steps.length; step += 97) {
    for (const message of seenAs(episode, step)) seen.add(message);
  }
  return seen.size;
}

describe('an episode of ten thousand messages and five hundred deletes', () => {
  it('shares the messages of its views: twice the episode holds twice as many', () => {
    const [small, large] = [held(long(2_500)), held(long(5_000))];
    expect(large / small).toBeLessThan(2.2);
    expect(small).toBeLessThan(3 * 5_001 + 2_500);
  });

  it('keeps a snapshot as a position and a sample as ranges', () => {
    const episode = long(5_000);
    expect(snapshotsOf(episode)).toHaveLength(500);
    expect(samplesOf(episode)).toHaveLength(501);
    expect(maskAt(episode, 4_000)).toBeUndefined();
    expect(JSON.stringify(snapshotsOf(episode)).length).toBeLessThan(500 * 300);
  });

  it('reads a recorded message once to hold all its views against the rebuilt ones', () => {
    const { statelm: _, ...episode } = { ...long(200), edits: [] };
    let reads = 0;
    const recorded = episode.messages.map((message): ChatMessage => {
      const { content, ...chat } = chatMessage(message);
      return Object.defineProperty({ ...chat, content }, 'content', {
        get() {
          reads += 1;
          return content;
        },
      });
    });
    const views = recordViews(
      episode.steps.map(({ index }) => ({ step: index, messages: recorded.slice(0, 2 * index + 1) })),
      (a, b) => a === b,
    );
    const compared: Episode = { ...episode, recordedViews: views };
    for (const { index } of compared.steps) expect(compareView(compared, index)).toBe('agrees');
    expect(reads).toBeLessThanOrEqual(recorded.length);
  });
});
