import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ColumnInfo, Row } from '../../ingest/protocol';
import {
  columnsFrom,
  sameColumns,
  sortFrom,
  sortingFrom,
  tracksOf,
  visibilityOf,
  withChoice,
} from './columns';

const info = (key: string, shown = true, type: ColumnInfo['type'] = 'number'): ColumnInfo => ({
  key,
  label: key,
  type,
  filled: 1,
  shown,
});
const keys = fc.constantFrom('reward', 'steps', '__proto__', 'constructor', 'metric:a.b');
const infos = fc.uniqueArray(
  fc.tuple(keys, fc.boolean()).map(([key, shown]) => info(key, shown)),
  {
    selector: ({ key }) => key,
    minLength: 1,
  },
);

describe('columns', () => {
  it('are the title and then what the data has, in its order', () => {
    const columns = columnsFrom([
      info('title', true, 'string'),
      info('reward'),
      info('done', true, 'boolean'),
    ]);
    expect(columns.map(({ id }) => id)).toEqual(['title', 'reward', 'done']);
    expect(columns.map(({ meta }) => meta?.kind)).toEqual(['title', 'reward', 'boolean']);
  });

  it('read only what a row itself has', () => {
    const [, reward, odd] = columnsFrom([info('reward'), info('toString')]);
    const row: Row = { ref: { source: 'a', episode: 0 }, title: 't', cells: { reward: 0.5 } };
    expect(reward?.meta?.read(row)).toBe(0.5);
    expect(odd?.meta?.read(row)).toBeUndefined();
  });

  it('stay as the person left them: what was shown is shown, and agreeing with the default is no choice', () => {
    fc.assert(
      fc.property(infos, fc.array(fc.tuple(fc.nat(), fc.boolean())), (all, choices) => {
        let chosen: Record<string, boolean> = {};
        const wanted = new Map(all.map(({ key, shown }) => [key, shown]));
        for (const [nth, visible] of choices) {
          const column = all[nth % all.length];
          if (column === undefined) continue;
          chosen = withChoice(chosen, column, visible);
          wanted.set(column.key, visible);
        }
        expect(new Map(Object.entries(visibilityOf(all, chosen)))).toEqual(wanted);
        for (const { key, shown } of all) {
          if (Object.hasOwn(chosen, key)) expect(chosen[key]).toBe(!shown);
        }
      }),
    );
  });

  it('are the same while only their filling changes', () => {
    expect(sameColumns([info('a')], [{ ...info('a'), filled: 7 }])).toBe(true);
    expect(sameColumns([info('a')], [info('a', false)])).toBe(false);
    expect(sameColumns([info('a')], [info('a'), info('b')])).toBe(false);
  });

  it('give the title what is left unless it has a width', () => {
    const columns = [
      { id: 'title', width: 104 },
      { id: 'reward', width: 68 },
    ];
    expect(tracksOf(columns, false)).toBe('minmax(104px, 1fr) 68px');
    expect(tracksOf(columns, true)).toBe('104px 68px minmax(0, 1fr)');
  });

  it('sort the same in the words of the table and of the query', () => {
    const sort = [
      { column: 'reward', descending: true },
      { column: 'steps', descending: false },
    ];
    expect(sortFrom(sortingFrom(sort))).toEqual(sort);
  });
});
