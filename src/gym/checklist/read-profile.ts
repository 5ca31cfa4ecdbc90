/** A checklist profile from a file that a person wrote, for a server that is not one of ours. */
import * as v from 'valibot';
import { parseJson, type Json, type JsonObject } from '../json';
import type { ChecklistProfile } from './profile';

const JsonValue: v.GenericSchema<unknown, Json> = v.custom<Json>((value) => value !== undefined);
const Body: v.GenericSchema<unknown, JsonObject> = v.custom<JsonObject>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'Expected an object',
);
const Call = v.object({ path: v.pipe(v.string(), v.startsWith('/')), body: v.optional(Body, {}) });

const Profile = v.variant('stateful', [
  v.object({ name: v.optional(v.string(), 'custom'), stateful: v.literal(false), call: Call }),
  v.object({
    name: v.optional(v.string(), 'custom'),
    stateful: v.literal(true),
    seed: Body,
    otherSeed: Body,
    write: Call,
    read: v.object({ ...Call.entries, at: v.string() }),
    seen: v.object({
      seeded: JsonValue,
      written: JsonValue,
      otherSeeded: JsonValue,
      concurrent: v.object({
        writes: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100)),
        value: JsonValue,
      }),
    }),
    verify: v.object({ body: Body, reward: v.number() }),
    idle: v.exactOptional(v.object({ timeout: v.number(), interval: v.number() })),
  }),
]);

export function readProfile(text: string): ChecklistProfile {
  const json = parseJson(text);
  if (json === undefined) throw new Error('The profile is not JSON.');
  const read = v.safeParse(Profile, json);
  if (read.success) return read.output;
  const [issue] = read.issues;
  throw new Error(`In the profile, ${v.getDotPath(issue) ?? 'the whole'}: ${issue.message}`);
}
