import * as fc from 'fast-check';
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import {
  contextIds,
  editsFrom,
  lintEpisode,
  maskAt,
  noteEditsFrom,
  samplesOf,
  seenAs,
  snapshotsOf,
  type ContextEdit,
  type Episode,
} from '../model';
import { chatMl } from '../tokens';
import type { LoopEvent } from './events';
import { foldEpisode } from './fold';
import { characters, echoEnvironment, loopOf } from './loop.fixtures';
import { createEncoder } from './encoder';
import type { Loop } from './loop';
import type { PolicyRequest } from './policy';
import { scriptedPolicy } from './policies/scripted';
import { plannedRuns, type PlannedRun } from './runs.fixtures';

interface Ran {
  loop: Loop;
  episode: Episode;
  requests: PolicyRequest[];
  /** The episode after each event. */
  episodes: Episode[];
}

function startOf({ script, config, userTurns, prompt }: PlannedRun, log?: readonly LoopEvent[]) {
  const requests: PolicyRequest[] = [];
  const policy = scriptedPolicy(script);
  const loop = loopOf({
    config,
    ...(log === undefined ? {} : { log }),
    policy: {
      name: 'scripted',
      emit: (request) => {
        requests.push(request);
        return policy.emit(request);
      },
    },
    environment: echoEnvironment(
      userTurns ? { interact: () => Promise.resolve({ text: 'Go on.', reward: 0.5 }) } : {},
    ),
    task: { id: '0', title: 'Find it', messages: prompt },
  });
  return { loop, requests };
}

async function run(plan: PlannedRun): Promise<Ran> {
  const { loop, requests } = startOf(plan);
  const episodes = [loop.episode];
  while (!loop.done) {
    await loop.advance();
    episodes.push(loop.episode);
  }
  return { loop, requests, episodes, episode: loop.episode };
}

function law(
  name: string,
  check: (ran: Ran, plan: PlannedRun) => void | Promise<void>,
  parameters: fc.Parameters<[PlannedRun]> = {},
): void {
  test(name, async () => {
    await fc.assert(
      fc.asyncProperty(plannedRuns, async (plan) => {
        await check(await run(plan), plan);
      }),
      parameters,
    );
  });
}

law('what the policy was sent is what the episode shows at that step', ({ episode, requests }) => {
  const sent = requests.slice(0, episode.steps.length);
  sent.forEach(({ messages, step }) => expect(seenAs(episode, step)).toEqual(messages));
  expect(sent.map(({ step }) => step)).toEqual(episode.steps.map(({ index }) => index));
});

law('what the policy was sent is what its tokens say', ({ episode, requests }) => {
  const encoder = createEncoder(characters, chatMl);
  let rendered = -1;
  episode.steps.forEach(({ tokens }, step) => {
    const before = episode.steps[step - 1]?.tokens;
    const request = requests[step];
    if (tokens === undefined || request === undefined) throw new Error('no tokens');
    const isRendered =
      before === undefined ||
      episode.statelm?.dialect === 'inference' ||
      episode.edits.some((edit) => edit.step === step - 1);
    if (isRendered) {
      rendered = step;
      expect([...tokens.promptIds]).toEqual([...encoder.prompt(request.messages, request.tools)]);
    } else {
      // In between the context grows by what was appended, and by nothing else.
      const context = contextIds(before);
      expect(tokens.promptIds.subarray(0, context.length)).toEqual(context);
      const count = requests[step - 1]?.messages.length ?? 0;
      const appended = encoder.appended(request.messages.slice(count + 1));
      expect([...tokens.promptIds.subarray(context.length)]).toEqual([...appended]);
    }
    expect(rendered).toBeGreaterThanOrEqual(0);
  });
});

function expectTrainedOnce(episode: Episode): void {
  const trained = episode.steps.map(() => 0);
  for (const { tokens, firstStep, lastStep } of samplesOf(episode)) {
    if (tokens === undefined) throw new Error('a sample without tokens');
    const context = [...tokens.promptIds, ...tokens.responseIds];
    let covered = 0;
    for (let step = firstStep; step <= lastStep; step++) {
      const { promptIds, generationIds } = episode.steps[step]?.tokens ?? {};
      const turn = tokens.turns[step - firstStep];
      if (promptIds === undefined || generationIds === undefined || turn === undefined)
        throw new Error('no turn');
      expect([...tokens.responseIds.subarray(...turn)]).toEqual([...generationIds]);
      expect(context.slice(0, promptIds.length)).toEqual([...promptIds]);
      trained[step] = (trained[step] ?? 0) + 1;
      covered += generationIds.length;
    }
    expect(tokens.trained.reduce((sum, [start, end]) => sum + end - start, 0)).toBe(covered);
  }
  expect(trained).toEqual(episode.steps.map(() => 1));
}

law('every emitted token is trained in exactly one sample, under the view it was emitted in', ({ episode }) =>
  expectTrainedOnce(episode),
);

law('an edit makes one snapshot and one sample', ({ episode }) => {
  const edited = new Set(episode.edits.map(({ step }) => step));
  expect(edited.size).toBe(episode.edits.length);
  expect(snapshotsOf(episode).map(({ step }) => step)).toEqual([...edited]);
  if (episode.statelm?.dialect !== 'inference' && episode.steps.length > 0) {
    expect(samplesOf(episode)).toHaveLength(edited.size + 1);
  }
});

const once = (edits: readonly ContextEdit[]) =>
  edits.map((edit) => ({ ...edit, msgIds: [...new Set(edit.msgIds)] }));

law('edits and notes are those that the history tells', ({ episode }, { config, userTurns }) => {
  if (!config.statelm_enabled || config.max_tool_response_length < 100) return;
  expect(episode.notes).toEqual(noteEditsFrom(episode.messages, config.dialect));
  // An id can be taken before a user turn gets it; the history alone would not tell.
  if (userTurns) return;
  expect(once(episode.edits)).toEqual(once(editsFrom(episode.messages)));
});

law(
  'a prefix of the log is the episode as it was then',
  ({ loop, episodes }) => {
    episodes.forEach((episode, count) => {
      expect(isDeepStrictEqual(foldEpisode(loop.log.slice(0, count + 1)), episode)).toBe(true);
    });
  },
  { numRuns: 40 },
);

law('a log is plain JSON', ({ loop, episode }) => {
  const again: LoopEvent[] = JSON.parse(JSON.stringify(loop.log));
  expect(isDeepStrictEqual(again, loop.log)).toBe(true);
  expect(isDeepStrictEqual(foldEpisode(again), episode)).toBe(true);
});

law(
  'a run goes on from any prefix of its log as it did before',
  async ({ loop, episode }, plan) => {
    for (let length = 1; length <= loop.log.length; length += 2) {
      const { loop: again } = startOf(plan, loop.log.slice(0, length));
      while (!again.done) await again.advance();
      expect(isDeepStrictEqual(again.log, loop.log)).toBe(true);
      expect(isDeepStrictEqual(again.episode, episode)).toBe(true);
    }
  },
  { numRuns: 40 },
);

law('ids are counted once, and results name the assistant that called', ({ episode }) => {
  const ids = episode.messages.map(({ msgId }) => msgId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const message of episode.messages) {
    if (message.role !== 'tool' || episode.statelm === undefined) continue;
    const caller = episode.messages.findLast(
      ({ role, bornAtStep }) => role === 'assistant' && bornAtStep === message.bornAtStep,
    );
    expect(message.invokedBy).toBe(caller?.msgId);
  }
});

law('the mask is what was emitted since the last edit', ({ episode }) => {
  if (episode.statelm?.dialect === 'inference') return;
  episode.steps.forEach((_, step) => {
    const mask = maskAt(episode, step + 1);
    const last = episode.edits.findLast((edit) => edit.step < step + 1)?.step ?? -1;
    const since = episode.steps.slice(last + 1, step + 1);
    const ones = since.reduce((sum, { tokens }) => sum + (tokens?.generationIds.length ?? 0), 0);
    expect(mask?.trained.reduce((sum, [start, end]) => sum + end - start, 0)).toBe(ones);
  });
});

law('a live episode has no errors but those of its policy', ({ episode }) => {
  // Contexts with broken calls in them cannot be read back from their tokens.
  const { tokenIds: _, ...unread } = episode;
  const found = lintEpisode(unread).filter(
    ({ severity, rule }) => severity === 'error' || rule === 'view-differs',
  );
  expect(found.filter(({ rule }) => !ofThePolicy.has(rule))).toEqual([]);
});

const ofThePolicy: ReadonlySet<string> = new Set(['arguments-not-json', 'unknown-delete']);

test('what a person changes on the way breaks none of it', async () => {
  const changes = fc.array(fc.constantFrom('nothing', 'emission', 'results'), { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(plannedRuns, changes, async (plan, wanted) => {
      const { loop, requests } = startOf(plan);
      while (!loop.done) {
        await loop.advance();
        const last = loop.log.at(-1);
        const change = wanted[loop.log.length % wanted.length];
        if (change === 'emission' && last?.type === 'emitted') {
          const toolCalls = [{ name: 'read', arguments: '{"text": "amended"}' }];
          loop.amend({ kind: 'emission', emission: { text: 'Rather so.', toolCalls } });
        }
        if (change === 'results' && last?.type === 'answered' && last.messages.length > 0) {
          loop.amend({ kind: 'results', texts: new Map([[0, '{"amended": true}']]) });
        }
      }
      const { episode } = loop;
      requests.slice(0, episode.steps.length).forEach(({ messages, step }) => {
        expect(seenAs(episode, step)).toEqual(messages);
      });
      expectTrainedOnce(episode);
      expect(isDeepStrictEqual(foldEpisode(loop.log), episode)).toBe(true);
      const marked = episode.messages.filter(({ edited }) => edited === true).length;
      expect(episode.metrics['messages_edited_by_hand'] ?? 0).toBe(marked);
    }),
  );
});
