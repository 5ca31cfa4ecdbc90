import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Row, TableQuery } from '../../ingest/protocol';
import { rowWindows, windowRows, windowsOf } from './rowWindows';

const query = (column?: string): TableQuery => ({
  sources: ['run'],
  sort: column === undefined ? [] : [{ column, descending: false }],
});
const rowNamed = (title: string): Row => ({ ref: { source: 'run', episode: 0 }, title, cells: {} });

// Answers take no time here: how long the windows rest after one is not what these tests are about.
beforeEach(() => void vi.spyOn(performance, 'now').mockReturnValue(0));
afterEach(() => void vi.restoreAllMocks());

const settle = () => new Promise<void>((done) => setTimeout(done));

/** A worker that answers when it is told to. */
function slowWorker() {
  const asked: {
    query: TableQuery;
    start: number;
    answer: (total: number, mark?: string) => Promise<void>;
    fail: () => Promise<void>;
  }[] = [];
  const load = (wanted: TableQuery, start: number, end: number) =>
    new Promise<{ total: number; rows: Row[] }>((resolve, reject) => {
      asked.push({
        query: wanted,
        start,
        answer: (total, mark = '') => {
          const length = Math.max(0, Math.min(end, total) - start);
          resolve({ total, rows: Array.from({ length }, (_, index) => rowNamed(`${mark}${start + index}`)) });
          return settle();
        },
        fail: () => {
          reject(new Error('the worker is gone'));
          return settle();
        },
      });
    });
  return { asked, load };
}

describe('windows', () => {
  it('cover the rows and nothing beyond', () => {
    fc.assert(
      fc.property(fc.nat(1e6), fc.nat(500), (first, length) => {
        const windows = windowsOf(first, first + length);
        for (const row of [first, Math.max(first, first + length - 1)]) {
          expect(windows).toContain(Math.floor(row / windowRows));
        }
        expect(windows.length).toBeLessThanOrEqual(Math.ceil(length / windowRows) + 1);
      }),
    );
  });
});

describe('rows on screen', () => {
  it('are asked for once and are there when they come', async () => {
    const { asked, load } = slowWorker();
    const rows = rowWindows(load);
    rows.want({ query: query(), revision: '1', first: 190, end: 230 });
    rows.want({ query: query(), revision: '1', first: 191, end: 231 });
    expect(asked.map(({ start }) => start)).toEqual([0, windowRows]);
    expect(rows.row(195)).toBeUndefined();
    await asked[0]?.answer(1000);
    expect(rows.row(195)?.title).toBe('195');
    expect(rows.row(205)).toBeUndefined();
    expect(rows.total()).toBe(1000);
    rows.want({ query: query(), revision: '1', first: 0, end: 20 });
    expect(asked.length).toBe(2);
  });

  it('are those of the last query, also when an earlier answer comes late', async () => {
    const { asked, load } = slowWorker();
    const rows = rowWindows(load);
    rows.want({ query: query(), revision: '1', first: 0, end: 10 });
    await asked[0]?.answer(10, 'file ');
    rows.want({ query: query('reward'), revision: '1', first: 0, end: 10 });
    rows.want({ query: query('steps'), revision: '1', first: 0, end: 10 });
    // The old order stays until the new one is there.
    expect(rows.row(3)?.title).toBe('file 3');
    await asked[1]?.answer(10, 'reward ');
    expect(rows.row(3)?.title).toBe('file 3');
    await asked[2]?.answer(10, 'steps ');
    expect(rows.row(3)?.title).toBe('steps 3');
  });

  it('grow with a source that grows faster than it is asked', async () => {
    const { asked, load } = slowWorker();
    const rows = rowWindows(load);
    for (let round = 0; round < 5; round += 1) {
      for (let more = 0; more < 3; more += 1) {
        rows.want({ query: query(), revision: `${round}.${more}`, first: 0, end: 10 });
      }
      // One question at a time, and each answer is shown though the source has grown since.
      expect(asked.length).toBe(round + 1);
      await asked[round]?.answer(10 * (round + 1));
      expect(rows.total()).toBe(10 * (round + 1));
    }
  });

  it('stay the same objects while they say the same', async () => {
    const { asked, load } = slowWorker();
    const rows = rowWindows(load);
    rows.want({ query: query(), revision: '1', first: 0, end: 10 });
    await asked[0]?.answer(10);
    const first = rows.row(3);
    rows.want({ query: query(), revision: '2', first: 0, end: 10 });
    await asked[1]?.answer(20);
    expect(rows.row(3)).toBe(first);
    rows.want({ query: query(), revision: '3', first: 0, end: 10 });
    await asked[2]?.answer(20, 'other ');
    expect(rows.row(3)?.title).toBe('other 3');
  });

  it('do not pile up', async () => {
    const { asked, load } = slowWorker();
    const rows = rowWindows(load);
    for (let index = 0; index < 100; index += 1) {
      rows.want({ query: query(), revision: '1', first: index * windowRows, end: index * windowRows + 10 });
      await asked[index]?.answer(1e6);
    }
    const kept = Array.from({ length: 100 }, (_, index) => rows.row(index * windowRows)).filter(Boolean);
    expect(kept.length).toBeLessThan(20);
    expect(rows.row(99 * windowRows)).toBeDefined();
  });

  it('say that they cannot be had, and are asked for again when something has changed', async () => {
    const { asked, load } = slowWorker();
    const rows = rowWindows(load);
    let told = 0;
    const leave = rows.subscribe(() => (told += 1));
    rows.want({ query: query(), revision: '1', first: 0, end: 10 });
    await asked[0]?.fail();
    expect(rows.failure()).toBe('the worker is gone');
    expect([asked.length, told]).toEqual([1, 1]);
    rows.want({ query: query(), revision: '2', first: 0, end: 10 });
    await asked[1]?.answer(10);
    expect(rows.failure()).toBeUndefined();
    leave();
    rows.want({ query: query(), revision: '3', first: 0, end: 10 });
    await asked[2]?.answer(10);
    expect(told).toBe(2);
  });
});
