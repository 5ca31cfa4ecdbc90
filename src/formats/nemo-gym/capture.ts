import {
  arrayAt,
  at,
  emptyRecord,
  isObject,
  noCounts,
  numberAt,
  stringAt,
  type Counts,
  type Episode,
  type Gap,
  type Metrics,
  type Outcome,
} from '../../model';
import { oneEpisode } from '../episodes';
import type { SourceRecord } from '../format';
import { many } from '../gaps';
import { historyOfCalls, logGaps, userText, type LoggedCall } from '../model-calls';
import { answeredMessages, cutOffReason, sentMessages } from '../payloads';
import { titleFrom } from '../title';
import { toolSpecs } from '../tool-specs';
import { responseTokens } from './calls';
import { timingOf } from './timing';

/**
 * `<rollout_id>.capture.jsonl`: what went through the model server for one rollout, an exchange per line
 * (https://github.com/NVIDIA-NeMo/Gym, `nemo_gym/base_responses_api_model.py`).
 *
 *     { model_call_id: '9f…', dialect: 'responses' | 'chat' | 'messages', model_ref: { type, name }, status_code: 200,
 *       started_at: 1789.25, completed_at: 1790.5, latency_ms: 1250, latency_ttft_ms: 80, error_category: null,
 *       request: {...}, response: {...} }
 *
 * Requests and responses are as the provider's API has them. Lines stand in the order the calls ended.
 */
export const nemoGymCapture = oneEpisode(
  { id: 'nemo_gym_capture', name: 'NeMo Gym captured model calls', unit: 'source', confidence },
  read,
  countsOf,
);

/** Of one exchange, or of all of them. */
function confidence(value: unknown): number {
  const call: unknown = Array.isArray(value) ? value[0] : value;
  const isCall = stringAt(call, 'model_call_id') !== undefined && stringAt(call, 'dialect') !== undefined;
  return isCall && Object.hasOwn(Object(call), 'request') ? 0.97 : 0;
}

/** An exchange where it stands in the file. */
interface Exchange {
  value: unknown;
  raw: string;
}

function exchangesOf(value: unknown): Exchange[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  const exchanges = list.map((each, nth) => ({ value: each, raw: `/${nth}` }));
  const start = ({ value: each }: Exchange): number => numberAt(each, 'started_at') ?? NaN;
  // Calls of several agents overlap: in the order they began, where that is known of all.
  if (exchanges.some((each) => Number.isNaN(start(each)))) return exchanges;
  return exchanges.sort((a, b) => start(a) - start(b));
}

function read(record: SourceRecord): Episode {
  const exchanges = exchangesOf(record.value);
  const calls = exchanges.map(loggedCall);
  const history = historyOfCalls(calls);
  const first = exchanges[0]?.value;
  const model = exchanges
    .map(({ value }) => stringAt(at(value, 'response'), 'model') ?? stringAt(at(value, 'request'), 'model'))
    .find((each) => each !== undefined && each !== '');
  return {
    id: String(record.index),
    format: 'nemo_gym_capture',
    title: titleFrom(userText(calls[0]?.context ?? []), 'Captured model calls'),
    ...(model === undefined ? {} : { model }),
    tools: toolSpecs(arrayAt(at(first, 'request'), 'tools') ?? []),
    messages: history.messages,
    steps: history.steps.map((step, index) => {
      const timing = timingOf(exchanges[index]?.value);
      return timing === undefined ? step : { ...step, timing };
    }),
    edits: [],
    outcome: outcomeOf(exchanges),
    metrics: metricsOf(exchanges),
    gaps: [...logGaps(history), ...gapsOf(exchanges)],
  };
}

function loggedCall({ value, raw }: Exchange): LoggedCall {
  const response = at(value, 'response');
  const tokens = responseTokens(response);
  const unfinished = stringAt(value, 'error_category') ?? cutOffReason(response);
  return {
    context: sentMessages(at(value, 'request'), `${raw}/request`),
    emitted: isObject(response) ? answeredMessages(response, `${raw}/response`) : [],
    ...(tokens === undefined ? {} : { tokens }),
    ...(unfinished === undefined ? {} : { unfinished }),
  };
}

function outcomeOf(exchanges: readonly Exchange[]): Outcome {
  const last = exchanges.at(-1)?.value;
  const error = stringAt(last, 'error_category');
  return {
    components: {},
    noReward: 'never-kept',
    ...(error === undefined ? {} : { error }),
  };
}

function metricsOf(exchanges: readonly Exchange[]): Metrics {
  const metrics = emptyRecord<number | string | boolean>();
  metrics['model_calls'] = exchanges.length;
  const failed = exchanges.filter(({ value }) => stringAt(value, 'error_category') !== undefined).length;
  if (failed > 0) metrics['failed_calls'] = failed;
  const sum = (of: (value: unknown) => number | undefined): number | undefined => {
    const found = exchanges.flatMap(({ value }) => of(value) ?? []);
    return found.length === 0 ? undefined : found.reduce((a, b) => a + b, 0);
  };
  for (const [name, total] of [
    ['latency_ms', sum((value) => numberAt(value, 'latency_ms'))],
    ['input_tokens', sum((value) => usage(value, 'input_tokens', 'prompt_tokens'))],
    ['output_tokens', sum((value) => usage(value, 'output_tokens', 'completion_tokens'))],
  ] as const) {
    if (total !== undefined) metrics[name] = total;
  }
  const server = stringAt(at(exchanges[0]?.value, 'model_ref'), 'name');
  if (server !== undefined && server.length <= 80) metrics['model_server'] = server;
  return metrics;
}

function usage(value: unknown, name: string, other: string): number | undefined {
  const counts = at(at(value, 'response'), 'usage');
  return numberAt(counts, name) ?? numberAt(counts, other);
}

function gapsOf(exchanges: readonly Exchange[]): Gap[] {
  const gaps: Gap[] = [
    { about: 'reward', reason: 'Captured model calls have no reward: the rollout they belong to has.' },
    {
      about: 'results',
      reason: 'What the tools answered to the last call is not among the captured model calls.',
    },
  ];
  const silent = exchanges.filter(({ value }) => !isObject(at(value, 'response'))).length;
  if (silent > 0) {
    gaps.push({
      about: 'messages',
      reason: `${many(silent, 'call')} came back with nothing that could be read.`,
    });
  }
  if (exchanges.every(({ value }) => responseTokens(at(value, 'response')) === undefined)) {
    gaps.push({ about: 'tokens', reason: 'These model calls have no token ids: masks cannot be shown.' });
  }
  if (exchanges.every(({ value }) => timingOf(value) === undefined)) {
    gaps.push({ about: 'timing', reason: 'These model calls have no times.' });
  }
  return gaps;
}

/** Requests repeat each other, so what was answered is all that is counted. */
function countsOf(value: unknown): Counts {
  const counts = noCounts();
  for (const { value: each } of exchangesOf(value)) {
    const response = at(each, 'response');
    if (!isObject(response)) continue;
    for (const { value: message } of answeredMessages(response, '')) {
      counts.messages += 1;
      counts.toolCalls += arrayAt(message, 'tool_calls')?.length ?? 0;
      if ((stringAt(message, 'reasoning_content') ?? '') !== '') counts.reasoning += 1;
    }
  }
  return counts;
}
