/** Reading parsed JSON, which is `unknown` until one of these has looked at it. */

export type JsonObject = { readonly [key: string]: unknown };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at a key of an object, else undefined. Own keys only: `__proto__` in a record is data. */
export function at(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

export function stringAt(value: unknown, key: string): string | undefined {
  const found = at(value, key);
  return typeof found === 'string' ? found : undefined;
}

export function numberAt(value: unknown, key: string): number | undefined {
  const found = at(value, key);
  return typeof found === 'number' && Number.isFinite(found) ? found : undefined;
}

export function arrayAt(value: unknown, key: string): readonly unknown[] | undefined {
  const found = at(value, key);
  return Array.isArray(found) ? found : undefined;
}

/** An object that any key can be put on, `__proto__` included. */
export function emptyRecord<T>(): Record<string, T> {
  // Without a prototype no key is special.
  const record: Record<string, T> = Object.create(null);
  return record;
}

/** Steps of a path as a JSON pointer: `pointer('response', 'output', 3)` is `/response/output/3`. */
export function pointer(...path: (string | number)[]): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
