export interface PoolOptions {
  /** How many at once; 4 where absent. */
  readonly concurrency?: number;
  /** Lets no other begin; what is under way is told too. */
  readonly signal?: AbortSignal;
}

/**
 * Works through many with a few at once. `each` gets the position, from 0; results are handed on as they come, and
 * undefined stands for what was not begun because of the signal.
 */
export async function pool<Item, Result>(
  items: readonly Item[],
  each: (item: Item, index: number) => Promise<Result>,
  { concurrency = 4, signal }: PoolOptions = {},
): Promise<(Result | undefined)[]> {
  const results = Array.from<Result | undefined>({ length: items.length });
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < items.length && signal?.aborted !== true) {
      const index = next++;
      const item = items[index];
      if (item !== undefined) results[index] = await each(item, index);
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, Math.min(concurrency, items.length)) }, work));
  return results;
}
