import { arrayAt, at, excerpt, isObject, noCounts, numberAt, stringAt, type Episode } from '../../model';
import { bareEpisode, type Bare } from '../bare';
import type { SourceRecord } from '../format';
import { JsonAt } from '../json-at';
import { metricsOf } from '../metrics';
import { severalEpisodes } from '../episodes';
import { countMessages } from './messages';
import { readSample, type PlacedSample } from './sample';

/**
 * A log of Inspect (https://inspect.aisi.org.uk/eval-logs.html) as one JSON file; see `sample.ts` for its samples.
 *
 *     {
 *       version: 2, status: 'success' | 'started' | 'error' | 'cancelled',
 *       eval: { task: 'guess', model: 'openai/gpt-4o', dataset, config, ... }, plan: { steps },
 *       results: { scores: [{ name: 'match', metrics: { accuracy: { value: 0.5 } } }] },
 *       stats, error?, samples?: Sample[], reductions?
 *     }
 *
 * A log without samples is shown as what it says of the evaluation.
 */
export const inspectJson = severalEpisodes<PlacedSample | 'none'>({
  id: 'inspect_json',
  name: 'Inspect log',
  unit: 'record',
  confidence(value) {
    const isLog = isObject(at(value, 'eval')) && numberAt(value, 'version') !== undefined;
    if (!isLog) return 0;
    return ['status', 'plan'].some((key) => at(value, key) !== undefined) ? 0.97 : 0;
  },
  parts: samplesOf,
  read: (record, sample, nth) =>
    sample === 'none'
      ? withoutSamples(record)
      : readSample(record, nth, sample, 'inspect_json', new JsonAt(record.text).at('samples', nth)),
  counts: (sample) =>
    sample === 'none' ? noCounts() : countMessages(arrayAt(sample.sample, 'messages') ?? []),
});

/**
 * An `.eval` file of Inspect is a zip with a sample in each `samples/{id}_epoch_{n}.json`; these are what is read of it, and
 * what this format knows. What the log says of the whole evaluation (`header.json`) is not in them.
 */
export const inspectEvalZip = severalEpisodes<PlacedSample>({
  id: 'inspect_eval_zip',
  name: 'Inspect sample',
  unit: 'record',
  confidence(value) {
    const isPut = ['id', 'epoch', 'input', 'target'].every((key) => at(value, key) !== undefined);
    if (!isPut || numberAt(value, 'epoch') === undefined) return 0;
    return isObject(at(value, 'output')) || arrayAt(value, 'messages') !== undefined ? 0.9 : 0;
  },
  parts: (sample) => [{ sample, path: '' }],
  read: (record, sample, nth) => readSample(record, nth, sample, 'inspect_eval_zip', new JsonAt(record.text)),
  counts: ({ sample }) => countMessages(arrayAt(sample, 'messages') ?? []),
});

function samplesOf(value: unknown): (PlacedSample | 'none')[] {
  const samples = arrayAt(value, 'samples') ?? [];
  if (samples.length === 0) return ['none'];
  const model = stringAt(at(value, 'eval'), 'model');
  return samples.map((sample, nth) => ({
    sample,
    path: `/samples/${nth}`,
    ...(model === undefined ? {} : { model }),
  }));
}

function withoutSamples(record: SourceRecord): Episode {
  const { value } = record;
  const about = at(value, 'eval');
  const status = stringAt(value, 'status');
  const error = stringAt(at(value, 'error'), 'message');
  const metrics = metricsOf(value, new Set(['version', 'status']));
  for (const name of ['task', 'model', 'created']) {
    const said = stringAt(about, name);
    if (said !== undefined) metrics[name] = excerpt(said, 80);
  }
  for (const score of arrayAt(at(value, 'results'), 'scores') ?? []) {
    const measured = at(score, 'metrics');
    if (!isObject(measured)) continue;
    for (const name of Object.keys(measured)) {
      const figure = numberAt(measured[name], 'value');
      if (figure !== undefined) metrics[`${stringAt(score, 'name') ?? 'score'}.${name}`] = figure;
    }
  }
  const bare: Bare = {
    title: stringAt(about, 'task') ?? 'Inspect log',
    outcome: {
      components: {},
      noReward: 'never-kept',
      ...(status === undefined ? {} : { termination: status }),
      ...(error === undefined ? {} : { error }),
    },
    metrics,
    gaps: [
      {
        about: 'messages',
        reason: `This log has no samples${status === undefined ? '' : ` (its status is ${excerpt(status, 40)})`}: what it says of the evaluation is shown as it is.`,
      },
      { about: 'reward', reason: 'A log without samples has no scores of single samples.' },
    ],
  };
  return bareEpisode(bare, 'inspect_json', record);
}
