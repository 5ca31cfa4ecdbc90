import type { Span } from '../../model';

/** Numbers of a JSON list that can be ids: safe integers. */
export function idsIn(list: readonly unknown[]): number[] {
  return list.filter((id): id is number => Number.isSafeInteger(id));
}

/** A JSON list as token ids, or undefined where it is none or holds anything but numbers. */
export function idsFrom(list: unknown): Int32Array | undefined {
  if (!Array.isArray(list) || !list.every((id) => typeof id === 'number')) return undefined;
  return Int32Array.from(list);
}

/** A JSON list of numbers; what is not one becomes NaN, so that the length stays. */
export function floatsFrom(list: unknown): Float32Array | undefined {
  if (!Array.isArray(list) || list.length === 0) return undefined;
  return Float32Array.from(list, (each: unknown) => (typeof each === 'number' ? each : Number.NaN));
}

/** `[[0, 40], [52, 60]]` */
export function spansFrom(list: unknown): Span[] | undefined {
  if (!Array.isArray(list)) return undefined;
  return list.flatMap((span: unknown): Span[] => {
    if (!Array.isArray(span)) return [];
    const [start, end] = idsIn(span);
    return start === undefined || end === undefined ? [] : [[start, end]];
  });
}

export function numbersFrom(list: unknown): number[] | undefined {
  return Array.isArray(list) ? list.filter((each): each is number => Number.isFinite(each)) : undefined;
}
