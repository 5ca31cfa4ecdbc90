import { emptyRecord, isObject, type Metrics } from '../model';

/** Longer than this, or of several lines, a string is content and not something to sort or filter by. */
const longestLabel = 80;

/**
 * Every number, flag and short string at the top of a record. Names are the record's own: they may hold slashes and
 * spaces (`OCRBench/Regular Text Recognition`), or be called `__proto__`.
 */
export function metricsOf(record: unknown, except: ReadonlySet<string> = new Set()): Metrics {
  const metrics = emptyRecord<number | string | boolean>();
  if (!isObject(record)) return metrics;
  for (const key of Object.keys(record)) {
    const value = record[key];
    if (!except.has(key) && isMetric(value)) metrics[key] = value;
  }
  return metrics;
}

function isMetric(value: unknown): value is number | string | boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value === 'string') {
    return value !== '' && value.length <= longestLabel && !value.includes('\n');
  }
  return typeof value === 'boolean';
}
