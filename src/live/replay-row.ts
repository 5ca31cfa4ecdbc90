/** What an episode was seeded with and what its verifier was sent, as far as it was written down. */
import type { JsonObject } from '../gym';
import type { Episode, Exchange } from '../model';
import { isJsonObject, objectFrom } from './json';
import type { Recording } from './replay';
import type { LiveServer } from './server';

/** What is sent as the seed: the recorded one, else the task's row with what the rollout's row adds to it. */
export function taskRowOf({ episode, record, input }: Recording): JsonObject {
  const recorded = recordedBody(episode, 'seed');
  if (recorded !== undefined) return recorded;
  const own = Object.entries(isJsonObject(record) ? record : {}).filter(([key]) => !outcomeKeys.has(key));
  const given = Object.entries(isJsonObject(input) ? input : {});
  return { ...Object.fromEntries(own), ...Object.fromEntries(given) };
}

/** Of a rollout's row: what came out, not what went in. */
const outcomeKeys = new Set(['response', 'reward']);

export function recordedBody(
  { exchanges = [] }: Episode,
  purpose: Exchange['purpose'],
): JsonObject | undefined {
  const found = exchanges.findLast((exchange) => exchange.purpose === purpose);
  return objectFrom(found?.request.body);
}

/** The response as the rollout's file has it, where it does. */
export function responseIn(record: unknown): JsonObject {
  const response = isJsonObject(record) ? record['response'] : undefined;
  return isJsonObject(response) ? { response } : {};
}

/** Why the seed or the verifier could not do with what is there; asked before anything is sent. */
export function missingFrom(
  row: JsonObject,
  { episode, input }: Recording,
  { environment }: LiveServer,
): string | undefined {
  if (episode.steps.length === 0) return 'There is nothing to replay: the episode has no step.';
  if (environment === undefined) return undefined;
  const bodies = [
    ['seed', environment.seed(row)],
    ['verifier', environment.verify({ ...row, response: { output: [] } })],
  ] as const;
  for (const [who, read] of bodies) {
    if (read.ok) continue;
    const names = [...new Set(read.issues.map(({ path }) => nameOf(path?.[0]?.key)))].join(', ');
    const next =
      input === undefined
        ? 'Open the task inputs (or _materialized_inputs) together with the rollouts.'
        : 'Its task input does not have it either.';
    return `The ${who} of ${environment.name} needs ${names}, which the record does not hold. ${next}`;
  }
  return undefined;
}

function nameOf(key: unknown): string {
  return typeof key === 'string' ? key : 'another body';
}
