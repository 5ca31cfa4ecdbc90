/** Lets a few things happen at once, and the rest wait. */
export interface Slots {
  /** Resolves when the work has begun, which is when one of the slots is free. */
  begin(work: () => Promise<void>): Promise<void>;
  /** Resolves when nothing is under way; rejects with the first thing that went wrong. */
  idle(): Promise<void>;
}

export function openSlots(count: number): Slots {
  const underWay = new Set<Promise<void>>();
  let failure: { error: unknown } | undefined;
  return {
    begin: async (work) => {
      while (underWay.size >= Math.max(1, count)) await Promise.race(underWay);
      const done: Promise<void> = work()
        .catch((error: unknown) => {
          failure ??= { error };
        })
        .finally(() => underWay.delete(done));
      underWay.add(done);
    },
    idle: async () => {
      await Promise.all(underWay);
      if (failure !== undefined) throw failure.error;
    },
  };
}
