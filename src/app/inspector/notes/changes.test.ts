import { expect, it } from 'vitest';
import type { NoteEdit } from '../../../model';
import { episodeOf } from '../../../model/episode.fixtures';
import { noteChanges } from './changes';

const write = (step: number, key: string, content: string): NoteEdit => ({
  step,
  key,
  change: { kind: 'write', summary: key, content },
});

const episode = episodeOf({
  steps: [{ index: 0 }, { index: 1 }, { index: 2 }, { index: 3 }],
  notes: [
    write(0, 'a', 'one'),
    write(1, 'a', 'one'),
    { step: 1, key: 'b', change: { kind: 'append', content: 'two' } },
    { step: 2, key: 'a', change: { kind: 'append', content: 'more' } },
    { step: 2, key: 'b', change: { kind: 'remove' } },
  ],
});

const said = (from: number, to: number) =>
  noteChanges(episode, from, to).map(({ key, kind }) => `${key} ${kind}`);

it('tells new, changed and removed notes apart', () => {
  expect(said(-1, 0)).toEqual([]);
  expect(said(0, 1)).toEqual(['a new']);
  // Written again with the same words is no change.
  expect(said(1, 2)).toEqual(['b new']);
  expect(said(2, 3)).toEqual(['a changed', 'b removed']);
  expect(said(0, 3)).toEqual(['a new']);
});

it('keeps what was there before and after', () => {
  const [change] = noteChanges(episode, 2, 3);
  expect([change?.before?.content, change?.after?.content]).toEqual(['one', 'one\nmore']);
});
