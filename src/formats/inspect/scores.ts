import { at, excerpt, isObject, numberAt, stringAt, type Metrics, type Outcome } from '../../model';
import { jsonText } from '../bounded';
import type { PlacedGap } from '../gaps';

/** What a sample's scorers said. */
export interface Scored {
  outcome: Pick<Outcome, 'reward' | 'noReward' | 'verdict'>;
  metrics: Metrics;
  gaps: PlacedGap[];
}

/**
 * `{ match: { value: 'C', answer: '…' }, judge: { value: 0.5 } }`. The reward is the first number; grades (`C`, `I`, `P`, `N`)
 * are verdicts, and no numbers are made of them. Scores of several parts have an object for a value.
 */
export function scoresOf(sample: unknown): Scored {
  const single = at(sample, 'score');
  const listed = at(sample, 'scores');
  const scores = isObject(listed) ? listed : isObject(single) ? { score: single } : {};
  const metrics: Metrics = {};
  const values = Object.keys(scores).map((name) => [name, at(scores[name], 'value')] as const);
  for (const [name, value] of values) {
    if (isObject(value))
      for (const key of Object.keys(value)) keep(metrics, `score.${name}.${key}`, value[key]);
    else keep(metrics, `score.${name}`, value);
  }
  const reward = values.map(([, value]) => value).find(isNumber);
  const verdict = values.flatMap(([, value]) => (typeof value === 'string' ? [value] : []))[0];
  return {
    outcome: {
      ...(reward === undefined ? noReward(values) : { reward }),
      ...(verdict === undefined ? {} : { verdict: excerpt(verdict, 80) }),
    },
    metrics,
    gaps: reward === undefined ? [gapFor(values, sample)] : [],
  };
}

type Values = readonly (readonly [name: string, value: unknown])[];

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function keep(metrics: Metrics, name: string, value: unknown): void {
  const isShort = typeof value === 'string' && value !== '' && value.length <= 80;
  if (isNumber(value) || typeof value === 'boolean' || isShort) metrics[name] = value;
}

/** A grade is a score like any other; only a number that is none is a fault. */
function noReward(values: Values): Pick<Outcome, 'noReward'> {
  if (values.some(([, value]) => typeof value === 'number')) return { noReward: 'not-a-number' };
  return values.length === 0 ? {} : { noReward: 'never-kept' };
}

function gapFor(values: Values, sample: unknown): PlacedGap {
  const [first] = values;
  if (first === undefined) {
    const why = isObject(at(sample, 'error')) ? ' It ended with an error.' : '';
    return { about: 'reward', reason: `This sample has no score.${why}` };
  }
  const [name, value] = first;
  const said = typeof value === 'number' ? String(value) : excerpt(jsonText(value), 40);
  return { about: 'reward', reason: `The score of ${excerpt(name, 80)} is ${said}, which is not a number.` };
}

/** Tokens over all models that the sample used. */
export function usageOf(sample: unknown): Metrics {
  const usage = at(sample, 'model_usage');
  const totals: Metrics = {};
  if (!isObject(usage)) return totals;
  for (const model of Object.keys(usage)) {
    for (const name of ['input_tokens', 'output_tokens', 'total_tokens']) {
      const count = numberAt(usage[model], name);
      if (count !== undefined) totals[name] = Number(totals[name] ?? 0) + count;
    }
  }
  return totals;
}

export function endOf(sample: unknown): Pick<Outcome, 'termination' | 'error'> {
  const limit = stringAt(at(sample, 'limit'), 'type');
  const error = stringAt(at(sample, 'error'), 'message');
  return {
    ...(limit === undefined ? {} : { termination: `${limit} limit` }),
    ...(error === undefined ? {} : { error }),
  };
}
