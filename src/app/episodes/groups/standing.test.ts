import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Group, Row } from '../../../ingest/protocol';
import { flatAt, flatCount, type GroupName, type OpenGroup } from './flat';
import { rowOfCursor, standing, type GroupCursor, type GroupsAtHand } from './standing';

/** A group by its rollouts, and whether it is open. */
interface Told {
  name: string;
  rollouts: readonly number[];
  isOpen: boolean;
}

const groupOf = ({ name, rollouts }: Told): Group => ({
  key: name,
  source: 'file',
  n: rollouts.length,
  rewarded: 0,
  passed: 0,
  passAt: [],
  zeroVariance: false,
  first: { source: 'file', episode: 0 },
});

function atHand(list: readonly Told[]): GroupsAtHand {
  const groups = list.map(groupOf);
  return {
    row: (index) => groups[index],
    find: (is) => {
      const at = groups.findIndex(is);
      return at < 0 ? undefined : at;
    },
  };
}

const membersOf = (list: readonly Told[]) => (group: GroupName) => ({
  find: (is: (row: Row) => boolean) => {
    const rollouts = list.find(({ name }) => name === group.key)?.rollouts ?? [];
    const at = rollouts.findIndex((episode) =>
      is({ ref: { source: 'file', episode }, title: '', cells: {} }),
    );
    return at < 0 ? undefined : at;
  },
});

/** `a`, `a 0`, `a 1`, `b`: what stands in the rows. */
function written(list: readonly Told[], isOpen: (each: Told) => boolean): string[] {
  return list.flatMap((each) => [
    each.name,
    ...(isOpen(each) ? each.rollouts.map((rollout) => `${each.name} ${rollout}`) : []),
  ]);
}

/** The names of groups and the rollouts of each, and which of both were there at first. */
const grown = fc.uniqueArray(
  fc.record({
    name: fc.string({ minLength: 1, maxLength: 3 }),
    rollouts: fc.uniqueArray(fc.record({ nth: fc.nat(99), early: fc.boolean() }), {
      minLength: 1,
      maxLength: 5,
      selector: ({ nth }) => nth,
    }),
    isOpen: fc.boolean(),
  }),
  { minLength: 1, maxLength: 10, selector: ({ name }) => name },
);

describe('while a source grows', () => {
  it('groups stay open, and the cursor stays where it was', () => {
    fc.assert(
      fc.property(grown, (all) => {
        const after = all.map(({ rollouts, ...each }): Told => {
          return { ...each, rollouts: rollouts.map(({ nth }) => nth) };
        });
        const before = all.flatMap(({ rollouts, ...each }): Told[] => {
          const early = rollouts.filter((rollout) => rollout.early).map(({ nth }) => nth);
          return early.length === 0 ? [] : [{ ...each, rollouts: early }];
        });
        const opened = before.flatMap((each, index): OpenGroup[] =>
          each.isOpen ? [{ ...groupOf(each), index }] : [],
        );
        const open = standing(opened, atHand(after));
        const wereOpen = new Set(opened.map(({ key }) => key));
        const now = written(after, ({ name }) => wereOpen.has(name));
        expect(open.map(({ key }) => key)).toEqual(
          after.flatMap(({ name }) => (wereOpen.has(name) ? [name] : [])),
        );
        expect(flatCount(after.length, open)).toBe(now.length);

        written(before, ({ isOpen }) => isOpen).forEach((what, row) => {
          const at = flatAt(row, opened);
          const told = before[at.group];
          if (told === undefined) throw new Error('There is no such group');
          const episode = at.kind === 'member' ? told.rollouts[at.nth] : undefined;
          const cursor: GroupCursor = {
            group: { ...groupOf(told), index: at.group },
            ...(at.kind === 'member' && episode !== undefined
              ? { member: { nth: at.nth, ref: { source: 'file', episode } } }
              : {}),
          };
          const stands = rowOfCursor(cursor, atHand(after), open, membersOf(after)) ?? -1;
          expect(now[stands]).toBe(what);
        });
      }),
    );
  });

  it('what is not at hand is where it was, and closed once something else is known to stand there', () => {
    const opened = [{ index: 3, n: 2, key: 'a', source: 'file' }];
    const nothing: GroupsAtHand = { row: () => undefined, find: () => undefined };
    expect(standing(opened, nothing)).toEqual(opened);
    const other = groupOf({ name: 'b', rollouts: [1], isOpen: false });
    expect(standing(opened, { ...nothing, row: () => other })).toEqual([]);
  });
});
