import {
  arrayAt,
  at,
  historyFrom,
  numberAt,
  stringAt,
  type Episode,
  type HistoryItem,
  type Metrics,
  type ToolSpec,
} from '../../model';
import type { SourceRecord } from '../format';
import type { JsonAt } from '../json-at';
import { metricsOf } from '../metrics';
import { episodeId } from '../episodes';
import { gapsIn, many, noTokenIds, type PlacedGap } from '../gaps';
import { titleFrom } from '../title';
import { toolSpecs } from '../tool-specs';
import { modelCalls, type ModelCall, type ModelCalls } from './events';
import { historyOfSample, type SampleHistory } from './history';
import { Attachments, inputText, readMessage } from './messages';
import { endOf, scoresOf, usageOf } from './scores';

/**
 * A sample of an Inspect log: one question, put to the model once.
 *
 *     {
 *       id: 1, epoch: 1, input: 'Guess.' or messages, target: '42',
 *       messages: [{ id, role: 'user', content: 'Guess.' }, { id, role: 'assistant', content: '42' }],
 *       output: { model, choices, usage }, scores: { match: { value: 'C' } },
 *       events: [{ event: 'model', ... }, { event: 'tool', ... }, ...],
 *       attachments: { hash: 'a long text' }, error?, limit?, model_usage, total_time
 *     }
 *
 * `messages` is the conversation when all was over; the model events tell what each call really saw.
 */
export function readSample(
  record: SourceRecord,
  nth: number,
  { sample, path, model }: PlacedSample,
  format: string,
  json: JsonAt,
): Episode {
  const attachments = new Attachments(sample);
  const found = modelCalls(sample);
  const history =
    found.calls.length === 0 ? flat(sample, attachments, json) : recorded(sample, found, attachments, json);
  const messages = history.messages.map((message) => ({
    ...message,
    raw: message.raw.map((raw) => path + raw),
  }));
  const id = at(sample, 'id');
  const key = typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
  const epoch = numberAt(sample, 'epoch');
  const scored = scoresOf(sample);
  const asked = inputText(at(sample, 'input'), attachments);
  const spoken = model ?? modelOf(sample, found.calls);
  return {
    id: episodeId(record, nth),
    format,
    title: titleFrom(asked, key === undefined ? `Sample ${nth}` : `Sample ${key}`),
    ...(key === undefined ? {} : { task: { key, ...(epoch === undefined ? {} : { rollout: epoch }) } }),
    ...(spoken === undefined ? {} : { model: spoken }),
    tools: toolsOf(found.calls, attachments),
    messages,
    steps: history.steps,
    edits: history.edits,
    outcome: { components: {}, ...scored.outcome, ...endOf(sample) },
    metrics: { ...sampleMetrics(sample, found), ...scored.metrics },
    gaps: gapsIn(messages, [
      ...history.gaps.map((gap) => (gap.at === undefined ? gap : { ...gap, at: path + gap.at })),
      ...callGaps(found, history),
      ...scored.gaps,
      ...(history.steps.length === 0 ? [] : [noTokenIds]),
      { about: 'timing', reason: 'When events happened is shown in the raw record only.' },
    ]),
  };
}

export interface PlacedSample {
  sample: unknown;
  /** JSON pointer to it. */
  path: string;
  /** As the log names it. */
  model?: string;
}

function recorded(
  sample: unknown,
  { calls }: ModelCalls,
  attachments: Attachments,
  json: JsonAt,
): SampleHistory {
  return historyOfSample(calls, arrayAt(sample, 'messages') ?? [], attachments, json);
}

/** Without model events every message of the assistant is taken for a call. */
function flat(sample: unknown, attachments: Attachments, json: JsonAt): SampleHistory {
  const { list, key } = spokenIn(sample);
  let hasBegun = false;
  const items = list.map((message, nth): HistoryItem => {
    const raw = typeof at(sample, key) === 'string' ? `/${key}` : `/${key}/${nth}`;
    const entry = { ...readMessage(message, raw, attachments, json.at(key, nth)), raw };
    if (entry.role !== 'assistant') return { ...entry, origin: hasBegun ? 'environment' : 'prompt' };
    hasBegun = true;
    return { ...entry, origin: 'policy', startsStep: true };
  });
  return { ...historyFrom(items), edits: [], gaps: [] };
}

/** A sample that failed early may have nothing but its input. */
function spokenIn(sample: unknown): { list: readonly unknown[]; key: 'messages' | 'input' } {
  const messages = arrayAt(sample, 'messages') ?? [];
  if (messages.length > 0) return { list: messages, key: 'messages' };
  const input = at(sample, 'input');
  if (Array.isArray(input)) return { list: input, key: 'input' };
  return { list: typeof input === 'string' ? [{ role: 'user', content: input }] : [], key: 'input' };
}

function modelOf(sample: unknown, calls: readonly ModelCall[]): string | undefined {
  return stringAt(calls.at(-1)?.event, 'model') ?? stringAt(at(sample, 'output'), 'model');
}

/** Those of the first call that was given any. */
function toolsOf(calls: readonly ModelCall[], attachments: Attachments): ToolSpec[] {
  const offered = calls.find(({ event }) => (arrayAt(event, 'tools') ?? []).length > 0);
  return toolSpecs(arrayAt(offered?.event, 'tools') ?? []).map((tool) =>
    tool.description === undefined ? tool : { ...tool, description: attachments.in(tool.description) },
  );
}

function sampleMetrics(sample: unknown, { calls, scoring, failed }: ModelCalls): Metrics {
  const metrics: Metrics = { ...usageOf(sample), model_calls: calls.length };
  if (scoring > 0) metrics['scorer_model_calls'] = scoring;
  if (failed > 0) metrics['failed_model_calls'] = failed;
  for (const name of ['total_time', 'working_time']) {
    const seconds = numberAt(sample, name);
    if (seconds !== undefined) metrics[name] = seconds;
  }
  const about = metricsOf(at(sample, 'metadata'));
  for (const name of Object.keys(about)) {
    const metric = about[name];
    if (metric !== undefined) metrics[`metadata.${name}`] = metric;
  }
  return metrics;
}

function callGaps({ calls, scoring, failed }: ModelCalls, { steps }: SampleHistory): PlacedGap[] {
  const gaps: PlacedGap[] = [];
  if (calls.length === 0 && steps.length > 0) {
    gaps.push({
      about: 'views',
      reason:
        'This sample has no events of model calls: every message of the assistant is taken for one, and the views follow from the messages.',
    });
  }
  if (scoring > 0) {
    const made = scoring === 1 ? '1 model call of a scorer is' : `${scoring} model calls of scorers are`;
    gaps.push({ about: 'messages', reason: `${made} shown in the raw record only.` });
  }
  if (failed > 0) {
    gaps.push({
      about: 'messages',
      reason: `${many(failed, 'model call')} failed or never ended, and made no step.`,
    });
  }
  return gaps;
}
