import type { ReadRecord } from '../ingest';
import type { Counts, Gap } from '../model';
import { noCounts } from '../model';

/** Numbers of a source added up over its episodes as they pass by; nothing of an episode is kept. */
export interface Tally extends Counts {
  rewards: Rewards;
  steps: number;
  edits: number;
  samples: number;
  /** What at least one episode does not have. */
  gaps: Gap['about'][];
}

/** `mean`, `min` and `max` are null where no episode has a reward. */
export interface Rewards {
  count: number;
  sum: number;
  mean: number | null;
  min: number | null;
  max: number | null;
}

export class Tallying {
  private readonly tally: Tally = {
    ...noCounts(),
    rewards: { count: 0, sum: 0, mean: null, min: null, max: null },
    steps: 0,
    edits: 0,
    samples: 0,
    gaps: [],
  };

  add({ summaries }: Pick<ReadRecord, 'summaries'>): void {
    const { tally } = this;
    for (const { counts, reward, steps, edits, samples, gaps } of summaries) {
      for (const key of countKeys) tally[key] += counts[key];
      tally.steps += steps;
      tally.edits += edits;
      tally.samples += samples;
      for (const gap of gaps) if (!tally.gaps.includes(gap)) tally.gaps.push(gap);
      if (reward !== undefined) addReward(tally.rewards, reward);
    }
  }

  result(): Tally {
    return this.tally;
  }
}

const countKeys = [
  'messages',
  'toolCalls',
  'toolResults',
  'reasoning',
  'inputMessages',
  'inputToolCalls',
  'inputToolResults',
  'inputReasoning',
] as const satisfies (keyof Counts)[];

function addReward(rewards: Rewards, reward: number): void {
  rewards.count += 1;
  rewards.sum += reward;
  rewards.mean = rewards.sum / rewards.count;
  rewards.min = Math.min(rewards.min ?? reward, reward);
  rewards.max = Math.max(rewards.max ?? reward, reward);
}
