import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chatOf, partText, viewAt, type Episode } from '../../model';
import { expectSound, recordOf } from '../harness.fixtures';
import { callLogs, contextIdsOf, idsOf, seen } from '../model-calls.fixtures';
import { detectFormat } from '../registry';
import { rllmEpisode } from './episode';
import { episodeNamed, rllmFrom, trajectoryFrom, type EpisodeName } from './rllm.fixtures';

const allOf = (value: unknown): Episode[] => expectSound(rllmEpisode, recordOf(value, 3));

function only(value: unknown): Episode {
  const [episode] = allOf(value);
  if (episode === undefined) throw new Error('no episode');
  return episode;
}

const imported = (name: EpisodeName): Episode => only(episodeNamed(name));

function told({ messages }: Episode): string[] {
  return messages.map(({ bornAtStep, origin, role, parts, follows }) => {
    const after = follows === undefined ? '' : ` after ${follows}`;
    return `${bornAtStep} ${origin} ${role}${after}: ${parts.map((part) => `${part.kind} ${partText(part)}`).join(' | ')}`;
  });
}

const reasons = ({ gaps }: Episode, about: string): string[] =>
  gaps.filter((gap) => gap.about === about).map(({ reason }) => reason);

describe('the history', () => {
  const two = [
    '-1 prompt user: text Where?',
    '0 policy assistant: reasoning hm | text Look. | call look({})',
    '0 environment tool: text here',
    '1 policy assistant: text Here.',
  ];
  test.each<[EpisodeName, string[]]>([
    ['two steps', two],
    ['thoughts that later steps leave out', two],
    [
      'a context that was summarised',
      [...two, '1 prompt user after null: text Summary: here.', '2 policy assistant: text Done.'],
    ],
    [
      'no chat',
      [
        '-1 prompt user: text {"door":"shut"}',
        '0 policy assistant: reasoning <think>a door</think> | text open',
        '0 environment user: text An open door.',
        '1 policy assistant: text {"go":1}',
      ],
    ],
    [
      'a chat that ends with the question',
      ['-1 prompt user: text Where?', '0 policy assistant: reasoning <think>a door</think> | text open'],
    ],
    [
      'thoughts in the response only',
      ['-1 prompt user: text Where?', '0 policy assistant: reasoning <think>a door</think> | text open'],
    ],
    [
      'a conversation in one step',
      [
        '-1 prompt user: text Where?',
        '-1 prompt assistant: reasoning hm | text Look. | call look({})',
        '-1 prompt tool: text here',
        '0 policy assistant: text Here.',
      ],
    ],
    [
      'a step that says nothing',
      ['-1 prompt user: text Where?', '0 policy assistant: ', '1 policy assistant: '],
    ],
    ['no trajectory', []],
  ])('of %s', (name, expected) => {
    expect(told(imported(name))).toEqual(expected);
  });

  test('shows every step the conversation it was made in', () => {
    fc.assert(
      fc.property(callLogs, (calls) => {
        const episode = only(rllmFrom([trajectoryFrom(calls)]));
        expect(episode.steps).toHaveLength(calls.length);
        calls.forEach(({ context }, step) => {
          expect(chatOf(viewAt(episode, step))).toEqual(context.map(seen));
        });
      }),
    );
  });

  test('has every message once, also where later steps leave out thoughts', () => {
    fc.assert(
      fc.property(callLogs, (calls) => {
        const [kept, dropped] = [true, false].map((keepsThoughts) =>
          only(rllmFrom([trajectoryFrom(calls, { keepsThoughts })])),
        );
        expect(dropped?.messages).toEqual(kept?.messages);
        const words = calls
          .flatMap(({ context, emitted }) => [...context, emitted])
          .map(({ content }) => content);
        expect(kept?.messages).toHaveLength(new Set(words).size);
      }),
    );
  });

  test('says what is not as recorded', () => {
    expect(reasons(imported('two steps'), 'views')).toEqual([]);
    expect(reasons(imported('thoughts that later steps leave out'), 'views')).toEqual([
      expect.stringContaining('leave out the thoughts'),
    ]);
    expect(reasons(imported('a context that was summarised'), 'views')).toEqual([
      expect.stringContaining('The context of step 2 does not go on'),
    ]);
    expect(reasons(imported('no chat'), 'views')).toEqual([expect.stringContaining('put together')]);
    expect(reasons(imported('a conversation in one step'), 'messages')).toEqual([
      expect.stringContaining('shown as given'),
    ]);
  });

  test('is linear in a trajectory without a chat', () => {
    const step = { observation: 'x', model_response: 'y', chat_completions: [] };
    const episode = only(rllmFrom([{ reward: 1, steps: Array.from({ length: 20_000 }, () => step) }]));
    expect(episode.steps).toHaveLength(20_000);
  });
});

test('the tokens of every step are its own', () => {
  fc.assert(
    fc.property(callLogs, (calls) => {
      const { steps } = only(rllmFrom([trajectoryFrom(calls, { withTokens: true })]));
      calls.forEach(({ context, emitted }, index) => {
        const tokens = steps[index]?.tokens;
        expect(Array.from(tokens?.promptIds ?? [])).toEqual([...contextIdsOf(context), 'assistant'.length]);
        expect(Array.from(tokens?.generationIds ?? [])).toEqual(idsOf(emitted).slice(1));
        expect(tokens?.logprobs?.[0]).toBe(-(idsOf(emitted)[1] ?? NaN) / 1024);
      });
    }),
  );
  expect(reasons(imported('token ids'), 'tokens')).toEqual([expect.stringContaining('no loss masks')]);
  expect(reasons(imported('two steps'), 'tokens')).toEqual([expect.stringContaining('no token ids')]);
});

test('every trajectory is an episode', () => {
  const episodes = allOf(episodeNamed('two agents'));
  expect(episodes.map(({ id, title }) => `${id} ${title}`)).toEqual([
    '3.0 solver: Where?',
    '3.1 judge: Where?',
  ]);
  expect(episodes.map(({ steps }) => steps.length)).toEqual([2, 1]);
  expect(episodes.map(({ outcome }) => outcome.reward)).toEqual([1, undefined]);
  expect(episodes[1]?.metrics).toMatchObject({ agent: 'judge', fit: 0.5 });
  expect(episodes[1]?.messages[0]?.raw).toEqual(['/trajectories/1/steps/0/chat_completions/0']);
});

describe('the outcome', () => {
  test('is that of trajectory and episode', () => {
    const { outcome, metrics, task } = imported('two steps');
    expect(outcome).toEqual({ components: {}, reward: 1, verdict: 'correct', termination: 'env_done' });
    expect({ ...metrics }).toEqual({
      training_step: 7,
      epoch: 0,
      task_hash: '1f6a0b2c',
      acc: 1,
      agent: 'solver',
      step_reward_total: 0.25,
    });
    expect(task).toEqual({ key: 'task-4', rollout: 2 });
  });

  test.each([
    [null, undefined],
    [undefined, undefined],
    [NaN, 'not-a-number'],
    ['1', 'not-a-number'],
  ])('has no reward where it is %s', (reward, noReward) => {
    const episode = only(rllmFrom([trajectoryFrom([], {}, { reward })]));
    expect(episode.outcome.reward).toBeUndefined();
    expect(episode.outcome.noReward).toBe(noReward);
    expect(reasons(episode, 'reward')).toHaveLength(1);
  });

  test('is there for an episode that never began', () => {
    const episode = imported('no trajectory');
    expect(episode.outcome).toMatchObject({ verdict: 'not correct', termination: 'error' });
    expect(episode.task).toEqual({ key: 'task-4', rollout: 2, attempt: 1 });
    expect(reasons(episode, 'messages')).toEqual([expect.stringContaining('no steps')]);
  });
});

test('a message is counted once', () => {
  const [summary] = rllmEpisode.summarise(recordOf(episodeNamed('two steps')));
  expect(summary?.counts).toMatchObject({ messages: 3, toolCalls: 1, toolResults: 1, reasoning: 1 });
});

test('is recognised by its fields alone', () => {
  expect(detectFormat(episodeNamed('two steps'))?.id).toBe('rllm_episode');
  expect(detectFormat(episodeNamed('no trajectory'))?.id).toBe('rllm_episode');
  expect(detectFormat({ trajectories: [{ steps: [{ action: 1 }] }] })?.id).toBe('json');
});
