import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  flatAt,
  flatCount,
  groupId,
  rowOfGroup,
  sameGroup,
  toggled,
  type FlatRow,
  type OpenGroup,
} from './flat';

/** Groups by their sizes, and which of them are open. */
const lists = fc.array(fc.tuple(fc.integer({ min: 1, max: 5 }), fc.boolean()), { maxLength: 12 });

function openOf(sizes: readonly (readonly [number, boolean])[]): OpenGroup[] {
  return sizes.flatMap(([n, isOpen], index) =>
    isOpen ? [{ index, n, key: 'task', source: `file ${index}` }] : [],
  );
}

describe('groups as rows', () => {
  it('stand as if written one after another', () => {
    fc.assert(
      fc.property(lists, (sizes) => {
        const open = openOf(sizes);
        const written = sizes.flatMap(([n, isOpen], group): FlatRow[] => [
          { kind: 'group', group },
          ...Array.from({ length: isOpen ? n : 0 }, (_, nth): FlatRow => {
            return {
              kind: 'member',
              group,
              of: { index: group, n, key: 'task', source: `file ${group}` },
              nth,
            };
          }),
        ]);
        expect(flatCount(sizes.length, open)).toBe(written.length);
        expect(written.map((_, row) => flatAt(row, open))).toEqual(written);
        written.forEach((each, row) => {
          if (each.kind === 'group') expect(rowOfGroup(each.group, open)).toBe(row);
        });
      }),
    );
  });

  it('are told apart by key and source together', () => {
    const name = fc.record({ key: fc.string(), source: fc.string() }, { requiredKeys: ['key'] });
    fc.assert(
      fc.property(name, name, (a, b) => {
        expect(groupId(a) === groupId(b)).toBe(sameGroup(a, b));
        expect(sameGroup(a, b)).toBe(a.key === b.key && a.source === b.source);
      }),
    );
  });

  it('open and close', () => {
    fc.assert(
      fc.property(lists, fc.nat(11), (sizes, at) => {
        const open = openOf(sizes);
        const group = { index: at, n: 3, key: 'task', source: `file ${at}` };
        const once = toggled(open, group);
        expect(once.some(({ index }) => index === at)).toBe(!open.some(({ index }) => index === at));
        expect(once.map(({ index }) => index)).toEqual(once.map(({ index }) => index).sort((a, b) => a - b));
        expect(toggled(once, group).map(({ index }) => index)).toEqual(open.map(({ index }) => index));
      }),
    );
  });
});
