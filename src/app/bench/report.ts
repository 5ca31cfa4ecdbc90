import type { Row } from './section';

export function holds({ bound, value }: Row): boolean | undefined {
  if (bound === undefined) return undefined;
  return 'atLeast' in bound ? value >= bound.atLeast : value < bound.under;
}

/** The table as text, each row with its bound and whether it holds. */
export function tableOf(rows: readonly Row[]): string {
  const cells = rows.map((row) => [
    { true: 'ok', false: 'MISSED', undefined: '' }[String(holds(row))] ?? '',
    figure(row.value, row.unit),
    boundText(row),
    row.what,
    row.how,
  ]);
  const head = ['', 'measured', 'bound', 'what', 'how'];
  const widths = head.map((_, at) => Math.max(...[head, ...cells].map((line) => line[at]?.length ?? 0)));
  const line = (texts: readonly string[]) =>
    texts
      .map((text, at) => text.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd();
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...cells.map(line)].join('\n');
}

function boundText({ bound, unit }: Row): string {
  if (bound === undefined) return '';
  return 'atLeast' in bound ? `>= ${figure(bound.atLeast, unit)}` : `< ${figure(bound.under, unit)}`;
}

function figure(value: number, unit: Row['unit']): string {
  if (!Number.isFinite(value)) return 'none';
  switch (unit) {
    case 'x':
      return `${value.toFixed(2)}x`;
    case '%':
      return `${(value * 100).toFixed(1)} %`;
    default:
      return `${value.toFixed(value < 10 ? 1 : 0)} ${unit}`;
  }
}
