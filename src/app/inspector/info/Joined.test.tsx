import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { Partner } from '../../../ingest/protocol';
import { JoinedFiles } from './Joined';

const input: Partner = {
  role: 'input',
  ref: { source: 'inputs.jsonl', episode: 3 },
  title: 'task 3',
  source: 'inputs.jsonl',
  by: 'index',
  differs: false,
  facts: [{ name: 'expected_count', value: '6' }],
};

function markup(found: Partner[], missing: string[] = [], more = 0): string {
  return renderToStaticMarkup(<JoinedFiles partners={{ found, missing, more }} />);
}

it('names the partner, how it was found, and what it knows', () => {
  const text = markup([input]);
  expect(text).toContain('Task input');
  expect(text).toContain('Joined by the same task and rollout index');
  expect(text).toMatch(/expected_count[\s\S]*>6</);
  expect(text).not.toContain('different runs');
});

it('says what is missing, what is doubtful, and how many more there are', () => {
  const text = markup([{ ...input, differs: true }], ['No failed attempt in a.jsonl.'], 7);
  expect(text).toContain('different runs');
  expect(text).toContain('No failed attempt in a.jsonl.');
  expect(text).toContain('and 7 more');
});

it('draws the names of files and fields as text', () => {
  const text = markup([{ ...input, title: '<img src=x>', facts: [{ name: '<b>', value: '<script>' }] }]);
  expect(text).not.toMatch(/<img|<b>|<script/);
});
