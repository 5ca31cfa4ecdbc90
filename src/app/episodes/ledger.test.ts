import { expect, it } from 'vitest';
import type { Problem } from '../../ingest/protocol';
import { listedProblems, mostListed, placeOf, problemsAsText } from './ledger';

const problem = (line: number): Problem => ({
  line,
  byteStart: line * 1000,
  byteEnd: line * 1000 + 10,
  reason: 'Unexpected token < at column 1',
  excerpt: '<html>\n<body>',
});

it('lists what a person reads and says how many there are beyond', () => {
  const problems = Array.from({ length: mostListed + 5 }, (_, index) => problem(index + 1));
  expect(listedProblems(problems, problems.length)).toMatchObject({ more: 5 });
  // The worker keeps only so many; the source knows of all.
  expect(listedProblems(problems, 100_000).more).toBe(100_000 - mostListed);
  expect(listedProblems(problems.slice(0, 3), 3)).toMatchObject({ more: 0 });
  expect(listedProblems([], 3).more).toBe(0);
});

it('says where', () => {
  expect(placeOf(problem(1204))).toBe('line 1,204 · byte 1,204,000');
});

it('copies a problem in two lines that name the file and line', () => {
  expect(problemsAsText('run.jsonl', [problem(3), problem(9)]).split('\n')).toEqual([
    'run.jsonl:3: Unexpected token < at column 1 (bytes 3000-3010)',
    '    <html> <body>',
    'run.jsonl:9: Unexpected token < at column 1 (bytes 9000-9010)',
    '    <html> <body>',
  ]);
});
