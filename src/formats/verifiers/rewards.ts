import {
  arrayAt,
  at,
  emptyRecord,
  isObject,
  numberAt,
  stringAt,
  type Gap,
  type Metrics,
  type Outcome,
} from '../../model';

/**
 * The outcome of a v1 trace. `rewards` is `{ correct: { score: 1.0, weight: 0.5 }, judge: null }`: null, or not there, is
 * what was not scored. The components are the scores times their weights, and the reward their sum.
 */
export function traceOutcome(episode: unknown, trace: unknown): Outcome {
  const scores = scoresOf(trace);
  const components = emptyRecord<number>();
  for (const { name, score, weight } of scores) {
    if (score !== undefined) components[name] = score * weight;
  }
  const termination = stringAt(trace, 'stop_condition');
  const error = lastError(trace) ?? lastError(episode);
  return {
    components,
    ...rewardOf(scores, components),
    ...(termination === undefined ? {} : { termination }),
    ...(error === undefined ? {} : { error }),
  };
}

interface Score {
  name: string;
  /** Undefined where what stands there is no finite number. */
  score: number | undefined;
  weight: number;
}

function scoresOf(trace: unknown): Score[] {
  const rewards = at(trace, 'rewards');
  if (!isObject(rewards)) return [];
  return Object.keys(rewards).flatMap((name) => {
    const reward = rewards[name];
    if (reward === null) return [];
    return [{ name, score: numberAt(reward, 'score'), weight: numberAt(reward, 'weight') ?? 1 }];
  });
}

function rewardOf(
  scores: readonly Score[],
  components: Outcome['components'],
): Pick<Outcome, 'reward' | 'noReward'> {
  if (scores.length === 0) return {};
  const reward = Object.values(components).reduce((sum, part) => sum + part, 0);
  const isSum = scores.every(({ score }) => score !== undefined) && Number.isFinite(reward);
  return isSum ? { reward } : { noReward: 'not-a-number' };
}

export function rewardGaps({ reward, noReward }: Outcome): Gap[] {
  if (reward !== undefined) return [];
  return [
    {
      about: 'reward',
      reason:
        noReward === undefined
          ? 'This trace has no scores: it was not scored, or ended before it was.'
          : 'A score of this trace is not a finite number, so that its scores have no sum.',
    },
  ];
}

/** Scores whose weight is not 1, which the components do not show. */
export function weightedScores(trace: unknown): Metrics {
  const metrics = emptyRecord<number>();
  for (const { name, score, weight } of scoresOf(trace)) {
    if (score !== undefined && weight !== 1) metrics[`score.${name}`] = score;
  }
  return metrics;
}

/** The last of `errors`: `{ type: 'InfraError', message: 'sandbox died' }`. */
function lastError(holder: unknown): string | undefined {
  const last = arrayAt(holder, 'errors')?.at(-1);
  const said = [stringAt(last, 'type'), stringAt(last, 'message')].filter((each) => (each ?? '') !== '');
  return said.length === 0 ? undefined : said.join(': ');
}
