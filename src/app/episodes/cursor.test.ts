import * as fc from 'fast-check';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { EpisodeRef, Row, TableQuery } from '../../ingest/protocol';
import { activeRow, refKey, type Cursor } from './cursor';
import { rowAfterKey } from './keys';
import { rowWindows } from './rowWindows';

// Answers take no time here.
beforeEach(() => void vi.spyOn(performance, 'now').mockReturnValue(0));
afterEach(() => void vi.restoreAllMocks());

const ref = (episode: number): EpisodeRef => ({ source: 'a', episode });
const order = 'by reward';
const cursor: Cursor = { row: 7, at: undefined, order, from: 'a#1', to: 'a#2' };
const unseen = { order, selectedRow: 3, rowOf: () => undefined };

it('the cursor stays while the episode it left or the one it asked for is open', () => {
  expect(activeRow(cursor, { ...unseen, selected: ref(1) })).toBe(7);
  expect(activeRow(cursor, { ...unseen, selected: ref(2) })).toBe(7);
});

it('an episode opened from elsewhere, or another order, takes it to the opened row', () => {
  expect(activeRow(cursor, { ...unseen, selected: ref(9) })).toBe(3);
  expect(activeRow(cursor, { ...unseen, order: 'by steps', selected: ref(2) })).toBe(3);
  expect(activeRow(undefined, { ...unseen, selectedRow: undefined, selected: undefined })).toBeUndefined();
});

it('wherever rows come in, and on the screen or not, the arrow leads to the row after', async () => {
  const query: TableQuery = { sources: ['a'], sort: [] };
  const lists = fc.uniqueArray(fc.nat(2_000), { minLength: 2, maxLength: 700 });
  await fc.assert(
    fc.asyncProperty(lists, fc.nat(), fc.nat(), fc.boolean(), async (all, size, nth, isSeen) => {
      // The rows that were there first keep their order among each other.
      const grown = all.toSorted((a, b) => (a % 97) - (b % 97) || a - b);
      const early = new Set(all.slice(0, 1 + (size % all.length)));
      const before = grown.filter((each) => early.has(each));
      let list = before;
      const windows = rowWindows(async (_query, start, end) => {
        const rows = list.slice(start, end).map((each): Row => ({ ref: ref(each), title: '', cells: {} }));
        return { total: list.length, rows };
      });
      const rowOf = ({ episode }: EpisodeRef) => windows.find((row) => row.ref.episode === episode);
      const see = async (revision: string, at: number) => {
        windows.want({ query, revision, first: Math.max(0, at - 20), end: at + 20 });
        await new Promise((done) => setTimeout(done));
      };

      const row = nth % before.length;
      const chosen = before[row] ?? 0;
      await see('early', row);
      const selected = windows.row(row)?.ref;
      expect(selected).toEqual(ref(chosen));
      const moved: Cursor = { row, at: selected, order, from: undefined, to: refKey(selected) };

      list = grown;
      const now = grown.indexOf(chosen);
      await see('grown', isSeen ? now : now + 1_000);
      // What is on the screen is known at once, what the worker says of the rest is awaited.
      const selectedRow = isSeen ? row : now;
      const active = activeRow(moved, { order, selected, selectedRow, rowOf });
      const next = rowAfterKey('ArrowDown', { active, total: grown.length, page: 10 });
      expect(next).toBe(Math.min(now + 1, grown.length - 1));
      expect(activeRow(undefined, { order, selected, selectedRow, rowOf })).toBe(now);
    }),
    { numRuns: 60 },
  );
});

it('references are the same by what they name', () => {
  expect(refKey({ source: 'a', episode: 1 })).toBe(refKey({ episode: 1, source: 'a' }));
  expect(refKey(undefined)).toBeUndefined();
});
