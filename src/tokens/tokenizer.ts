/**
 * Text to token ids and back. Every implementation takes any text: markers such as `<|im_start|>` are plain text unless
 * `special` is asked for (a rendered template asks for it, a document does not), and a lone surrogate counts as U+FFFD.
 */
export interface Tokenizer {
  /** Says which tokenizer made a count: `cl100k_base`, or a digest of the file that was dropped in. */
  readonly id: string;
  readonly name: string;
  encode(text: string, options?: EncodeOptions): readonly number[];
  /** Ids that the vocabulary does not have come out as U+FFFD: recorded ids may be another tokenizer's. */
  decode(ids: Iterable<number>): string;
  count(text: string, options?: EncodeOptions): number;
}

export interface EncodeOptions {
  /** Read markers of the template as single tokens. */
  readonly special?: boolean;
}

/** The same text with each lone surrogate replaced, as UTF-8 would have it. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\uFFFD');
}
