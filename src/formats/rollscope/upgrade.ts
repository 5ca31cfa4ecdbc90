import { isObject, numberAt, type JsonObject } from '../../model';
import { version } from './schema';

/** A line of one version as a line of the next. `rollscope` is set for it. */
export type Upgrade = (line: JsonObject) => JsonObject;

/**
 * The first makes version 2 of version 1, and so on: one for every version but the last, kept for good. What a version
 * changed stands in `docs/rollscope-format.md`.
 */
export const upgrades: readonly Upgrade[] = [];

export type Upgraded = { ok: true; line: JsonObject } | { ok: false; reason: string };

/** A line of any version up to ours as one of ours. */
export function upgrade(value: unknown, steps: readonly Upgrade[] = upgrades): Upgraded {
  const from = numberAt(value, 'rollscope');
  const newest = steps === upgrades ? version : steps.length + 1;
  if (!isObject(value) || from === undefined || !Number.isInteger(from) || from < 1) {
    return { ok: false, reason: 'This line does not say which version of the format it is.' };
  }
  if (from > newest) {
    return {
      ok: false,
      reason: `This line is of version ${from} of Rollscope's format, and version ${newest} is the newest that is known here. Open it with a newer Rollscope.`,
    };
  }
  let line = value;
  for (const [index, step] of steps.entries()) {
    if (index + 1 >= from) line = { ...step(line), rollscope: index + 2 };
  }
  return { ok: true, line };
}
