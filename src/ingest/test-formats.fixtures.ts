import type { Format, SourceRecord } from '../formats';
import { at, isObject, noCounts, numberAt, stringAt, type Episode, type EpisodeSummary } from '../model';

/** Small formats for the tests of this folder: what they claim is easy to see in a test's data. */

const emptyEpisode: Omit<Episode, 'id' | 'format' | 'title'> = {
  tools: [],
  messages: [],
  steps: [],
  edits: [],
  outcome: { components: {} },
  metrics: {},
  gaps: [],
};

function summary(title: string, value: unknown): EpisodeSummary {
  const reward = numberAt(value, 'reward');
  const task = stringAt(value, 'task');
  const metrics: EpisodeSummary['metrics'] = {};
  for (const [key, entry] of isObject(value) ? Object.entries(value) : []) {
    if (key === 'reward' || key === 'task') continue;
    if (typeof entry === 'number' || typeof entry === 'string' || typeof entry === 'boolean') {
      metrics[key] = entry;
    }
  }
  return {
    title,
    ...(task === undefined ? {} : { task: { key: task } }),
    ...(reward === undefined ? {} : { reward }),
    counts: { ...noCounts(), messages: 1 },
    steps: numberAt(value, 'steps') ?? 0,
    edits: 0,
    samples: 0,
    metrics,
    gaps: [],
  };
}

function format(
  id: string,
  unit: Format['unit'],
  confidence: (value: unknown) => number,
  episodesIn: (record: SourceRecord) => unknown[],
): Format {
  return {
    id,
    name: `The ${id} format`,
    unit,
    confidence,
    summarise: (record) =>
      episodesIn(record).map((value, nth) => summary(`${id} ${record.index}:${nth}`, value)),
    episode: (record, nth) => ({
      ...emptyEpisode,
      id: `${record.index}:${nth}`,
      format: id,
      title: `${id} ${record.index}:${nth}`,
      outcome: { components: {}, verdict: JSON.stringify(episodesIn(record)[nth]) },
    }),
  };
}

/** `{ reward: … }`: an episode each. */
export const rollouts: Format = {
  ...format(
    'rollout',
    'record',
    (value) => (at(value, 'reward') === undefined ? 0 : 0.9),
    ({ value }) => [value],
  ),
  fields: { others: { text: 1000 }, keys: { whole: 'record' } },
};

/** `{ episodes: […] }`: as many episodes as it lists. */
export const groups = format(
  'group',
  'record',
  (value) => (Array.isArray(at(value, 'episodes')) ? 0.95 : 0),
  ({ value }) => {
    const episodes = at(value, 'episodes');
    return Array.isArray(episodes) ? episodes : [];
  },
);

/** `[{ event: … }, …]`: one episode. */
export const events = format(
  'events',
  'record',
  (value) => (Array.isArray(value) && at(value[0], 'event') !== undefined ? 0.8 : 0),
  ({ value }) => [value],
);

/** `{ session: … }` on every line: one episode of all lines. */
export const sessions = format(
  'session',
  'source',
  (value) => (at(value, 'session') === undefined ? 0 : 0.7),
  ({ value }) => [value],
);

/** `{ explode: true }`: an importer with a bug. */
export const exploding: Format = {
  ...format(
    'exploding',
    'record',
    (value) => (at(value, 'explode') === undefined ? 0 : 1),
    () => [],
  ),
  summarise: () => {
    throw new Error('a bug');
  },
};

export const anything = format(
  'json',
  'record',
  () => 0.01,
  ({ value }) => [value],
);

export const testFormats: readonly Format[] = [rollouts, groups, events, sessions, exploding, anything];
