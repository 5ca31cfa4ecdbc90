import type { Format } from './format';

/** Every format, one line each. On equal confidence the earlier one wins. */
export const formats: readonly Format[] = [];

/** The format that is surest of this record, or undefined where none claims it. */
export function detectFormat(value: unknown): Format | undefined {
  let best: Format | undefined;
  let confidence = 0;
  for (const format of formats) {
    const claim = format.confidence(value);
    if (claim > confidence) {
      best = format;
      confidence = claim;
    }
  }
  return best;
}
