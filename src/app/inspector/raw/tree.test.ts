import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linesOf } from './lines';
import { locator } from './locate';
import { decoded, kindAt, membersOf, nameAt, valueAt, type Span } from './scan';
import {
  canOpen,
  closed,
  indent,
  opened,
  pointerOf,
  rowAt,
  rowCount,
  rowOf,
  treeOf,
  type Path,
} from './tree';

const columns = 60;

/** Rows as the obvious recursion over the opened paths gives them. */
function naiveRows(text: string, open: ReadonlySet<string>): { path: Path; line?: number }[] {
  const rows: { path: Path; line?: number }[] = [];
  function visit(span: Span, path: Path): void {
    rows.push({ path });
    if (!open.has(path.join()) || !canOpen(text, span)) return;
    if (kindAt(text, span.start) === 'string') {
      const { starts } = linesOf(
        decoded(text.slice(span.start, span.end)),
        columns - indent * (path.length + 1),
      );
      for (let line = 0; line < starts.length; line += 1) rows.push({ path, line });
      return;
    }
    const members = membersOf(text, span.start);
    for (let index = 0; index < members.count; index += 1) visit(valueAt(members, index), [...path, index]);
  }
  visit(treeOf(text).root, []);
  return rows;
}

const values = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<unknown>(1, null, 'short', 'a line\nand another', 'x'.repeat(200), {}, []),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom('a', 'b/c', '~', '__proto__', ''), tie('value')),
  ),
})).value;

/** Opens and closes rows by chance, as a person would: by what is to be seen. */
const actions = fc.array(fc.tuple(fc.boolean(), fc.nat()), { maxLength: 20 });

describe('the tree of a record', () => {
  it('shows the rows that a plain recursion over what is open shows', () => {
    fc.assert(
      fc.property(values, actions, (value, steps) => {
        const text = JSON.stringify(value);
        const open = new Set<string>();
        let tree = treeOf(text);
        for (const [opening, at] of steps) {
          const row = rowAt(tree, at % rowCount(tree));
          if (row.kind === 'line') continue;
          if (opening && row.canOpen) {
            tree = opened(tree, row.path, columns);
            open.add(row.path.join());
          } else if (!opening) {
            tree = closed(tree, row.path);
            // What is closed forgets what was open in it.
            for (const path of open) {
              if (path === row.path.join() || row.path.length === 0 || path.startsWith(`${row.path.join()},`))
                open.delete(path);
            }
          }
        }
        const shown = Array.from({ length: rowCount(tree) }, (_, index) => {
          const row = rowAt(tree, index);
          return row.kind === 'line' ? { path: row.path, line: row.line } : { path: row.path };
        });
        expect(shown).toEqual(naiveRows(text, open));
        for (const [index, row] of shown.entries()) {
          if (row.line === undefined) expect(rowOf(tree, row.path)).toBe(index);
        }
      }),
    );
  });

  it('names every value by the pointer that leads back to it', () => {
    fc.assert(
      fc.property(values, actions, (value, steps) => {
        const text = JSON.stringify(value);
        let tree = opened(treeOf(text), [], columns);
        for (const [, at] of steps) {
          const row = rowAt(tree, at % rowCount(tree));
          if (row.kind !== 'line') tree = opened(tree, row.path, columns);
        }
        const locate = locator(tree);
        for (let index = 0; index < rowCount(tree); index += 1) {
          const row = rowAt(tree, index);
          if (row.kind === 'line') continue;
          expect(locate(pointerOf(tree, row.path))).toEqual({ path: row.path, span: row.span });
        }
      }),
    );
  });

  it('opens all that is above a value', () => {
    const text = JSON.stringify({ a: [{ b: { c: 1 } }] });
    const tree = opened(treeOf(text), [0, 0, 0], columns);
    const row = rowAt(tree, rowOf(tree, [0, 0, 0, 0]));
    expect(row.kind === 'line' ? undefined : row.name).toBe('c');
    expect(pointerOf(tree, [0, 0, 0, 0])).toBe('/a/0/b/c');
  });

  it('leads a pointer that goes nowhere as far as it can', () => {
    const text = '{"a":{"b":"{\\"c\\":1}"},"a":{"b":2}}';
    const locate = locator(treeOf(text));
    // Of two keys the last counts.
    expect(locate('/a/b').path).toEqual([1, 0]);
    expect(locate('/a/b/c').path).toEqual([1, 0]);
    expect(locate('/x').path).toEqual([]);
    expect(locate('').path).toEqual([]);
  });

  it('holds an opened array of many members without a thing per row', () => {
    const many = 300_000;
    const text = JSON.stringify(Array.from({ length: many }, (_, index) => index));
    const tree = opened(treeOf(text), [], columns);
    expect(rowCount(tree)).toBe(many + 1);
    const row = rowAt(tree, many);
    expect(row.kind === 'line' ? undefined : nameAt(text, membersOf(text, 0), many - 1)).toBe(
      String(many - 1),
    );
    expect(row.path).toEqual([many - 1]);
  });

  it('opens what is nested a hundred thousand deep one level at a time', () => {
    const text = '['.repeat(100_000) + ']'.repeat(100_000);
    let tree = treeOf(text);
    for (let depth = 0; depth < 5; depth += 1)
      tree = opened(
        tree,
        Array.from({ length: depth }, () => 0),
        columns,
      );
    expect(rowCount(tree)).toBe(6);
  });

  it('shows an empty text as one row', () => {
    expect(rowCount(treeOf('  '))).toBe(1);
    expect(rowAt(treeOf(''), 0).kind).toBe('other');
  });
});
