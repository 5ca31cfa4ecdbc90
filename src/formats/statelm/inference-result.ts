import {
  arrayAt,
  at,
  excerpt,
  isObject,
  recordViews,
  stringAt,
  type ChatMessage,
  type Episode,
  type RecordedView,
  type StatelmTraits,
} from '../../model';
import type { SourceRecord } from '../format';
import { metricsOf } from '../metrics';
import { chatMessages, sameChat } from './chat';
import { oneEpisode } from '../episodes';
import { noTokenIds } from '../gaps';
import { titleFrom } from '../title';
import { countEntries, fitted, rewardGap, statelmEpisode } from './episode';
import { entriesAt, isFailedCall, readHistory, type History } from './history';

/**
 * `{sample_id}_inference_result_{time}.json` of StateLM's inference code: the whole history, and as `last_payload`
 * the view when all was over.
 */
export const statelmInferenceResult = oneEpisode(
  {
    id: 'statelm_inference_result',
    name: 'StateLM inference result',
    unit: 'record',
    confidence: (value) =>
      arrayAt(value, 'full_history') !== undefined &&
      isObject(at(value, 'result_info')) &&
      stringAt(value, 'system_prompt') !== undefined
        ? 1
        : 0,
  },
  read,
  (value) => countEntries(arrayAt(value, 'full_history') ?? []),
);

function read(record: SourceRecord): Episode {
  const { value, text } = record;
  const info = at(value, 'result_info');
  const system = stringAt(value, 'system_prompt');
  const entries = entriesAt(value, text, 'full_history');
  const history = readHistory([
    ...(system === undefined
      ? []
      : [{ value: { role: 'system', content: system }, raw: ['/system_prompt'] }]),
    ...entries,
  ]);
  const query = stringAt(value, 'query');
  const payload = at(info, 'last_payload');
  const sessionId = stringAt(value, 'session_id');
  const episode = statelmEpisode(record, 'statelm_inference_result', history, inferenceTraits, {
    title: titleFrom(query, 'StateLM inference'),
    ...(query === undefined ? {} : { task: { key: query } }),
    outcome: inferenceOutcome(history, entries.at(-1)?.value, payload),
    metrics: {
      ...metricsOf(info),
      ...answersOf(info),
      ...(sessionId === undefined ? {} : { session_id: sessionId }),
    },
    recordedViews: finalView(history, chatMessages(payload)),
    gaps: [rewardGap, noTokenIds],
  });
  return fitted(episode, inferenceVariants);
}

export const inferenceTraits: StatelmTraits = { dialect: 'inference' };

/** Which of the two the loop ran with is not written anywhere, but its views show it. */
export const inferenceVariants: Partial<StatelmTraits>[] = [{}, { keepsDeletedText: true }];

export function finalView({ steps }: History, messages: readonly ChatMessage[]): RecordedView[] {
  return messages.length === 0 ? [] : recordViews([{ step: steps.length, messages }], sameChat);
}

export function inferenceOutcome(history: History, last: unknown, payload?: unknown): Episode['outcome'] {
  const failure = isFailedCall(last) ? stringAt(at(last, 'content'), 'message') : undefined;
  const error = failure ?? stringAt(payload, 'error');
  const finished = history.messages.at(-1)?.toolName === 'finish' && !isFailedCall(last);
  return {
    components: {},
    noReward: 'never-kept',
    ...(finished ? { termination: 'finish' } : {}),
    ...(error === undefined ? {} : { error }),
  };
}

/** Expected and given answers, one or several, as one line each. */
export function answersOf(from: unknown): Record<string, string> {
  const answers: Record<string, string> = {};
  for (const key of ['correct_answer', 'expected_answer', 'final_answer']) {
    const answer = at(from, key);
    const texts = (Array.isArray(answer) ? answer : [answer]).filter((each) => typeof each === 'string');
    if (texts.length > 0) answers[key] = excerpt(texts.join(' | '), 200);
  }
  return answers;
}
