import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sourceLabels } from './sourceLabels';

const labels = (...ids: string[]) => [...sourceLabels(ids.map((id) => ({ id, name: id }))).values()];

describe('what sources are called beside a group', () => {
  it('is what tells them apart', () => {
    expect(labels('math.jsonl', 'code.jsonl')).toEqual(['math', 'code']);
    expect(labels('run/step1.jsonl', 'run/step2.jsonl')).toEqual(['step1', 'step2']);
    expect(labels('run/a/rollouts.jsonl', 'run/b/rollouts.jsonl')).toEqual(['a', 'b']);
    expect(labels('a.jsonl', 'b.json')).toEqual(['a.jsonl', 'b.json']);
    expect(labels('.jsonl', 'a.jsonl')).toEqual(['.jsonl', 'a.jsonl']);
    expect(labels('a.jsonl')).toEqual(['a']);
  });

  it('is the id where names are the same', () => {
    const sources = ['x.jsonl', 'x.jsonl (2)'].map((id) => ({ id, name: 'x.jsonl' }));
    expect([...sourceLabels(sources).values()]).toEqual(['x.jsonl', 'x.jsonl (2)']);
  });

  it('is never the same for two, nor nothing', () => {
    const part = fc.constantFrom('a', 'b', 'a.jsonl', 'b.jsonl', '.jsonl', 'a.b.jsonl');
    const name = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
    fc.assert(
      fc.property(fc.uniqueArray(name, { minLength: 1, maxLength: 6 }), (ids) => {
        const given = labels(...ids);
        expect(new Set(given).size).toBe(ids.length);
        expect(given.every((label) => label !== '')).toBe(true);
      }),
    );
  });
});
