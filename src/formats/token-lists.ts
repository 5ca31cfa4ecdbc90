/** Token ids, masks and numbers per token, out of JSON lists. Plain loops: a row can have a hundred thousand tokens. */

/** Undefined where it is no list of whole numbers that fit 32 bits. */
export function tokenIds(list: unknown): Int32Array | undefined {
  if (!Array.isArray(list)) return undefined;
  const ids = new Int32Array(list.length);
  for (let at = 0; at < list.length; at++) {
    const id: unknown = list[at];
    if (typeof id !== 'number' || id !== (id | 0)) return undefined;
    ids[at] = id;
  }
  return ids;
}

/** What is no number, such as the null that a NaN was written as, becomes NaN: the length stays. */
export function tokenNumbers(list: unknown): Float32Array | undefined {
  if (!Array.isArray(list)) return undefined;
  const numbers = new Float32Array(list.length);
  for (let at = 0; at < list.length; at++) {
    const number: unknown = list[at];
    numbers[at] = typeof number === 'number' ? number : NaN;
  }
  return numbers;
}

/** `[0, 1, 1]`, `[0.0, 1.0, 1.0]` or `[false, true, true]`. Undefined where it is neither. */
export function tokenMask(list: unknown): Uint8Array | undefined {
  if (!Array.isArray(list)) return undefined;
  const mask = new Uint8Array(list.length);
  for (let at = 0; at < list.length; at++) {
    const entry: unknown = list[at];
    if (typeof entry !== 'number' && typeof entry !== 'boolean') return undefined;
    mask[at] = entry === 0 || entry === false ? 0 : 1;
  }
  return mask;
}
