/** Which tokenizer is meant: the one that ships, or a file that the person brought. */
export type TokenizerSource =
  { kind: 'bundled' } | { kind: 'file'; id: string; name: string; tokenizer: Blob; settings?: Blob };

/** What the worker is asked, and answers. */
export interface TokenizerWork {
  /** Reads a file to the end; refuses what is no tokenizer. */
  examine(source: Extract<TokenizerSource, { kind: 'file' }>): { id: string; hasTemplate: boolean };
  count(source: TokenizerSource, texts: readonly string[]): number[];
  /** The text of each id, or undefined where the ids of `said` are not this tokenizer's. */
  read(
    source: TokenizerSource,
    ids: Int32Array,
    said: readonly { ids: Int32Array; text: string }[],
  ): { texts: string[]; fits: boolean };
}

export type WorkRequest = {
  [M in keyof TokenizerWork]: { id: number; method: M; args: Parameters<TokenizerWork[M]> };
}[keyof TokenizerWork];

export type WorkReply = { id: number; value: unknown } | { id: number; error: string };
