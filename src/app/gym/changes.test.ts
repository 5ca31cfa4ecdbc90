import { assert, jsonValue, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sameJson, type Json } from '../../gym';
import { changesBetween } from './changes';

const json = (text: string): Json => JSON.parse(text);

describe('changesBetween', () => {
  it('names what came, went and changed', () => {
    const before = { count: 3, notes: ['a'], old: true };
    const after = { count: 5, notes: ['a', 'b'], 'a key': null };
    expect(changesBetween(before, after)).toEqual([
      { kind: 'changed', path: 'count', before: 3, after: 5 },
      { kind: 'added', path: 'notes[1]', after: 'b' },
      { kind: 'removed', path: 'old', before: true },
      { kind: 'added', path: '["a key"]', after: null },
    ]);
  });

  it('is empty exactly where two values are the same', () => {
    assert(
      property(jsonValue(), jsonValue(), (one, other) => {
        const [a, b] = [json(JSON.stringify(one)), json(JSON.stringify(other))];
        expect(changesBetween(a, json(JSON.stringify(a)))).toEqual([]);
        expect(changesBetween(a, b).length === 0).toBe(sameJson(a, b));
      }),
    );
  });

  it('says that a state came to be, and that it is gone', () => {
    expect(changesBetween(undefined, { count: 3, notes: [] })).toEqual([
      { kind: 'added', path: 'count', after: 3 },
      { kind: 'added', path: 'notes', after: [] },
    ]);
    expect(changesBetween({ count: 3 }, undefined)).toEqual([{ kind: 'removed', path: 'count', before: 3 }]);
    for (const whole of [{}, [], 3, null])
      expect(changesBetween(undefined, whole)).toEqual([{ kind: 'added', path: '(state)', after: whole }]);
  });

  it('takes keys of the prototype and values nested 100,000 deep', () => {
    expect(changesBetween(json('{"__proto__": 1}'), json('{"__proto__": 2}'))).toHaveLength(1);
    const deep = (end: string): Json => json(`${'['.repeat(100_000)}${end}${']'.repeat(100_000)}`);
    expect(changesBetween(deep('1'), deep('2'))).toHaveLength(1);
  });
});
