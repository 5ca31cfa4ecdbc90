import type { EpisodeRef, Group, Row, TableQuery } from '../../ingest/protocol';
import type { Episode } from '../../model';

/** Where the table keeps the training step. */
export const stepColumn = 'metric:training_step';

/** All rollouts of one training step. */
export interface StepMean {
  step: number;
  n: number;
  mean: number;
  /** One standard deviation to both sides, and no further than the worst and the best. */
  low: number;
  high: number;
}

/** One score of the open prompt. */
export interface PromptScore {
  step: number;
  reward: number;
  ref: EpisodeRef;
  title: string;
}

export interface Axis {
  means: StepMean[];
  scores: PromptScore[];
  /** First and last step, lowest and highest number: never the same. */
  steps: [first: number, last: number];
  rewards: [low: number, high: number];
}

/** Of an episode that says at which training step it was made. */
export function trainingStep({ metrics }: Episode): number | undefined {
  const step = metrics['training_step'];
  return typeof step === 'number' ? step : undefined;
}

/**
 * The rows that answer the same prompt, at any training step. Ids are made anew at each step, so dumps that have some name
 * the prompt apart from them.
 */
export function promptQuery(episode: Episode, sources: readonly string[]): TableQuery | undefined {
  const { prompt } = episode.metrics;
  const [column, value] = typeof prompt === 'string' ? ['prompt', prompt] : ['task', episode.task?.key];
  if (value === undefined) return undefined;
  return {
    sources,
    sort: [{ column: stepColumn, descending: false }],
    filter: `${column} = ${quoted(value)}`,
  };
}

/** The rows that are outputs of the same session: its context was edited, and each part is a row. */
export function sessionQuery(episode: Episode, sources: readonly string[]): TableQuery | undefined {
  const { task } = episode;
  const step = trainingStep(episode);
  if (task?.rollout === undefined || task.attempt === undefined || step === undefined) return undefined;
  return {
    sources,
    sort: [{ column: 'attempt', descending: false }],
    filter: `task = ${quoted(task.key)} and rollout = ${task.rollout} and training_step = ${step}`,
  };
}

/** As text, whatever is in it. */
function quoted(value: string): string {
  return `"${value.replaceAll(/["\\]/g, (character) => `\\${character}`)}"`;
}

/** Undefined where there is nothing to draw: fewer than two steps, or no scores. */
export function axisOf(groups: readonly Group[], rows: readonly Row[]): Axis | undefined {
  const means = groups
    .flatMap(({ key, n, mean, best, worst, variance }): StepMean[] => {
      const step = Number(key);
      if (!Number.isFinite(step) || mean === undefined) return [];
      const deviation = Math.sqrt(variance ?? 0);
      return [
        {
          step,
          n,
          mean,
          low: Math.max(mean - deviation, worst ?? mean),
          high: Math.min(mean + deviation, best ?? mean),
        },
      ];
    })
    .sort((a, b) => a.step - b.step);
  const scores = rows.flatMap(({ ref, title, cells }): PromptScore[] => {
    const { reward, [stepColumn]: step } = cells;
    return typeof reward === 'number' && typeof step === 'number' && Number.isFinite(reward)
      ? [{ step, reward, ref, title }]
      : [];
  });
  const [first] = means;
  const last = means.at(-1);
  if (first === undefined || last === undefined || first.step === last.step) return undefined;
  const numbers = [...means.flatMap(({ low, high }) => [low, high]), ...scores.map(({ reward }) => reward)];
  const low = numbers.reduce((a, b) => Math.min(a, b));
  const high = numbers.reduce((a, b) => Math.max(a, b));
  return {
    means,
    scores,
    steps: [first.step, last.step],
    rewards: low === high ? [low - 0.5, high + 0.5] : [low, high],
  };
}

/** Where a value stands between two others that are 0 and `length`. */
export function placeOf(value: number, [from, to]: readonly [number, number], length: number): number {
  return ((value - from) / (to - from)) * length;
}
