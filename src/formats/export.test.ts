import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seenAs, type Episode } from '../model';
import { episodes } from '../model/episode.fixtures';
import { chatFixtures } from './chat/chat.fixtures';
import { exportEpisode, exporters, findExporter, type Exported } from './export';
import { recordOf, type Fixture } from './harness.fixtures';
import { nemoGymFixtures } from './nemo-gym/nemo-gym.fixtures';
import { detectFormat } from './registry';
import { wholeEpisodes } from './rollscope/rollscope.fixtures';
import { plans, runInference, runRl } from './statelm/loop.fixtures';
import { verifiersFixtures } from './verifiers/verifiers.fixtures';
import { verlFixtures } from './verl/verl.fixtures';

function imported(value: unknown, text = JSON.stringify(value)): Episode {
  const format = detectFormat(value);
  if (format === undefined) throw new Error('no format');
  return format.episode({ ...recordOf(value), text }, 0);
}

function exported(episode: Episode, to: string): Exported {
  const exporter = findExporter(to);
  if (exporter === undefined) throw new Error(`no exporter ${to}`);
  return exportEpisode(episode, exporter);
}

function reimported(episode: Episode, to: string): Episode {
  const { text } = exported(episode, to);
  return imported(JSON.parse(text), text);
}

/** A history without its places in the source, and without the times that only some formats keep. */
function history({ messages, steps, outcome, task }: Episode): unknown {
  return {
    messages: messages.map((message) => ({ ...message, raw: [], timing: undefined })),
    steps: steps.map((step) => ({ ...step, timing: undefined })),
    reward: outcome.reward,
    task,
  };
}

const named = (fixtures: readonly Fixture[]): [string, Fixture][] =>
  fixtures.map((each) => [each.name, each]);

test.each(exporters.map((exporter) => [exporter.id, exporter] as const))(
  '%s writes any episode on one line, and nothing that is lost goes unsaid',
  (_, exporter) => {
    fc.assert(
      fc.property(fc.oneof(episodes(), wholeEpisodes()), (episode) => {
        const { text, losses } = exportEpisode(episode, exporter);
        expect(text).not.toContain('\n');
        expect(losses.every((loss) => loss.endsWith('.'))).toBe(true);
        const again = imported(JSON.parse(text), text);
        const isSame = isDeepStrictEqual(texts(again), texts(episode));
        // A conversation that comes back in other words, or with other edits, has lost something.
        if (!isSame || again.edits.length !== episode.edits.length) expect(losses).not.toEqual([]);
      }),
    );
  },
);

function texts({ messages }: Episode): unknown {
  return structuredClone(messages.map(({ role, parts }) => [role, parts]));
}

test.each(named([...nemoGymFixtures, ...verlFixtures, ...verifiersFixtures, ...chatFixtures]))(
  "Rollscope's own format loses nothing of %s",
  (_, { value }) => {
    expect(exported(imported(value), 'rollscope').losses).toEqual([]);
  },
);

describe('NeMo Gym', () => {
  const rollouts = nemoGymFixtures.filter(
    ({ format }) => format === 'nemo_gym_rollout' || format === 'nemo_gym_failure',
  );
  const lossesOf: Record<string, string[]> = {
    'reasoning in all its forms': ['Encrypted thoughts: not the same in 1 message, first in message 1.'],
    'snapshots that hide old states': ['2 context edits are left out, or not the same.'],
    'a rollout that was watched': [
      'How long a tool took: not the same in 1 message, first in message 2.',
      'When 3 steps ran, and how long, is left out.',
      '1 context edit is left out, or not the same.',
    ],
    'snapshots that leave old turns out': ['3 context edits are left out, or not the same.'],
  };

  test.each(named(rollouts))('gives back its own rollouts: %s', (name, { value }) => {
    const episode = imported(value);
    expect(exported(episode, 'nemo-gym').losses).toEqual(lossesOf[name] ?? []);
    if (name === 'reasoning in all its forms') return;
    expect(history(reimported(episode, 'nemo-gym'))).toEqual(history(episode));
  });

  test('has a row as its own writer makes it', () => {
    const episode = imported(rollouts[0]?.value);
    const row: unknown = JSON.parse(exported(episode, 'nemo-gym').text);
    expect(row).toMatchObject({
      _ng_task_index: 17,
      responses_create_params: {
        input: [
          { type: 'message', role: 'developer', content: 'Count.' },
          { type: 'message', role: 'user', content: 'Add 1.' },
        ],
      },
      response: {
        object: 'response',
        output: [
          { type: 'reasoning', summary: [{ type: 'summary_text' }] },
          { type: 'function_call', call_id: 'c1' },
          { type: 'function_call_output', call_id: 'c1', output: '{"count":1}' },
          { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'It is 1.' }] },
        ],
      },
      reward: 1,
    });
  });

  test('says that calls without anything between them become one', () => {
    const value = {
      messages: [
        { role: 'user', content: 'Read' },
        { role: 'assistant', content: 'a' },
        { role: 'user', content: 'and' },
        { role: 'assistant', content: 'b' },
      ],
    };
    const episode = imported(value);
    const apart: Episode = {
      ...episode,
      messages: episode.messages.filter((_, index) => index !== 2).map((each, msgId) => ({ ...each, msgId })),
    };
    expect(exported(apart, 'nemo-gym').losses).toEqual([expect.stringMatching(/^2 steps become 1/)]);
  });
});

describe('StateLM', () => {
  test('gives back what its RL loop left: history, tokens, edits, notes, masks and every view', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        const { text } = runRl(plan);
        const episode = imported(JSON.parse(text), text);
        const { losses } = exported(episode, 'statelm');
        expect(losses).toEqual([]);
        const again = reimported(episode, 'statelm');
        expect(again.format).toBe('statelm_agentdata');
        expect(again.statelm).toEqual(episode.statelm);
        for (let step = 0; step <= episode.steps.length; step++) {
          expect(seenAs(again, step)).toEqual(seenAs(episode, step));
        }
      }),
      { numRuns: 60 },
    );
  });

  test('gives back what its inference code left, views included', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        const text = runInference(plan).result;
        const episode = imported(JSON.parse(text), text);
        const again = reimported(episode, 'statelm');
        expect(exported(episode, 'statelm').losses).toEqual([]);
        expect(again.format).toBe('statelm_inference_result');
        for (let step = 0; step <= episode.steps.length; step++) {
          expect(seenAs(again, step)).toEqual(seenAs(episode, step));
        }
      }),
      { numRuns: 60 },
    );
  });

  test('takes other conversations as a saved trajectory, or as a result where they have a system prompt', () => {
    const plain = chatFixtures.find(({ name }) => name === 'function calls of the old kind');
    const system = chatFixtures.find(({ name }) => name === 'questions and answers');
    expect(reimported(imported(plain?.value), 'statelm').format).toBe('statelm_save_trajectory');
    expect(reimported(imported(system?.value), 'statelm').format).toBe('statelm_inference_result');
    expect(exported(imported(system?.value), 'statelm').losses).toContainEqual(
      expect.stringMatching(/^Images/),
    );
  });
});

test.each(named(chatFixtures.filter(({ format }) => format === 'openai_chat')))(
  'OpenAI chat gives back its own conversations: %s',
  (_, { value }) => {
    const episode = imported(value);
    const again = reimported(episode, 'openai');
    expect(again.format).toBe('openai_chat');
    expect(history(again)).toEqual(history(episode));
    expect(again.tools).toEqual(episode.tools);
  },
);
