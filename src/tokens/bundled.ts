import type { EncodeOptions, Tokenizer } from './tokenizer';

export const BUNDLED_TOKENIZER_ID = 'cl100k_base';

/**
 * cl100k_base rather than o200k_base: less than half the download (425 KB against 983 KB), and Qwen's vocabulary, which the
 * StateLM models use, was grown from it, so that counts come close to what those models would count.
 */
let loading: Promise<Tokenizer> | undefined;

export function loadBundledTokenizer(): Promise<Tokenizer> {
  loading ??= load().catch((error: unknown) => {
    // A failed download must not be remembered: the next call tries again.
    loading = undefined;
    throw error;
  });
  return loading;
}

async function load(): Promise<Tokenizer> {
  const bpe = await import('gpt-tokenizer/encoding/cl100k_base');
  const plain = { disallowedSpecial: new Set<string>() };
  const special = { ...plain, allowedSpecial: 'all' as const };
  const encode = (text: string, options?: EncodeOptions): number[] => {
    const ids: number[] = [];
    for (const piece of shortRuns(text)) {
      for (const id of bpe.encode(piece, options?.special === true ? special : plain)) ids.push(id);
    }
    return ids;
  };
  const decode = (ids: Iterable<number>): string => {
    const list = [...ids];
    try {
      return bpe.decode(list);
    } catch {
      return decodeKnown(list, bpe.decode);
    }
  };
  return {
    id: BUNDLED_TOKENIZER_ID,
    name: 'cl100k_base (bundled)',
    encode,
    decode,
    count: (text, options) => encode(text, options).length,
  };
}

/**
 * Cuts runs without any break, which BPE merges in quadratic time: 100,000 times `a` would take ten seconds. A cut costs at
 * most a token or so, and text with spaces has none.
 */
const LONG_RUN = /[\p{L}\p{M}]{256}|\s{256}|[^\s\p{L}\p{N}]{256}/gu;

function* shortRuns(text: string): Generator<string> {
  let start = 0;
  for (const run of text.matchAll(LONG_RUN)) {
    const end = run.index + run[0].length;
    yield text.slice(start, end);
    start = end;
  }
  if (start < text.length) yield text.slice(start);
}

function decodeKnown(ids: readonly number[], decode: (ids: number[]) => string): string {
  let text = '';
  let run: number[] = [];
  const flush = (): void => {
    if (run.length > 0) text += decode(run);
    run = [];
  };
  for (const id of ids) {
    if (isKnown(id, decode)) run.push(id);
    else {
      flush();
      text += '\uFFFD';
    }
  }
  flush();
  return text;
}

function isKnown(id: number, decode: (ids: number[]) => string): boolean {
  try {
    decode([id]);
    return true;
  } catch {
    return false;
  }
}
