/** Token ids, masks and numbers per token, out of JSON lists. */

/** Undefined where it is no list of whole numbers that fit 32 bits. */
export function tokenIds(list: unknown): Int32Array | undefined {
  return Array.isArray(list) && list.every(isTokenId) ? Int32Array.from(list) : undefined;
}

function isTokenId(value: unknown): value is number {
  return typeof value === 'number' && value === (value | 0);
}

/** What is no number, such as the null that a NaN was written as, becomes NaN: the length stays. */
export function tokenNumbers(list: unknown): Float32Array | undefined {
  if (!Array.isArray(list)) return undefined;
  return Float32Array.from(list, (each: unknown) => (typeof each === 'number' ? each : NaN));
}

/** `[0, 1, 1]`, `[0.0, 1.0, 1.0]` or `[false, true, true]`. Undefined where it is neither. */
export function tokenMask(list: unknown): Uint8Array | undefined {
  if (!Array.isArray(list)) return undefined;
  if (!list.every((each) => typeof each === 'number' || typeof each === 'boolean')) return undefined;
  return Uint8Array.from(list, (each) => (each === 0 || each === false ? 0 : 1));
}
