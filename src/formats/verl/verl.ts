import {
  at,
  excerpt,
  noCounts,
  numberAt,
  stringAt,
  type Episode,
  type Gap,
  type Outcome,
  type TaskRef,
} from '../../model';
import { jsonText } from '../bounded';
import { fingerprint } from '../fingerprint';
import type { Format, SourceRecord } from '../format';
import { metricsOf } from '../metrics';
import { titleFrom } from '../title';
import { toolSpecs } from '../tool-specs';
import { countSteps, readHistory, saidBy, splitTranscripts, type Transcripts } from './history';
import { toolsIn } from './parts';

/**
 * `<dir>/{global_step}.jsonl` of verl's `trainer.rollout_data_dir` and `trainer.validation_data_dir`
 * (https://github.com/verl-project/verl, `_dump_generations`): one training sample per line, decoded without special
 * tokens.
 *
 *     {
 *       input: 'system\nYou are a math expert.\nuser\nWhat is 48 + 24?\nassistant\n',
 *       output: '<think>\nEasy.\n</think>\n\n72',
 *       gts: '72', score: 1.0, step: 5,
 *       acc: true, pred: '72', ...whatever else the reward function returned
 *     }
 *
 * There are no messages, token ids or masks, and `score` can be a bare `NaN`. `step` is the training step. Which rows
 * are rollouts of one task is told by `uid` where there is one: `{sample}_{rollout}_{output}`, where a session whose
 * context was edited has several outputs; else by the same `input` and `gts`.
 */
export const verlDump: Format = {
  id: 'verl_dump',
  name: 'verl dump',
  unit: 'record',
  // Fine-tuning files have `input` and `output` too.
  confidence: (value) =>
    stringAt(value, 'input') !== undefined &&
    stringAt(value, 'output') !== undefined &&
    at(value, 'score') !== undefined &&
    numberAt(value, 'step') !== undefined
      ? 0.95
      : 0,
  summarise(record) {
    const { transcripts, title, task, outcome, metrics, gaps } = draftOf(record);
    const steps = countSteps(transcripts);
    return [
      {
        title,
        task,
        ...(outcome.reward === undefined ? {} : { reward: outcome.reward }),
        // The text is no list of messages.
        counts: noCounts(),
        steps,
        edits: 0,
        samples: steps === 0 ? 0 : 1,
        metrics,
        gaps: [...new Set(gaps.map(({ about }) => about))],
      },
    ];
  },
  episode(record) {
    const { transcripts, title, task, outcome, metrics, gaps } = draftOf(record);
    const history = readHistory(transcripts);
    return {
      id: String(record.index),
      format: 'verl_dump',
      title,
      task,
      tools: toolSpecs(toolsIn(saidBy('system', transcripts))),
      messages: history.messages,
      steps: history.steps,
      edits: [],
      outcome,
      metrics,
      gaps: [...gaps, ...history.gaps],
    };
  },
};

interface Draft extends Pick<Episode, 'title' | 'outcome' | 'metrics' | 'gaps'> {
  transcripts: Transcripts;
  task: TaskRef;
}

/** Shown elsewhere: as messages, reward, task and training step. */
const notMetrics = new Set(['input', 'output', 'score', 'step', 'uid']);

function draftOf({ value, index }: SourceRecord): Draft {
  const input = stringAt(value, 'input') ?? '';
  const transcripts = splitTranscripts(input, stringAt(value, 'output') ?? '', environmentTurns(value));
  const session = sessionOf(value);
  const score = numberAt(value, 'score');
  const step = numberAt(value, 'step');
  const prompt = fingerprint(`${input}\n${jsonText(at(value, 'gts') ?? null)}`);
  const metrics = metricsOf(value, notMetrics);
  // Validation repeats the score as a reward.
  if (metrics['reward'] === score) delete metrics['reward'];
  if (step !== undefined) metrics['training_step'] = step;
  // The id is another one at each training step: this follows a prompt over all of them.
  if (session !== undefined) metrics['prompt'] = prompt;
  return {
    transcripts,
    title: titleFrom(saidBy('user', transcripts), `Sample ${index}`),
    task: session ?? { key: prompt },
    outcome: { components: {}, ...(score === undefined ? noReward(value) : { reward: score }) },
    metrics,
    gaps: gapsOf(value, transcripts.isSplit, session),
  };
}

/** `abc_3_1` is output 1 of rollout 3 of the sample `abc`. An id of another make is the task itself. */
function sessionOf(value: unknown): TaskRef | undefined {
  const uid = stringAt(value, 'uid');
  if (uid === undefined || uid === '') return undefined;
  const [, key, rollout, output] = /^(.+)_(\d{1,9})_(\d{1,9})$/s.exec(uid) ?? [];
  return key === undefined ? { key: uid } : { key, rollout: Number(rollout), attempt: Number(output) };
}

/**
 * Turns of tools and users between those of the policy, as the loop counted them: `num_turns` counts the prompt, every
 * turn of the policy, and these.
 */
function environmentTurns(value: unknown): number {
  const turns = numberAt(value, 'num_turns') ?? numberAt(value, '__num_turns__') ?? 0;
  return Math.max(Math.floor((turns - 1) / 2), 0);
}

function noReward(value: unknown): Pick<Outcome, 'noReward'> {
  return at(value, 'score') === undefined ? {} : { noReward: 'not-a-number' };
}

function gapsOf(value: unknown, isSplit: boolean, session: TaskRef | undefined): Gap[] {
  const score = at(value, 'score');
  return [
    {
      about: 'messages',
      reason: isSplit
        ? 'This dump has decoded text and no messages: who said what is inferred from lines that read system, user, assistant or tool, and can be wrong.'
        : 'This dump has decoded text and no messages, and in its input no lines that read as roles: the input is shown as one message, and what followed it is inferred.',
    },
    ...(session?.attempt === undefined || session.attempt === 0
      ? []
      : [
          {
            about: 'messages' as const,
            reason: `This is output ${session.attempt} of its session: what the session did before stands in other rows of the dump.`,
          },
        ]),
    { about: 'tokens', reason: 'This dump has no token ids: masks cannot be shown.' },
    { about: 'timing', reason: 'This dump has no times.' },
    ...(numberAt(value, 'score') === undefined
      ? [
          {
            about: 'reward' as const,
            reason:
              score === undefined
                ? 'This row has no score.'
                : `The score of this row is ${typeof score === 'number' ? score : excerpt(jsonText(score), 40)}, which is not a finite number.`,
          },
        ]
      : []),
  ];
}
