/** Deep enough for anything a person reads, and shallow enough for code that recurses. */
const deepest = 200;

/**
 * The value itself, or a note in its place where it is nested so deeply that writing it as JSON or passing it
 * between threads would overflow the stack.
 */
export function bounded(value: unknown, levels = deepest): unknown {
  return isDeeperThan(value, levels) ? `[nested more than ${levels} levels deep: see the raw record]` : value;
}

/** As JSON, whatever it is. */
export function jsonText(value: unknown): string {
  return JSON.stringify(bounded(value)) ?? '';
}

/** Level by level, so that the value's depth is not ours. */
function isDeeperThan(value: unknown, limit: number): boolean {
  let level = [value];
  for (let depth = 0; depth <= limit; depth++) {
    const next: unknown[] = [];
    for (const each of level) {
      if (typeof each !== 'object' || each === null) continue;
      for (const child of Object.values(each)) {
        if (typeof child === 'object' && child !== null) next.push(child);
      }
    }
    if (next.length === 0) return false;
    level = next;
  }
  return true;
}
