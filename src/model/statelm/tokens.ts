import type { StepTokens } from '../episode';

/** The context when a call was over: its prompt and what it emitted. Shares memory with them where it can. */
export function contextIds({ promptIds, generationIds }: StepTokens): Int32Array {
  const emittedInPlace =
    promptIds.buffer === generationIds.buffer &&
    promptIds.byteOffset + promptIds.byteLength === generationIds.byteOffset;
  if (emittedInPlace) {
    return new Int32Array(promptIds.buffer, promptIds.byteOffset, promptIds.length + generationIds.length);
  }
  const context = new Int32Array(promptIds.length + generationIds.length);
  context.set(promptIds);
  context.set(generationIds, promptIds.length);
  return context;
}

/** Where the prompt of a call stops repeating the context of the call before it, or undefined where it never does. */
export function firstBreak(before: StepTokens, after: StepTokens): number | undefined {
  const { promptIds, generationIds } = before;
  const next = after.promptIds;
  const inPlace = promptIds.buffer === next.buffer && promptIds.byteOffset === next.byteOffset;
  const from = inPlace ? Math.min(promptIds.length, next.length) : 0;
  for (let at = from; at < promptIds.length; at++) if (promptIds[at] !== next[at]) return at;
  for (let at = 0; at < generationIds.length; at++) {
    if (generationIds[at] !== next[promptIds.length + at]) return promptIds.length + at;
  }
  return undefined;
}

/** The ranges of a mask that are 1. Anything but 0 counts. */
export function spansOfMask(mask: ArrayLike<number>): [start: number, end: number][] {
  const spans: [start: number, end: number][] = [];
  let start = -1;
  for (let at = 0; at <= mask.length; at++) {
    const one = at < mask.length && mask[at] !== 0;
    if (one && start < 0) start = at;
    if (!one && start >= 0) {
      spans.push([start, at]);
      start = -1;
    }
  }
  return spans;
}

/** The mask of a length that is 1 in some ranges, and 0 elsewhere. */
export function maskOfSpans(length: number, spans: readonly (readonly [number, number])[]): Uint8Array {
  const mask = new Uint8Array(length);
  for (const [start, end] of spans) mask.fill(1, start, end);
  return mask;
}
