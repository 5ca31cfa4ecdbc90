/** Whether two values of the model say the same: the order of keys does not matter, what is undefined is not there. */
export function same(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (isList(a) && isList(b)) {
    if (a.length !== b.length) return false;
    for (let at = 0; at < a.length; at++) if (!same(a[at], b[at])) return false;
    return true;
  }
  if (isList(a) || isList(b)) return false;
  const entries = entriesOf(a);
  const others = new Map(entriesOf(b));
  return (
    entries.length === others.size &&
    entries.every(([key, value]) => others.has(key) && same(value, others.get(key)))
  );
}

function isList(value: object): value is ArrayLike<unknown> {
  return Array.isArray(value) || value instanceof Int32Array || value instanceof Float32Array;
}

function entriesOf(value: object): [string, unknown][] {
  return Object.entries(value).filter(([, each]) => each !== undefined);
}
