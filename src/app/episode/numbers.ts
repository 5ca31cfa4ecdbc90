const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

/** `12,345` */
export function count(value: number): string {
  return whole.format(value);
}

/** Exact while it is short: `9,876`, then `12.3k`, `128k`, `1.2M`. */
export function shortCount(value: number): string {
  if (Math.abs(value) < 10_000) return count(value);
  const [scaled, unit] = Math.abs(value) < 999_500 ? [value / 1e3, 'k'] : [value / 1e6, 'M'];
  return `${Math.abs(scaled) < 99.95 ? scaled.toFixed(1).replace('.0', '') : count(scaled)}${unit}`;
}

/** `1 message`, `2 messages` */
export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}
