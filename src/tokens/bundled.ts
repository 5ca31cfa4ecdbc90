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
  const [bpe, { default: vocabulary }] = await Promise.all([
    import('gpt-tokenizer/encoding/cl100k_base'),
    import('gpt-tokenizer/bpeRanks/cl100k_base'),
  ]);
  const plain = { disallowedSpecial: new Set<string>() };
  const special = { ...plain, allowedSpecial: 'all' as const };
  const encode = (text: string, options?: EncodeOptions): number[] => {
    const ids: number[] = [];
    for (const piece of shortRuns(text)) {
      for (const id of bpe.encode(piece, options?.special === true ? special : plain)) ids.push(id);
    }
    return ids;
  };
  const markers = [bpe.EndOfText, bpe.EndOfPrompt, bpe.FimPrefix, bpe.FimMiddle, bpe.FimSuffix];
  const known = new Map<number, string>();
  for (const marker of [...markers, bpe.ImStart, bpe.ImEnd, bpe.ImSep]) {
    const [id, ...more] = bpe.encode(marker, special);
    if (id !== undefined && more.length === 0) known.set(id, marker);
  }
  return {
    id: BUNDLED_TOKENIZER_ID,
    name: 'cl100k_base (bundled)',
    encode,
    decode: (ids) => decode(ids, (id) => vocabulary[id] ?? known.get(id)),
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

/**
 * Our own, because the package's decoder remembers an unfinished character from one call to the next and drops a leading U+FEFF. A token is
 * text, or bytes where it is only a part of a character.
 */
function decode(
  ids: Iterable<number>,
  tokenOf: (id: number) => string | readonly number[] | undefined,
): string {
  let text = '';
  let bytes: number[] = [];
  const flush = (): void => {
    if (bytes.length > 0)
      text += new TextDecoder('utf-8', { ignoreBOM: true }).decode(Uint8Array.from(bytes));
    bytes = [];
  };
  for (const id of ids) {
    const token = tokenOf(id);
    if (typeof token === 'object') bytes.push(...token);
    else {
      flush();
      text += token ?? '\uFFFD';
    }
  }
  flush();
  return text;
}
