/** What a file is to a tokenizer: itself, or its settings with the chat template. */
export type TokenizerFile = 'tokenizer' | 'settings';

/** How much of a file is looked at. */
export const HEAD_BYTES = 4096;

/**
 * A `tokenizer.json` as Hugging Face writes it begins `{"version": "1.0", "truncation": null, "padding": null,
 * "added_tokens": [`, whatever it is called; a `tokenizer_config.json` is known by its name.
 */
export function tokenizerFile(name: string, head: string): TokenizerFile | undefined {
  if (!/^\s*\{/.test(head)) return undefined;
  const base = name.slice(name.lastIndexOf('/') + 1).toLowerCase();
  if (base.endsWith('tokenizer_config.json')) return 'settings';
  const looksLikeOne =
    /^\s*\{\s*"version"\s*:\s*"[\d.]+"\s*,\s*"truncation"\s*:/.test(head) && /"padding"\s*:/.test(head);
  return looksLikeOne || base === 'tokenizer.json' ? 'tokenizer' : undefined;
}

/** Whether it is worth looking into a file: rollouts are often large, and seldom called `.json`. */
export function maybeTokenizer(name: string, size: number): boolean {
  return /\.json$/i.test(name) && size <= LARGEST;
}

/** The largest vocabularies take about 35 MB. */
const LARGEST = 128 * 1024 * 1024;

/** `models/Qwen3-8B/tokenizer.json` is called `Qwen3-8B`; one that lies in no folder, by its own name. */
export function tokenizerName(path: string): string {
  const [base = path, folder] = path.split('/').reverse();
  const own = base.replace(/\.json$/i, '');
  return own.toLowerCase() === 'tokenizer' ? (folder ?? base) : own;
}

/** The settings that belong to a tokenizer: those of its folder. */
export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}
