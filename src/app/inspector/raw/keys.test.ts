import { describe, expect, it } from 'vitest';
import { afterKey, type TreePlace } from './keys';
import { opened, rowAt, rowCount, treeOf } from './tree';

const text = JSON.stringify({ a: { b: 1 }, c: 'first line\nsecond line', d: [] });
const start: TreePlace = { tree: opened(treeOf(text), [], 80), row: 0 };

function press(place: TreePlace, ...keys: string[]): TreePlace {
  return keys.reduce((at, key) => afterKey(key, at, 10, 80) ?? at, place);
}

const nameAt = ({ tree, row }: TreePlace) => {
  const at = rowAt(tree, row);
  return at.kind === 'line' ? at.text : at.name;
};

describe('keys in the tree', () => {
  it('go down, in, out and up as in every tree', () => {
    const inA = press(start, 'ArrowDown', 'ArrowRight', 'ArrowRight');
    expect(nameAt(inA)).toBe('b');
    expect(nameAt(press(inA, 'ArrowLeft'))).toBe('a');
    const shut = press(inA, 'ArrowLeft', 'ArrowLeft');
    expect(rowCount(shut.tree)).toBe(rowCount(start.tree));
    expect(press(shut, 'ArrowLeft').row).toBe(0);
  });

  it('open a long string to its lines and go back from them', () => {
    const lines = press(start, 'ArrowDown', 'ArrowDown', 'Enter', 'ArrowDown', 'ArrowDown');
    expect(nameAt(lines)).toBe('second line');
    expect(nameAt(press(lines, 'ArrowLeft'))).toBe('c');
  });

  it('leave alone what cannot be opened', () => {
    const d = press(start, 'End');
    expect(nameAt(d)).toBe('d');
    expect(press(d, 'Enter', 'ArrowRight')).toEqual(d);
  });

  it('stay within the rows', () => {
    expect(press(start, 'ArrowUp', 'PageUp').row).toBe(0);
    expect(press(start, 'End', 'ArrowDown', 'PageDown').row).toBe(rowCount(start.tree) - 1);
    expect(afterKey('x', start, 10, 80)).toBeUndefined();
  });
});
