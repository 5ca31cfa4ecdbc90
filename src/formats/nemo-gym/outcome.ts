import {
  arrayAt,
  at,
  emptyRecord,
  excerpt,
  isObject,
  numberAt,
  stringAt,
  type Gap,
  type Outcome,
} from '../../model';
import { jsonText } from '../bounded';

/** As many steps or attempts as are worth listing as parts of a reward. */
const mostParts = 200;

/** What the record says about how it ended. `reward` is the only field that all environments share. */
export function outcomeOf(record: unknown): Outcome {
  const response = at(record, 'response');
  const reward = numberAt(record, 'reward');
  const verdict = verdictOf(record);
  const termination = terminationOf(record, response);
  const error = errorOf(record, response);
  return {
    components: componentsOf(record),
    ...(reward === undefined ? whyNone(at(record, 'reward')) : { reward }),
    ...(verdict === undefined ? {} : { verdict }),
    ...(termination === undefined ? {} : { termination }),
    ...(error === undefined ? {} : { error }),
  };
}

/** Python writes NaN and infinities as they are, others write null. */
function whyNone(found: unknown): Pick<Outcome, 'noReward'> {
  return found === undefined ? {} : { noReward: 'not-a-number' };
}

export function rewardGaps(record: unknown): Gap[] {
  if (numberAt(record, 'reward') !== undefined) return [];
  const found = at(record, 'reward');
  return [{ about: 'reward', reason: found === undefined ? 'This record has no reward.' : notNumber(found) }];
}

function notNumber(found: unknown): string {
  // JSON has no word for NaN and infinities, and would make null of them.
  return typeof found === 'number'
    ? `The reward of this record is ${found}, which is not a finite number.`
    : `The reward of this record is ${excerpt(jsonText(found), 40)}, which is not a number.`;
}

/**
 * The parts of a reward, wherever environments put them: `reward_components: { format: 1 }`, siblings like
 * `reward_answer`, tau2's `result.reward_info.reward_breakdown`, `info.reward_terms`, and rewards per attempt or step.
 * They need not add up to the reward.
 */
export function componentsOf(record: unknown): Record<string, number> {
  const components = emptyRecord<number>();
  const add = (name: string, value: unknown): void => {
    if (typeof value === 'number' && Number.isFinite(value)) components[name] ??= value;
  };
  const addAll = (parts: unknown): void => {
    if (isObject(parts)) for (const name of Object.keys(parts)) add(name, parts[name]);
  };

  addAll(at(record, 'reward_components'));
  addAll(at(at(at(record, 'result'), 'reward_info'), 'reward_breakdown'));
  addAll(at(at(record, 'info'), 'reward_terms'));
  if (isObject(record)) {
    for (const key of Object.keys(record)) {
      if (key.startsWith('reward_') && key !== 'reward_') add(key.slice('reward_'.length), record[key]);
    }
  }
  addEach('attempt', arrayAt(record, 'all_attempts'));
  addEach('step', arrayAt(at(record, 'verifier_metadata'), 'osworld_steps'));
  return components;

  function addEach(what: string, parts: readonly unknown[] = []): void {
    parts.slice(0, mostParts).forEach((part, position) => add(`${what} ${position}`, at(part, 'reward')));
  }
}

const verdicts = ['resolved', 'passed', 'success', 'is_correct', 'correct'];

/** In the record's words: a named flag, else a status. */
function verdictOf(record: unknown): string | undefined {
  for (const name of verdicts) {
    const flag = at(record, name);
    if (typeof flag === 'boolean') return flag ? name : `not ${name}`;
  }
  return firstString([at(record, 'verdict'), at(record, 'proof_status'), at(record, 'status')]);
}

function terminationOf(record: unknown, response: unknown): string | undefined {
  return firstString([
    at(record, '_ng_failure_class'),
    unfinishedOf(response),
    at(record, 'termination_reason'),
    at(at(record, 'result'), 'termination_reason'),
    at(record, 'terminal_state'),
    at(record, 'truncated') === true ? 'truncated' : undefined,
    at(record, 'terminated') === true ? 'terminated' : undefined,
    at(response, 'status'),
  ]);
}

/** Why the last model call was cut off: `max_output_tokens`. */
export function unfinishedOf(response: unknown): string | undefined {
  const status = stringAt(response, 'status');
  const reason = stringAt(at(response, 'incomplete_details'), 'reason');
  const isCutOff = status === 'incomplete' || status === 'failed' || status === 'cancelled';
  return reason ?? (isCutOff ? status : undefined);
}

export function errorOf(record: unknown, response: unknown): string | undefined {
  const found = [
    at(response, 'error'),
    at(record, 'error'),
    at(record, '_ng_failure_judge_error'),
    at(record, 'infrastructure_error'),
  ].find((each) => each !== null && each !== undefined && each !== '' && each !== false);
  if (found === undefined || typeof found === 'string') return found;
  const message = stringAt(found, 'message');
  if (message === undefined) return jsonText(found);
  const code = stringAt(found, 'code');
  return code === undefined ? message : `${code}: ${message}`;
}

function firstString(values: readonly unknown[]): string | undefined {
  return values.find((value): value is string => typeof value === 'string' && value !== '');
}
