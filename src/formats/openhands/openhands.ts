import {
  arrayAt,
  at,
  isObject,
  partText,
  stringAt,
  type Episode,
  type Metrics,
  type Outcome,
} from '../../model';
import { jsonText } from '../bounded';
import type { SourceRecord } from '../format';
import { metricsOf } from '../metrics';
import { severalEpisodes } from '../episodes';
import { titleFrom } from '../title';
import { toolSpecs } from '../tool-specs';
import { isV0Event, V0Reader } from './events';
import { isSdkEvent, SdkReader } from './sdk';
import { Story } from './story';

/**
 * A conversation with OpenHands as the list of its events, exported by its page or its API: an array, or one event a line.
 * See `events.ts` and `sdk.ts` for what they look like.
 */
export const openhandsEvents = severalEpisodes<Told>({
  id: 'openhands_events',
  name: 'OpenHands events',
  unit: 'source',
  confidence: (value) => (isEvent(Array.isArray(value) ? value[0] : value) ? 0.9 : 0),
  parts: (value) => [storyOf(Array.isArray(value) ? value : [value], '')],
  read: (record, told) => episodeOf(record, told, 'openhands_events', undefined),
  counts: ({ story }) => story.counts,
});

/**
 * `output.jsonl` of OpenHands' evaluations, one attempt at one instance per line; also what its page exports as an object.
 *
 *     {
 *       instance_id: 'django__django-1', history: [events, in old files pairs of them],
 *       metadata: { llm_config: { model: 'm' } }, metrics: { accumulated_cost: 0.2 }, error: null,
 *       test_result: { git_patch: 'diff …', report: { resolved: true } }
 *     }
 */
export const openhandsOutput = severalEpisodes<Told>({
  id: 'openhands_output',
  name: 'OpenHands evaluation output',
  unit: 'record',
  confidence(value) {
    const first = eventsIn(value)?.[0];
    return isEvent(Array.isArray(first) ? first[0] : first) ? 0.9 : 0;
  },
  parts: (value) => [
    storyOf(eventsIn(value) ?? [], arrayAt(value, 'history') === undefined ? '/entries' : '/history'),
  ],
  read: (record, told) => episodeOf(record, told, 'openhands_output', record.value),
  counts: ({ story }) => story.counts,
});

function eventsIn(value: unknown): readonly unknown[] | undefined {
  return arrayAt(value, 'history') ?? arrayAt(value, 'entries');
}

function isEvent(value: unknown): boolean {
  return isV0Event(value) || isSdkEvent(value);
}

interface Told {
  story: Story;
  events: number;
}

function storyOf(entries: readonly unknown[], base: string): Told {
  const story = new Story();
  const v0 = new V0Reader(story);
  const sdk = new SdkReader(story);
  let events = 0;
  const add = (event: unknown, raw: string): void => {
    events += 1;
    if (isV0Event(event)) v0.add(event, raw);
    else if (isSdkEvent(event)) sdk.add(event, raw);
    else story.unknown += 1;
  };
  entries.forEach((entry, nth) => {
    if (Array.isArray(entry)) entry.forEach((event: unknown, side) => add(event, `${base}/${nth}/${side}`));
    else add(entry, `${base}/${nth}`);
  });
  return { story, events };
}

/** `row`: what an evaluation says of the attempt. */
function episodeOf({ index }: SourceRecord, { story, events }: Told, format: string, row: unknown): Episode {
  const { messages, steps, edits, gaps } = story.told();
  const asked = messages.find(({ role, roleLabel }) => role === 'user' && roleLabel === undefined);
  const text = asked?.parts.flatMap((part) => (part.kind === 'text' ? [partText(part)] : [])).join('\n');
  const instance = stringAt(row, 'instance_id');
  const model = stringAt(at(at(row, 'metadata'), 'llm_config'), 'model') ?? story.model;
  return {
    id: String(index),
    format,
    title: instance ?? titleFrom(text, 'OpenHands conversation'),
    ...(instance === undefined ? {} : { task: { key: instance } }),
    ...(model === undefined ? {} : { model }),
    tools: toolSpecs(story.tools),
    messages,
    steps,
    edits,
    outcome: outcomeOf(story, row),
    metrics: metricsIn(events, row),
    gaps: [
      ...gaps,
      {
        about: 'reward',
        reason: 'OpenHands keeps no reward, only whether an evaluation found the attempt resolved.',
      },
    ],
  };
}

function outcomeOf({ termination, error }: Story, row: unknown): Outcome {
  const resolved = at(at(at(row, 'test_result'), 'report'), 'resolved');
  const failed = at(row, 'error');
  const said = typeof failed === 'string' ? failed : isObject(failed) ? jsonText(failed) : '';
  // An error on the way need not be what the conversation ended with.
  const ended = said === '' && /error/i.test(termination ?? 'error') ? (error ?? '') : said;
  return {
    components: {},
    noReward: 'never-kept',
    ...(typeof resolved === 'boolean' ? { verdict: resolved ? 'resolved' : 'unresolved' } : {}),
    ...(termination === undefined ? {} : { termination }),
    ...(ended === '' ? {} : { error: ended }),
  };
}

function metricsIn(events: number, row: unknown): Metrics {
  const metrics = metricsOf(at(row, 'metrics'));
  metrics['events'] = events;
  const report = metricsOf(at(at(row, 'test_result'), 'report'));
  for (const [name, value] of Object.entries(report)) if (!(name in metrics)) metrics[name] = value;
  return metrics;
}
