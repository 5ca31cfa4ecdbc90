import type { Cell } from '../../ingest/protocol';

/** A value as the table and the inspector write it. Minus is U+2212, as wide as a digit in a tabular face. */

/** Longer texts are cut before they reach the page: a cell can hold megabytes, a column shows a line. */
export const longestCell = 300;

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const fine = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 4 });
/** Rounds what a person reads: 0.175, which the machine holds as a little less, is 0.18 as 0.625 is 0.63. */
const twoDecimals = new Intl.NumberFormat('en-US', {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
  useGrouping: false,
});

/** `41872` is `41,872`. */
export function formatCount(count: number): string {
  // Adding nothing turns −0 into 0.
  return whole.format(count + 0).replace('-', '−');
}

/** Four digits that matter: `0.6667`, `1,205`, `−3.5`, `2.5e−7`. Whole numbers keep all of theirs. */
export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? '∞' : '−∞';
  const size = Math.abs(value);
  if (Number.isInteger(value) && size < 1e15) return formatCount(value);
  if (size >= 1e15 || size < 1e-4) return value.toExponential(2).replaceAll('-', '−').replace('e+', 'e');
  if (size >= 1000) return formatCount(Math.round(value));
  return fine.format(value).replace('-', '−');
}

/** Two decimals, so that rewards stand under each other: `0.00`, `−0.50`. Very small ones say that they are not nothing. */
export function formatReward(value: number): string {
  const size = Math.abs(value);
  if (size !== 0 && (size < 0.005 || size >= 1e6)) return formatNumber(value);
  return Number.isFinite(value) ? twoDecimals.format(value + 0).replace('-', '−') : formatNumber(value);
}

export type Standing = 'low' | 'high' | 'between';

/** Most verifiers give 0 to 1, or −1 to 1: nothing gained is low, the full point is high. */
export function standingOf(reward: number): Standing {
  if (reward <= 0) return 'low';
  return reward >= 1 ? 'high' : 'between';
}

export function formatCell(value: Cell): string {
  switch (typeof value) {
    case 'number':
      return formatNumber(value);
    case 'boolean':
      return value ? 'yes' : 'no';
    case 'string':
      return oneLine(value);
    default:
      return '';
  }
}

/** The start of a text without the breaks and control characters that a cell could not show. */
export function oneLine(text: string, longest = longestCell): string {
  const start = text.slice(0, longest).replaceAll(/[\s\p{Cc}]+/gu, ' ');
  return text.length > longest ? `${start}…` : start;
}

const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** `1536000` is `1.5 MB`: decimal, as file managers count. */
export function formatBytes(bytes: number): string {
  let size = bytes;
  let unit = 0;
  while (size >= 999.5 && unit < units.length - 1) {
    size /= 1000;
    unit += 1;
  }
  return `${size < 10 && unit > 0 ? size.toFixed(1) : Math.round(size)} ${units[unit]}`;
}

/** `4 s`, `3 min`, `1 h 5 min`. Nothing is more exact than an estimate can be. */
export function formatDuration(seconds: number): string {
  if (seconds < 60) return `${Math.max(1, Math.round(seconds))} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const rest = minutes % 60;
  return rest === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${rest} min`;
}

/** `1 episode`, `1,204 episodes`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}
