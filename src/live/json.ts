import type { Json, JsonObject } from '../gym';

/** Whether a value is JSON all through. Without recursion: it may be nested very deep. */
export function isJson(value: unknown): value is Json {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === 'number' && !Number.isFinite(next)) return false;
    if (next === null || typeof next === 'string' || typeof next === 'boolean' || typeof next === 'number')
      continue;
    if (typeof next !== 'object') return false;
    for (const child of Object.values(next)) open.push(child);
  }
  return true;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && isJson(value);
}

/** Undefined where the text is no JSON object. */
export function objectFrom(text: string | undefined): JsonObject | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
