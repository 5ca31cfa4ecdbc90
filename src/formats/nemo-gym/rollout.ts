import { at, emptyRecord, isObject, numberAt, stringAt, type Metrics } from '../../model';
import type { Format, SourceRecord } from '../format';
import { metricsOf } from '../metrics';
import { episodeOf, summaryOf, toolsOf, type Draft, type PlacedGap } from './draft';
import { taskOf, titleOf } from './identity';
import { isByModel, isSealed, type Entry } from './items';
import { outcomeOf, rewardGaps, unfinishedOf } from './outcome';
import type { Trouble } from './snapshots';
import { countSteps, timelineOf, type Timeline } from './timeline';
import { tokenState } from './tokens';

/**
 * One line per rollout of `gym eval run` (https://github.com/NVIDIA-NeMo/Gym, `nemo_gym/rollout_collection.py`), in the
 * order the rollouts finished:
 *
 *     {
 *       responses_create_params: { input: 'text' | Item[], instructions?, tools?, ... },
 *       response: { id, model, output: Item[] | Item[][], status, incomplete_details, error, usage, tools, ... },
 *       reward: 1.0,
 *       _ng_task_index: 17, _ng_rollout_index: 3, agent_ref: { name },
 *       ...whatever the environment's verifier adds
 *     }
 *
 * Items are those of the Responses API, see `items.ts`. The environment's turns are user messages within `output`, and
 * agents differ in how much of the conversation they leave in `input`: only together are they what happened.
 */
export const nemoGymRollout: Format = rolloutFormat('nemo_gym_rollout', 'NeMo Gym rollout', (value) => {
  const response = at(value, 'response');
  if (!isObject(response)) return 0;
  if (isObject(at(value, 'responses_create_params'))) return 0.95;
  const isResponse = Array.isArray(at(response, 'output'));
  return isResponse && numberAt(value, 'reward') !== undefined ? 0.6 : 0;
});

/**
 * `X_failures.jsonl` holds one line per failed attempt: a rollout row as far as it got, with `_ng_failure_class`
 * (`timeout_exceeded`, `judge_failed`, ...), `_ng_failure_terminal` and `_ng_attempt_index`. Response and reward may be
 * missing.
 */
export const nemoGymFailure: Format = rolloutFormat('nemo_gym_failure', 'NeMo Gym failed attempt', (value) =>
  typeof at(value, '_ng_failure_class') === 'string' ? 0.97 : 0,
);

function rolloutFormat(id: string, name: string, confidence: Format['confidence']): Format {
  return {
    id,
    name,
    unit: 'record',
    confidence,
    summarise: (record) => [summaryOf(draftOf(record))],
    episode: (record) => episodeOf(draftOf(record), id, record),
  };
}

function draftOf({ value, index }: SourceRecord): Draft {
  const params = at(value, 'responses_create_params');
  const response = at(value, 'response');
  const timeline = timelineOf(params, response);
  const task = taskOf(value);
  const model = [stringAt(response, 'model'), stringAt(params, 'model')].find((each) => (each ?? '') !== '');
  const unfinished = unfinishedOf(response);
  const outcome = outcomeOf(value);
  return {
    title: titleOf(value, index),
    ...(task === undefined ? {} : { task }),
    ...(model === undefined ? {} : { model }),
    timeline,
    outcome,
    metrics: rolloutMetrics(value, timeline, outcome.components),
    gaps: [
      ...outputGaps(value, timeline),
      ...givenGaps(timeline.entries),
      ...reasoningGaps(timeline.entries),
      ...viewGaps(timeline.troubles),
      ...tokenGaps(timeline.entries),
      ...rewardGaps(value),
      {
        about: 'state',
        reason:
          "This file does not hold the server's session state: only what the tools returned shows something of it.",
      },
      timingGap(value),
    ],
    tools: toolsOf(params, response),
    ...(unfinished === undefined ? {} : { unfinished }),
  };
}

/** Shown elsewhere: as the reward and the task. */
const notMetrics = new Set(['reward', '_ng_task_index', '_ng_rollout_index', '_ng_attempt_index']);

function rolloutMetrics(value: unknown, timeline: Timeline, components: Record<string, number>): Metrics {
  const metrics = metricsOf(value, notMetrics);
  const add = (name: string, metric: number | string | boolean | undefined): void => {
    if (metric !== undefined && !(name in metrics)) metrics[name] = metric;
  };

  const agent = stringAt(at(value, 'agent_ref'), 'name');
  add('agent', agent);
  const maskSample = at(at(value, 'instance_config'), 'mask_sample');
  add('mask_sample', typeof maskSample === 'boolean' ? maskSample : undefined);
  for (const [name, tokens] of Object.entries(usageOf(at(value, 'response')))) add(name, tokens);
  for (const [name, part] of Object.entries(components)) {
    // Environments that list their components usually repeat them at the top, as `format` or `reward_format`.
    if (!(name in metrics) && !(`reward_${name}` in metrics)) add(`reward.${name}`, part);
  }
  if (timeline.transitions !== undefined) {
    const made = timeline.entries.filter(({ origin }) => origin !== 'prompt');
    add('transitions', timeline.transitions);
    add('distinct_items', made.length);
    add('distinct_tool_calls', made.filter(({ kind }) => kind === 'call').length);
  }
  return metrics;
}

/** Some agents report zeros for what they did not count, and some use the names of chat completions. */
function usageOf(response: unknown): Record<string, number> {
  const usage = at(response, 'usage');
  const counts = emptyRecord<number>();
  for (const [name, old] of [
    ['input_tokens', 'prompt_tokens'],
    ['output_tokens', 'completion_tokens'],
    ['total_tokens', 'total_tokens'],
  ] as const) {
    const count = numberAt(usage, name) ?? numberAt(usage, old);
    if (count !== undefined) counts[name] = count;
  }
  return Object.values(counts).some((count) => count > 0) ? counts : {};
}

/** Where agents leave what they did, if not in the output. */
const elsewhere = ['model_patch', 'trajectory', 'messages', 'all_attempts', 'delegated_response', 'result'];

function outputGaps(value: unknown, { entries }: Timeline): PlacedGap[] {
  if (entries.some(({ origin }) => origin !== 'prompt')) return [];
  const output = at(at(value, 'response'), 'output');
  const what = Array.isArray(output)
    ? 'The output of this record is empty'
    : 'This record has no list of outputs';
  const places = elsewhere.filter((key) => sizeOf(at(value, key)) > 0);
  const hint = places.length === 0 ? '' : ` What the policy made is in ${places.join(', ')}.`;
  return [{ about: 'messages', reason: `${what}: it does not show what the policy did.${hint}` }];
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string' || Array.isArray(value)) return value.length;
  return isObject(value) ? Object.keys(value).length : 0;
}

function givenGaps(entries: readonly Entry[]): PlacedGap[] {
  const first = entries.find((entry) => entry.origin === 'prompt' && isByModel(entry));
  if (first === undefined) return [];
  return [
    {
      about: 'messages',
      at: first.raw,
      reason:
        'The request holds turns of an assistant. The file does not tell whether this policy made them, so they are shown as given and are not steps.',
    },
  ];
}

function reasoningGaps(entries: readonly Entry[]): PlacedGap[] {
  const sealed = entries.filter(({ kind, item }) => kind === 'reasoning' && isSealed(item));
  const [first] = sealed;
  if (first === undefined) return [];
  const [have, their] =
    sealed.length === 1 ? ['reasoning item has', 'its'] : ['reasoning items have', 'their'];
  return [
    {
      about: 'reasoning',
      at: first.raw,
      reason: `${sealed.length} ${have} no text: the provider kept ${their} content, or encrypted it.`,
    },
  ];
}

const troubleReasons: Record<Trouble, string> = {
  'unrelated snapshot':
    'A snapshot of the context has nothing in common with the one before it, and is shown as its continuation.',
  'part of a turn gone':
    'Later snapshots leave out parts of earlier turns (their reasoning, say); the views still show them.',
  'turn rewritten':
    'Later snapshots hold a turn of the policy in other words; the views show what it first said.',
  'item inserted':
    'Later snapshots hold something before what was there already; the views show it where it first appears.',
  'stub rewritten': 'A placeholder was changed a second time; the views show its first text.',
  'edit before the first call':
    'The context was changed before the first model call; the views do not show it.',
  'first state collapsed':
    'The first observation is recorded as its placeholder only: what the first model call saw of it is not in this file.',
};

function viewGaps(troubles: ReadonlySet<Trouble>): PlacedGap[] {
  return [...troubles].map((trouble) => ({ about: 'views', reason: troubleReasons[trouble] }));
}

function tokenGaps(entries: readonly Entry[]): PlacedGap[] {
  const steps = countSteps(entries);
  if (steps === 0) return [];
  const made = entries.filter(({ origin }) => origin === 'policy');
  const states = made.map(({ item }) => tokenState(item));
  const broken = made[states.indexOf('broken')];
  if (broken !== undefined) {
    return [
      { about: 'tokens', at: broken.raw, reason: 'Token ids are there that are not all whole numbers.' },
    ];
  }
  if (!states.includes('readable')) {
    return [{ about: 'tokens', reason: 'This record has no token ids: masks cannot be shown.' }];
  }
  return [];
}

function timingGap(value: unknown): PlacedGap {
  const has = isObject(at(value, 'ng_trajectory'));
  return {
    about: 'timing',
    reason: has
      ? 'Times are in ng_trajectory, which is shown in the raw record only.'
      : 'This record has no times of single calls.',
  };
}
