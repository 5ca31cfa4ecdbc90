import { arrayAt, at, isObject, stringAt, type Gap } from '../../model';
import type { Format, SourceRecord } from '../format';
import { metricsOf } from '../metrics';
import { episodeOf, summaryOf, toolsOf, type Draft } from '../nemo-gym/draft';
import { errorOf, unfinishedOf } from '../nemo-gym/outcome';
import { usageOf } from '../nemo-gym/metrics';
import { timelineOf, type Timeline } from '../nemo-gym/timeline';
import { noTokenIds } from '../gaps';
import { titleFrom } from '../title';
import { noReward } from './conversation';

/**
 * What OpenAI's Responses API gives back (https://platform.openai.com/docs/api-reference/responses/object), one object per
 * record, by itself or beside the request that it answers:
 *
 *     { id: 'resp_…', object: 'response', model, output: Item[], instructions?, tools, status, usage, … }
 *     { request: { input: 'text' | Item[], … }, response: { object: 'response', … } }
 *
 * A request that stands alone has `input`, and that is where the conversation begins.
 */
export const openaiResponses: Format = {
  id: 'openai_responses',
  name: 'OpenAI Responses',
  unit: 'record',
  confidence(value) {
    const { response } = placesOf(value);
    return stringAt(response, 'object') === 'response' && arrayAt(response, 'output') !== undefined ? 0.7 : 0;
  },
  summarise: (record) => [summaryOf(draftOf(record))],
  episode: (record) => episodeOf(draftOf(record), 'openai_responses', record),
};

interface Places {
  request: unknown;
  response: unknown;
  /** Pointers to the two. */
  at: { request: string; response: string };
}

function placesOf(value: unknown): Places {
  if (stringAt(value, 'object') === 'response' || !isObject(at(value, 'response'))) {
    return { request: value, response: value, at: { request: '', response: '' } };
  }
  return {
    request: at(value, 'request'),
    response: at(value, 'response'),
    at: { request: '/request', response: '/response' },
  };
}

function draftOf({ value, index }: SourceRecord): Draft {
  const places = placesOf(value);
  const { request, response } = places;
  const timeline = placed(timelineOf(request, response), places);
  const unfinished = unfinishedOf(response);
  const error = errorOf(undefined, response);
  const status = stringAt(response, 'status');
  const model = stringAt(response, 'model') ?? stringAt(request, 'model');
  const isAsked = timeline.entries.some(({ origin }) => origin === 'prompt');
  return {
    title: titleFrom(questionOf(request), stringAt(response, 'id') ?? `record ${index}`),
    ...(model === undefined || model === '' ? {} : { model }),
    timeline,
    outcome: {
      components: {},
      noReward: 'never-kept',
      ...(unfinished === undefined && status === undefined
        ? {}
        : { termination: unfinished ?? status ?? '' }),
      ...(error === undefined ? {} : { error }),
    },
    metrics: { ...metricsOf(response, notMetrics), ...metricsOf(value, notMetrics), ...usageOf(response) },
    gaps: [...(isAsked ? [] : [noRequest]), noReward, noTokenIds],
    tools: toolsOf(request, response),
    ...(unfinished === undefined ? {} : { unfinished }),
  };
}

const notMetrics = new Set(['object', 'model', 'instructions', 'status', 'input', 'output', 'error']);

const noRequest: Gap = {
  about: 'messages',
  reason: 'A response does not hold what was asked: only what the model answered is here.',
};

/** Pointers as they are in this record, where request and response are not under the names that rollouts give them. */
function placed(timeline: Timeline, { at: { request, response } }: Places): Timeline {
  const place = (raw: string): string =>
    raw.replace(/^\/responses_create_params/, request).replace(/^\/response(?=\/output)/, response);
  return {
    ...timeline,
    entries: timeline.entries.map((entry) => ({ ...entry, raw: place(entry.raw) })),
    edits: timeline.edits.map((edit) => ({ ...edit, raws: edit.raws.map(place) })),
  };
}

function questionOf(request: unknown): string | undefined {
  const input = at(request, 'input');
  if (typeof input === 'string') return input;
  const user = (Array.isArray(input) ? input : []).find((item: unknown) => at(item, 'role') === 'user');
  const content = at(user, 'content');
  return typeof content === 'string' ? content : stringAt(arrayAt(user, 'content')?.[0], 'text');
}
