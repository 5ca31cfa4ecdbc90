import { isObject } from '../../model';
import { bounded } from '../bounded';
import { setOwn } from '../fields';

/**
 * Values as JSON that `JSON.parse` and `plain` give back as they were, also where JSON has no word for them:
 *
 *     NaN                   {"$number":"NaN"}           and so the infinities
 *     -0                    -0                          which `JSON.stringify` would write as 0
 *     {"$number": "x"}      {"$object":{"$number":"x"}} so that it is not taken for the first
 *     Int32Array [1, 2]     [1,2]
 *     Float32Array [NaN]    ["NaN"]                     shorter, and no other string can stand there
 *
 * What is undefined is left out of objects, and null in lists.
 */
export function jsonOf(value: unknown, depth = 0): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number') return numberText(value);
  if (typeof value === 'boolean') return String(value);
  if (typeof value !== 'object' || value === null) return 'null';
  if (depth > deepest) return JSON.stringify(tooDeep);
  if (value instanceof Int32Array) return `[${value.join(',')}]`;
  if (value instanceof Float32Array) return `[${Array.from(value, floatText).join(',')}]`;
  if (Array.isArray(value)) return `[${value.map((item: unknown) => jsonOf(item, depth + 1)).join(',')}]`;
  const entries: string[] = [];
  for (const [key, item] of Object.entries(value)) {
    if (item !== undefined) entries.push(`${JSON.stringify(key)}:${jsonOf(item, depth + 1)}`);
  }
  const text = `{${entries.join(',')}}`;
  return Object.hasOwn(value, '$number') || Object.hasOwn(value, '$object') ? `{"$object":${text}}` : text;
}

/** Importers let nothing deeper than 200 levels into an episode. */
const deepest = 300;
const tooDeep = `[nested more than ${deepest} levels deep]`;

function numberText(value: number): string {
  if (Object.is(value, -0)) return '-0';
  return Number.isFinite(value) ? String(value) : `{"$number":"${value}"}`;
}

/** Not more digits than it takes to tell a 32-bit float from its neighbours: `-0.1`, not `-0.10000000149011612`. */
function floatText(value: number): string {
  if (Object.is(value, -0)) return '-0';
  if (!Number.isFinite(value)) return `"${value}"`;
  for (const digits of [7, 8]) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return String(short);
  }
  return String(Number(value.toPrecision(9)));
}

export const nonFinite = ['NaN', 'Infinity', '-Infinity'] as const;

/** What `jsonOf` was given, out of what `JSON.parse` made of its text. */
export function plain(value: unknown): unknown {
  // Each level can have an `$object` around it.
  return plainWithin(bounded(value, 2 * deepest + 2));
}

function plainWithin(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainWithin);
  if (!isObject(value)) return value;
  const [key, ...more] = Object.keys(value);
  if (key === '$number' && more.length === 0) {
    const name = nonFinite.find((each) => each === value[key]);
    if (name !== undefined) return Number(name);
  }
  const inner = key === '$object' && more.length === 0 ? value[key] : value;
  const result = {};
  for (const [name, item] of Object.entries(isObject(inner) ? inner : value)) {
    setOwn(result, name, plainWithin(item));
  }
  return result;
}

/** The entries of an object that `jsonOf` wrote. */
export function plainEntries(value: unknown): [string, unknown][] {
  const found = plain(value);
  return isObject(found) ? Object.entries(found) : [];
}
