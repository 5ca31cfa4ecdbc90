import { at, isObject, numberAt, stringAt } from '../model';
import { bareEpisode, bareSummary, type Bare } from './bare';
import type { Format, SourceRecord } from './format';
import { metricsOf } from './metrics';
import { shortTitle } from './title';

/**
 * Any JSON value that no other format knows: shown as it is, with the numbers, flags and short strings at its top as
 * columns.
 *
 *     { "id": "q7", "score": 0.5, "passed": true, "log": "…" }
 *
 * A field called exactly `reward` or `score` is taken for the reward. Nothing is guessed beyond that.
 */
export const json: Format = {
  id: 'json',
  name: 'JSON',
  unit: 'record',
  // Anything is JSON, and anything else knows better.
  confidence: () => 0.01,
  summarise: (record) => [bareSummary(read(record))],
  episode: (record) => bareEpisode(read(record), 'json', record),
};

const nameKeys = ['title', 'name', 'id', 'uuid', 'task_id', 'instance_id', 'key'];

function read({ value, index }: SourceRecord): Bare {
  const named = ['reward', 'score'].find((key) => numberAt(value, key) !== undefined);
  const reward = named === undefined ? undefined : numberAt(value, named);
  const gaps: Bare['gaps'] = [
    {
      about: 'messages',
      reason:
        'No format that is known here has records like this one, so that no conversation can be told. The record is shown as it is.',
    },
  ];
  if (reward === undefined) {
    gaps.push({
      about: 'reward',
      reason: 'No number called reward or score stands at the top of this record.',
    });
  }
  return {
    title: titleOf(value) ?? `record ${index}`,
    outcome: {
      components: {},
      ...(reward === undefined ? { noReward: 'never-kept' } : { reward }),
    },
    metrics: metricsOf(value, new Set(named === undefined ? [] : [named])),
    gaps,
  };
}

function titleOf(value: unknown): string | undefined {
  if (!isObject(value)) return undefined;
  for (const key of nameKeys) {
    const name = shortTitle(stringAt(value, key) ?? '').trim();
    if (name !== '') return name;
    const id = at(value, key);
    if (typeof id === 'number') return `${key} ${id}`;
  }
  return undefined;
}
