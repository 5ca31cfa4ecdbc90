import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { exporters } from './export';
import { formats } from './registry';

const page = readFileSync(new URL('../../docs/formats.md', import.meta.url), 'utf8');

/** What stands between backticks in a column of the table under a heading. */
function idsUnder(heading: string, column: number): string[] {
  const section = page.split('\n## ').find((part) => part.startsWith(heading)) ?? '';
  return section
    .split('\n')
    .flatMap((line) => [...(line.split('|')[column] ?? '').matchAll(/`([a-z0-9_-]+)`/g)])
    .map(([, id]) => id ?? '');
}

test('docs/formats.md describes formats that are there, each once', () => {
  const described = idsUnder('What opens', 2);
  const known = new Set(formats.map(({ id }) => id));
  expect(described.filter((id) => !known.has(id))).toEqual([]);
  expect(new Set(described).size).toBe(described.length);
  expect(described.length).toBeGreaterThan(40);
});

test('docs/formats.md describes what is written', () => {
  expect(idsUnder('What is written', 1)).toEqual(exporters.map(({ id }) => id));
});
