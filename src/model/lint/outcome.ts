import type { Episode } from '../episode';
import type { Rule } from './finding';

/** The reward, and whether it adds up. */

const rewardMissing: Rule = {
  id: 'reward-missing',
  severity: 'warning',
  explanation:
    'This episode has no reward, though its format has a place for one. It counts in no mean and no advantage, and ' +
    'a group baseline over its task is made from fewer rollouts than were paid for. Look for a verifier that failed or ' +
    'timed out and was not recorded as an error.',
  check({ outcome }) {
    if (outcome.reward !== undefined || outcome.noReward !== undefined) return [];
    return [
      { message: outcome.error === undefined ? 'No reward' : 'No reward: the episode ended with an error' },
    ];
  },
};

const rewardNotANumber: Rule = {
  id: 'reward-not-a-number',
  severity: 'error',
  explanation:
    'The reward is not a finite number. In training one NaN or infinity spreads through the group baseline to every ' +
    'rollout of the task, and from there into the gradient. Usual causes are a mean over nothing, a division by a ' +
    'length of zero, the logarithm of zero, or a number written as text. Correct the verifier; drop or re-verify ' +
    'this rollout.',
  check(episode) {
    const { reward, noReward } = episode.outcome;
    if (reward !== undefined && !Number.isFinite(reward)) return [{ message: `The reward is ${reward}` }];
    return noReward === 'not-a-number' ? [{ message: gapAboutReward(episode) }] : [];
  },
};

const rewardNotSum: Rule = {
  id: 'reward-not-sum-of-components',
  severity: 'warning',
  explanation:
    'The reward is not the sum of the components recorded beside it. That is right where components are weighted or ' +
    'clipped, and only noted where the reward is their product or mean; otherwise a component was added, dropped or ' +
    'renamed on one side only, and what is optimised is not what is plotted. Compare the weights in the verifier with ' +
    'these numbers.',
  check({ outcome: { reward, components } }) {
    const parts = Object.values(components);
    if (reward === undefined || !Number.isFinite(reward) || parts.length === 0) return [];
    const isReward = (value: number): boolean => isRewardOf(reward, parts, value);
    const sum = parts.reduce((total, part) => total + part, 0);
    if (isReward(sum)) return [];
    const message = `The reward is ${short(reward)}, its components sum to ${short(sum)}`;
    const product = parts.reduce((total, part) => total * part, 1);
    const rule = isReward(product) ? 'product' : isReward(sum / parts.length) ? 'mean' : undefined;
    return [
      rule === undefined ? { message } : { message: `${message}: it is their ${rule}`, severity: 'info' },
    ];
  },
};

export const outcomeRules: readonly Rule[] = [rewardMissing, rewardNotANumber, rewardNotSum];

function gapAboutReward(episode: Episode): string {
  return episode.gaps.find(({ about }) => about === 'reward')?.reason ?? 'The reward is not a finite number';
}

/** Without the tail that adding binary fractions leaves: 0.30000000000000004 is 0.3. */
function short(value: number): string {
  return String(Number(value.toPrecision(9)));
}

/** Whether a value made from the components is the reward, but for the noise of float32. */
export function isRewardOf(reward: number, components: readonly number[], value: number): boolean {
  const scale = components.reduce((total, part) => total + Math.abs(part), Math.abs(reward));
  // Trainers keep rewards as float32, whose relative error is 2^-24 per number: ten times that is still noise.
  return Math.abs(reward - value) <= 10 * 2 ** -24 * scale;
}
