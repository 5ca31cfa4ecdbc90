import { arrayAt, at, excerpt, isObject, numberAt, stringAt } from '../../model';
import { jsonText } from '../bounded';
import { groupOf, taskFields, type JoinKeys } from './join';

/** What a record is to the other records of its run. */
export type RunRole = 'rollout' | 'failure' | 'input' | 'profile' | 'aggregate' | 'agent' | 'capture';

const roles = new Map<string, RunRole>([
  ['nemo_gym_rollout', 'rollout'],
  ['nemo_gym_custom_row', 'rollout'],
  ['nemo_gym_failure', 'failure'],
  ['nemo_gym_task_input', 'input'],
  ['nemo_gym_reward_profiling', 'profile'],
  ['nemo_gym_aggregate_metrics', 'aggregate'],
  ['nemo_gym_agent_metrics', 'agent'],
  ['nemo_gym_capture', 'capture'],
]);

/** By the id of a record's format; undefined for what is not of NeMo Gym. */
export function runRole(format: string): RunRole | undefined {
  return roles.get(format);
}

/** `X/3-0.capture.jsonl` holds the calls of the rollout `3-0`: no record in it says so. */
export function capturedRollout(fileName: string): string | undefined {
  const [, id] = /([^/\\]+)\.capture\.jsonl(?:\.gz|\.zst)?$/.exec(fileName) ?? [];
  return id;
}

/** One thing a partner knows of an episode. */
export interface PartnerFact {
  name: string;
  /** As JSON, cut where it is long. */
  value: string;
}

const mostFacts = 60;
const longestFact = 2000;

/** What a partner says of the episode with these keys: seed and expected values, why attempts failed, statistics. */
export function partnerFacts(role: RunRole, value: unknown, keys: JoinKeys): PartnerFact[] {
  return fieldsOf(role, value, keys)
    .slice(0, mostFacts)
    .map(([name, field]) => ({ name: excerpt(name, 80), value: excerpt(jsonText(field), longestFact) }));
}

function fieldsOf(role: RunRole, value: unknown, keys: JoinKeys): [string, unknown][] {
  switch (role) {
    case 'input':
      return Object.entries(taskFields(value));
    case 'failure':
      return entriesAt(value, [
        '_ng_failure_class',
        '_ng_failure_terminal',
        '_ng_failure_judge_error',
        '_ng_attempt_index',
        'error',
        'reward',
      ]);
    case 'rollout':
      return entriesAt(value, ['reward']);
    case 'profile':
      return [...statistics(value), ...entriesAt(value, counts), ...ownInfo(value, keys)];
    case 'aggregate': {
      const group = groupOf(value, keys);
      const own = isObject(group) ? group : at(value, 'agent_metrics');
      return [...statistics(own), ...entriesAt(own, counts), ...ownInfo(group, keys)];
    }
    case 'agent':
      return statistics(value);
    case 'capture':
      return [['model calls', Array.isArray(value) ? value.length : 1]];
  }
}

const counts = [
  'num_rollouts',
  'expected_num_rollouts',
  'missing_num_rollouts',
  'reward_profile_completion_pct',
];

function entriesAt(value: unknown, keys: readonly string[]): [string, unknown][] {
  return keys.flatMap((key): [string, unknown][] => {
    const field = at(value, key);
    return field === undefined || field === null ? [] : [[key, field]];
  });
}

/** Of the reward first: that is what one looks for. */
function statistics(value: unknown): [string, unknown][] {
  if (!isObject(value)) return [];
  const all = Object.keys(value).filter((key) => key.includes('/') && numberAt(value, key) !== undefined);
  const ofReward = all.filter((key) => key.endsWith('/reward'));
  return [...ofReward, ...all.filter((key) => !ofReward.includes(key))].map((key) => [key, value[key]]);
}

/** Where statistics list their rollouts, this one among them. */
function ownInfo(value: unknown, { index }: JoinKeys): [string, unknown][] {
  if (index?.rollout === undefined) return [];
  const id = `${index.task}:${index.rollout}`;
  const info = arrayAt(value, 'rollout_infos')?.find((each) => stringAt(each, 'rollout_id') === id);
  return info === undefined ? [] : [['this rollout', info]];
}
