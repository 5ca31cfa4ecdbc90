import type { Span } from '../../model';
import { tokenNumbers } from '../token-lists';

/** Numbers of a JSON list that can be ids: safe integers. */
export function idsIn(list: readonly unknown[]): number[] {
  return list.filter((id): id is number => Number.isSafeInteger(id));
}

/** Numbers per token, such as log-probabilities. The loops write an empty list where they have none. */
export function floatsFrom(list: unknown): Float32Array | undefined {
  const numbers = tokenNumbers(list);
  return numbers?.length === 0 ? undefined : numbers;
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
