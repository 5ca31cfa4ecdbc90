/** Numbers that look random and are the same every time: samples must not change between two visits. */
export interface Random {
  /** From 0 to below 1. */
  next(): number;
  /** A whole number from 0 to below `end`. */
  below(end: number): number;
  pick<T>(from: readonly [T, ...T[]]): T;
  /** `length` hexadecimal digits. */
  hex(length: number): string;
}

/** The mulberry32 generator: 32 bits of state, which is plenty for ids and shuffles. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number): number => Math.floor(next() * end);
  return {
    next,
    below,
    pick: (from) => from[below(from.length)] ?? from[0],
    hex: (length) => Array.from({ length }, () => below(16).toString(16)).join(''),
  };
}

/** In another order. */
export function shuffled<T>(values: readonly T[], random: Random): T[] {
  const left = [...values];
  return values.flatMap(() => left.splice(random.below(left.length), 1));
}
