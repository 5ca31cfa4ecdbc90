import { useEffect, useState } from 'react';
import { bundledName, sourceFor } from './choice';
import type { TokenizerSource } from './protocol';
import { ask } from './work';

export interface TextCounts {
  /** The tokenizer's. */
  name: string;
  /** Tokens of each text, in order. */
  counts: readonly number[];
}

/** Characters sent to the worker at a time: small enough that a count no longer wanted ends soon. */
const BATCH = 400_000;

/** What was counted of a thing, by tokenizer; goes with the thing. */
const known = new WeakMap<object, Map<string, TextCounts>>();

/**
 * The tokens of the texts of `of`, by the chosen tokenizer. Undefined while they are being counted, without a tokenizer,
 * and where it fails: what is shown then is an estimate.
 */
export function useCounts(
  of: object,
  texts: (() => readonly string[]) | undefined,
  chosen: string,
): TextCounts | undefined {
  const [counted, setCounted] = useState<{ of: object; chosen: string; counts: TextCounts }>();
  useEffect(() => {
    if (texts === undefined) return;
    const stop = new AbortController();
    void countAll(of, texts, chosen, stop.signal).then(
      (counts) => {
        if (counts !== undefined && !stop.signal.aborted) setCounted({ of, chosen, counts });
      },
      () => {
        // An estimate stays an estimate.
      },
    );
    return () => stop.abort();
  }, [of, texts, chosen]);
  if (texts === undefined) return undefined;
  return counted?.of === of && counted.chosen === chosen ? counted.counts : known.get(of)?.get(chosen);
}

async function countAll(
  of: object,
  texts: () => readonly string[],
  chosen: string,
  signal: AbortSignal,
): Promise<TextCounts | undefined> {
  const before = known.get(of)?.get(chosen);
  if (before !== undefined) return before;
  const source = await sourceFor(chosen);
  if (source === undefined) return undefined;
  const counts: number[] = [];
  for (const batch of batchesOf(texts())) {
    if (signal.aborted) return undefined;
    for (const count of await ask('count', source, batch)) counts.push(count);
  }
  const all = { name: nameOf(source), counts };
  const ofThis = known.get(of) ?? new Map<string, TextCounts>();
  known.set(of, ofThis.set(chosen, all));
  return all;
}

function nameOf(source: TokenizerSource): string {
  return source.kind === 'bundled' ? bundledName : source.name;
}

export function batchesOf(texts: readonly string[], most = BATCH): string[][] {
  const batches: string[][] = [];
  let room = 0;
  for (const text of texts) {
    const last = batches.at(-1);
    if (last === undefined || room < text.length) {
      batches.push([text]);
      room = most - text.length;
    } else {
      last.push(text);
      room -= text.length;
    }
  }
  return batches;
}
