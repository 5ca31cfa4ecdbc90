import { formatCount } from '../words/format';

/** Exact while it is short: `9,876`, then `12.3k`, `128k`, `1.2M`. */
export function shortCount(value: number): string {
  if (Math.abs(value) < 10_000) return formatCount(value);
  const [scaled, unit] = Math.abs(value) < 999_500 ? [value / 1e3, 'k'] : [value / 1e6, 'M'];
  return `${Math.abs(scaled) < 99.95 ? scaled.toFixed(1).replace('.0', '') : formatCount(scaled)}${unit}`;
}
