/** JSON values: what bodies, tool results and session states are made of. */

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json };

export function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isJsonObject(value: Json): value is JsonObject {
  return isObject(value);
}

/** The value at an own key, else undefined: `__proto__` in a body is data. */
export function at(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

export function stringAt(value: unknown, key: string): string | undefined {
  const found = at(value, key);
  return typeof found === 'string' ? found : undefined;
}

export function arrayAt(value: unknown, key: string): readonly unknown[] {
  const found = at(value, key);
  return Array.isArray(found) ? found : [];
}

/** JSON.parse, which gives JSON values and nothing else. */
export function parse(text: string): Json {
  const value: Json = JSON.parse(text);
  return value;
}

export function parseJson(text: string): Json | undefined {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

/** Same JSON value; the order of an object's keys does not count. Without recursion: what a server sends may be very deep. */
export function sameJson(a: unknown, b: unknown): boolean {
  const pairs: [unknown, unknown][] = [[a, b]];
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [left, right] = pair;
    if (Object.is(left, right)) continue;
    if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null)
      return false;
    if (Array.isArray(left) !== Array.isArray(right)) return false;
    const ours = Object.entries(left);
    const theirs = new Map<string, unknown>(Object.entries(right));
    if (ours.length !== theirs.size) return false;
    for (const [key, value] of ours) {
      if (!theirs.has(key)) return false;
      pairs.push([value, theirs.get(key)]);
    }
  }
  return true;
}

/** Whether a value is nested deeper than `limit`, found without recursion: the value may be 100,000 deep. */
export function deeperThan(value: unknown, limit: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return true;
    const next: unknown[] = [];
    for (const item of level) {
      if (typeof item !== 'object' || item === null) continue;
      for (const child of Object.values(item))
        if (typeof child === 'object' && child !== null) next.push(child);
    }
    level = next;
  }
  return false;
}

/** Freezes a value with all it holds; parts that are frozen already are taken as done. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const child of Object.values(value)) deepFreeze(child);
  return value;
}
