import {
  arrayAt,
  at,
  excerpt,
  historyFrom,
  isObject,
  numberAt,
  stringAt,
  type Episode,
  type Gap,
  type Metrics,
  type Outcome,
} from '../../model';
import { jsonText } from '../bounded';
import { chatEntry, countChat } from '../chat-entry';
import type { SourceRecord } from '../format';
import { metricsOf } from '../metrics';
import { historyOfCalls, isRepeated, logGaps, userText, type LoggedCall, type Placed } from '../model-calls';
import { oneEpisode } from '../episodes';
import { titleFrom } from '../title';
import { toolSpecs } from '../tool-specs';
import { samplesFrom, stepTokens, trainedStep } from './trajectory';

/**
 * `results.jsonl` of verifiers (https://github.com/PrimeIntellect-ai/verifiers, `verifiers/utils/save_utils.py`): one
 * rollout per line.
 *
 *     {
 *       example_id: 0,
 *       prompt: [{ role: 'user', content: 'Weather in Paris?' }],
 *       completion: [
 *         { role: 'assistant', content: null, tool_calls: [{ id: 'c1', name: 'weather', arguments: '{}' }] },
 *         { role: 'tool', tool_call_id: 'c1', content: 'rain' }, ...
 *       ],
 *       reward: 1.0, metrics: { judge: 1.0 }, judge: 1.0,
 *       error: null, stop_condition: 'no_tools_called', timing: { generation: { duration: 0.9 }, ... }, tool_defs: [...]
 *     }
 *
 * Metrics stand there twice. Environments add columns of their own; `trajectory`, if it is among them, holds every model
 * call with its context and tokens. Rollouts of one task have the same `example_id`.
 */
export const verifiersResults = oneEpisode(
  {
    id: 'verifiers_results',
    name: 'verifiers results',
    unit: 'record',
    confidence: (value) =>
      ['example_id', 'prompt', 'completion', 'reward'].every((key) => at(value, key) !== undefined)
        ? 0.95
        : 0,
  },
  read,
  (value) => countChat([...(arrayAt(value, 'prompt') ?? []), ...(arrayAt(value, 'completion') ?? [])]),
);

type Told = Pick<Episode, 'messages' | 'steps' | 'samples' | 'gaps'>;

function read({ value, index }: SourceRecord): Episode {
  const prompt = placedAt(value, 'prompt', 'user');
  const completion = placedAt(value, 'completion', 'assistant');
  const told = fromTrajectory(value, prompt, completion) ?? fromColumns(prompt, completion);
  const example = at(value, 'example_id');
  const id = typeof example === 'number' || typeof example === 'string' ? String(example) : undefined;
  const tools = [arrayAt(value, 'tool_defs'), arrayAt(at(value, 'info'), 'oai_tools')];
  return {
    id: String(index),
    format: 'verifiers_results',
    title: titleFrom(userText(prompt), id === undefined ? `Rollout ${index}` : `Example ${id}`),
    ...(id === undefined ? {} : { task: { key: id } }),
    tools: toolSpecs(tools.find((list) => (list ?? []).length > 0) ?? []),
    messages: told.messages,
    steps: told.steps,
    edits: [],
    ...(told.samples === undefined ? {} : { samples: told.samples }),
    outcome: outcomeOf(value),
    metrics: resultMetrics(value),
    gaps: [...emptyGaps(value, told), ...told.gaps, ...rewardGaps(value), timingGap(value)],
  };
}

/** The messages under a key. A string is one message of `speaker`; anything else that is no list is none. */
function placedAt(value: unknown, key: string, speaker: 'user' | 'assistant', base = ''): Placed[] {
  const found = at(value, key);
  if (typeof found === 'string') return [{ value: { role: speaker, content: found }, raw: `${base}/${key}` }];
  if (!Array.isArray(found)) return [];
  return found.map((message: unknown, nth) => ({ value: message, raw: `${base}/${key}/${nth}` }));
}

/** Every message of an assistant is a model call. */
function fromColumns(prompt: readonly Placed[], completion: readonly Placed[]): Told {
  const { messages, steps } = historyFrom([
    ...prompt.map(({ value, raw }) => ({ ...chatEntry(value, raw), raw, origin: 'prompt' as const })),
    ...completion.map(({ value, raw }) => {
      const entry = { ...chatEntry(value, raw), raw };
      return entry.role === 'assistant'
        ? { ...entry, origin: 'policy' as const, startsStep: true }
        : { ...entry, origin: 'environment' as const };
    }),
  ]);
  const gaps: Gap[] = [{ about: 'tokens', reason: 'This row has no token ids: masks cannot be shown.' }];
  return { messages, steps, gaps: steps.length === 0 ? [] : gaps };
}

function fromTrajectory(
  value: unknown,
  prompt: readonly Placed[],
  completion: readonly Placed[],
): Told | undefined {
  const entries = arrayAt(value, 'trajectory') ?? [];
  if (entries.length === 0 || !entries.every((entry) => Array.isArray(at(entry, 'completion'))))
    return undefined;
  const tokens = entries.map(stepTokens);
  const calls = entries.map((entry, nth): LoggedCall => {
    const own = tokens[nth];
    return {
      context: placedAt(entry, 'prompt', 'user', `/trajectory/${nth}`),
      emitted: placedAt(entry, 'completion', 'assistant', `/trajectory/${nth}`),
      ...(typeof own === 'object' ? { tokens: own } : {}),
      ...(at(entry, 'is_truncated') === true ? { unfinished: 'truncated' } : {}),
    };
  });
  const rest = afterCalls(calls, prompt, completion);
  const history = historyOfCalls(calls, rest);
  const { messages, steps } = history;
  const trained = entries.flatMap((entry, nth) => {
    const own = tokens[nth];
    return typeof own === 'object' ? (trainedStep(entry, own) ?? []) : [];
  });
  const gaps: Gap[] = [];
  if (tokens.includes('broken')) {
    const step = tokens.indexOf('broken');
    gaps.push({ about: 'tokens', step, reason: 'Token ids are there that are not all whole numbers.' });
  } else if (tokens.includes('none')) {
    const which = tokens.every((each) => each === 'none')
      ? 'This row has'
      : 'Some model calls of this row have';
    gaps.push({ about: 'tokens', reason: `${which} no token ids: masks cannot be shown.` });
  }
  gaps.push(...logGaps(history));
  if (rest === undefined && completion.length > 0) {
    gaps.push({
      about: 'messages',
      reason:
        'The completion of this row is not what its last model call ended with: the history is that of the calls in its trajectory.',
    });
  }
  return {
    messages,
    steps,
    gaps,
    ...(trained.length === steps.length ? { samples: samplesFrom(trained) } : {}),
  };
}

/**
 * What the environment said after the last call, which only the completion has. Undefined where the completion does not
 * go on from that call.
 */
function afterCalls(
  calls: readonly LoggedCall[],
  prompt: readonly Placed[],
  completion: readonly Placed[],
): Placed[] | undefined {
  const last = calls.at(-1);
  const seen = last === undefined ? [] : [...last.context, ...last.emitted];
  const all = [...prompt, ...completion];
  if (seen.length > all.length) return undefined;
  return seen.every(({ value }, nth) => isRepeated(value, all[nth]?.value))
    ? all.slice(seen.length)
    : undefined;
}

function outcomeOf(value: unknown): Outcome {
  const reward = numberAt(value, 'reward');
  const termination = stringAt(value, 'stop_condition');
  const error = errorOf(at(value, 'error'));
  return {
    components: {},
    ...(reward === undefined ? { noReward: 'not-a-number' } : { reward }),
    ...(termination === undefined ? {} : { termination }),
    ...(error === undefined ? {} : { error }),
  };
}

/** `{ error: 'InfraError', message: 'sandbox died', error_chain_str }`; in old files a string. */
function errorOf(error: unknown): string | undefined {
  if (error === null || error === undefined || error === '') return undefined;
  if (typeof error === 'string') return error;
  const [type, message] = [stringAt(error, 'error'), stringAt(error, 'message')];
  const said = [type, message].filter((each) => each !== undefined && each !== '').join(': ');
  return said === '' ? jsonText(error) : said;
}

function rewardGaps(value: unknown): Gap[] {
  if (numberAt(value, 'reward') !== undefined) return [];
  const found = excerpt(jsonText(at(value, 'reward')), 40);
  return [{ about: 'reward', reason: `The reward of this row is ${found}, which is not a finite number.` }];
}

function emptyGaps(value: unknown, { steps }: Told): Gap[] {
  if (steps.length > 0) return [];
  const isNull = at(value, 'completion') === null;
  return [
    {
      about: 'messages',
      reason: isNull
        ? 'This row has no completion: the rollout failed before the policy was done.'
        : 'No message of an assistant is in the completion of this row.',
    },
  ];
}

function timingGap(value: unknown): Gap {
  const spans = arrayAt(at(at(value, 'timing'), 'model'), 'spans') ?? [];
  return {
    about: 'timing',
    reason:
      spans.length === 0
        ? 'This row has the times of its phases and not those of single calls.'
        : 'When the calls were made is in timing.model.spans, which is shown in the raw record only.',
  };
}

/** Shown elsewhere: as the task, the outcome and the history. */
const notMetrics = new Set(['example_id', 'reward', 'prompt', 'completion', 'stop_condition', 'error']);

function resultMetrics(value: unknown): Metrics {
  const metrics = metricsOf(value, notMetrics);
  const add = (more: Metrics, prefix = ''): void => {
    for (const name of Object.keys(more)) {
      const metric = more[name];
      if (metric !== undefined && !(prefix + name in metrics)) metrics[prefix + name] = metric;
    }
  };
  add(metricsOf(at(value, 'metrics')));
  add(metricsOf(at(value, 'token_usage')));
  add(durations(at(value, 'timing')), 'timing.');
  return metrics;
}

/** In seconds, or in milliseconds where the name says so. Phases are `{ start, end, duration }`. */
function durations(timing: unknown): Metrics {
  if (!isObject(timing)) return {};
  const found = metricsOf(timing, new Set(['start_time']));
  for (const phase of Object.keys(timing)) {
    const duration = numberAt(at(timing, phase), 'duration');
    if (duration !== undefined) found[phase] = duration;
  }
  return found;
}
