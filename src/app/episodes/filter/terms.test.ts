import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseFilter, type Filter, type FilterColumn } from '../../../ingest/filter';
import type { Cell } from '../../../ingest/protocol';
import { rangeOf, valueOf, withRange, withValue, type NumberRange } from './terms';

const columns: FilterColumn[] = [
  { key: 'reward', label: 'Reward', type: 'number' },
  { key: 'steps', label: 'Steps', type: 'number' },
  { key: 'task', label: 'Task', type: 'string' },
  { key: 'metric:mean reward', label: 'mean reward', type: 'number' },
  { key: 'metric:reward', label: 'reward', type: 'number' },
  { key: 'metric:won', label: 'won', type: 'boolean' },
];

type Row = Record<string, Cell>;

/** What `evaluate` does, one row at a time and the slow way. */
function holds(filter: Filter | undefined, row: Row): boolean {
  if (filter === undefined) return true;
  switch (filter.kind) {
    case 'and':
      return filter.terms.every((term) => holds(term, row));
    case 'or':
      return filter.terms.some((term) => holds(term, row));
    case 'not':
      return !holds(filter.term, row);
    case 'missing':
      return row[filter.column] === undefined;
    case 'text':
      return Object.values(row).some((cell) => String(cell).includes(filter.text));
    case 'compare': {
      const cell = row[filter.column];
      if (filter.operator === '!=') return cell !== filter.value;
      if (cell === undefined) return false;
      if (filter.operator === '<') return cell < filter.value;
      if (filter.operator === '<=') return cell <= filter.value;
      if (filter.operator === '>') return cell > filter.value;
      if (filter.operator === '>=') return cell >= filter.value;
      return cell === filter.value;
    }
  }
}

const small = fc.integer({ min: -3, max: 3 });
const row: fc.Arbitrary<Row> = fc.record(
  {
    reward: small,
    steps: small,
    task: fc.constantFrom('a', 'b', '7'),
    'metric:won': fc.boolean(),
    'metric:mean reward': small,
  },
  { requiredKeys: [] },
);

const comparison = fc.constantFrom('<', '<=', '>', '>=', '=', '!=', ':');
const rewardTerm = fc
  .tuple(fc.constantFrom('reward', 'Reward', '`reward`'), comparison, small)
  .map((parts) => parts.join(' '));
const otherTerm = fc.oneof(
  fc.tuple(fc.constantFrom('steps', '`mean reward`'), comparison, small).map((parts) => parts.join('')),
  fc.constantFrom('task = a', 'task:"b"', 'won', 'not won', 'reward is missing', 'steps is filled', '"a"'),
);
const { filters } = fc.letrec<{ filters: string; term: string; nested: string }>((tie) => ({
  term: fc.oneof(
    { maxDepth: 3 },
    rewardTerm,
    otherTerm,
    tie('nested'),
    tie('term').map((term) => `not ${term}`),
  ),
  nested: tie('filters').map((filter) => `(${filter})`),
  filters: fc
    .array(fc.tuple(tie('term'), fc.constantFrom(' and ', ' or ', ' ')), { minLength: 1, maxLength: 4 })
    .map((terms) =>
      terms.map(([term, join], nth) => (nth === terms.length - 1 ? term : term + join)).join(''),
    ),
}));
const anyFilter = fc.oneof(
  filters,
  fc.constant(''),
  fc.constantFrom('reward <', 'nothing > 1', '(won', '"open'),
);
const range = fc
  .tuple(small, fc.nat(4), fc.boolean(), fc.boolean())
  .map(([from, width, fromIncluded, toIncluded]) => ({ from, fromIncluded, to: from + width, toIncluded }));

function isWithin(value: Cell, range: NumberRange): boolean {
  const { from = -Infinity, fromIncluded = true, to = Infinity, toIncluded = true } = range;
  if (typeof value !== 'number') return false;
  return (fromIncluded ? value >= from : value > from) && (toIncluded ? value <= to : value < to);
}

describe('the range of a column in a filter', () => {
  it('is read back as it was set', () => {
    fc.assert(
      fc.property(anyFilter, range, (filter, wanted) => {
        const set = withRange(filter, columns, 'reward', wanted);
        expect(rangeOf(set, columns, 'reward')).toEqual(wanted);
      }),
    );
  });

  it('keeps the rows of the rest that are within it', () => {
    fc.assert(
      fc.property(anyFilter, range, row, (filter, wanted, each) => {
        const rest = parseFilter(withRange(filter, columns, 'reward', undefined), columns);
        const set = parseFilter(withRange(filter, columns, 'reward', wanted), columns);
        const within = isWithin(each.reward, wanted);
        expect(holds(set, each)).toBe(within && holds(rest, each));
      }),
    );
  });

  it('together with the rest is the filter', () => {
    fc.assert(
      fc.property(filters, row, (filter, each) => {
        const rest = parseFilter(withRange(filter, columns, 'reward', undefined), columns);
        const own = rangeOf(filter, columns, 'reward');
        if (own !== undefined && own.from !== undefined && own.to !== undefined && own.from > own.to) return;
        const within = own === undefined || isWithin(each.reward, own);
        expect(within && holds(rest, each)).toBe(holds(parseFilter(filter, columns), each));
      }),
    );
  });

  it('is set once, however often', () => {
    fc.assert(
      fc.property(anyFilter, range, range, (filter, first, second) => {
        const once = withRange(filter, columns, 'reward', second);
        expect(withRange(withRange(filter, columns, 'reward', first), columns, 'reward', second)).toBe(once);
      }),
    );
  });

  it('is written as a person would', () => {
    const set = (filter: string, key = 'reward') => withRange(filter, columns, key, { from: 0, to: 0.5 });
    expect(set('')).toBe('reward >= 0 and reward <= 0.5');
    expect(set('steps > 3 reward < 1')).toBe('steps > 3 and reward >= 0 and reward <= 0.5');
    expect(set('won or steps > 3')).toBe('(won or steps > 3) and reward >= 0 and reward <= 0.5');
    expect(withRange(set('won or steps > 3'), columns, 'reward', undefined)).toBe('won or steps > 3');
    expect(set('', 'metric:mean reward')).toBe('`mean reward` >= 0 and `mean reward` <= 0.5');
    expect(set('', 'metric:reward')).toBe('`metric:reward` >= 0 and `metric:reward` <= 0.5');
  });
});

const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('True', 'inf', '007', '-0', '1.50', 'not', '"', '12345678901234567890'),
);

describe('the wanted value of a column', () => {
  it('is read back as it was set, whatever it is', () => {
    fc.assert(
      fc.property(anyFilter, text, (filter, value) => {
        const set = withValue(filter, columns, 'task', value);
        expect(valueOf(set, columns, 'task')).toBe(value);
        expect(valueOf(withValue(set, columns, 'task', undefined), columns, 'task')).toBeUndefined();
      }),
    );
  });

  it('takes the place of the one before', () => {
    expect(withValue('task = a and won', columns, 'task', 'b c')).toBe('won and task = "b c"');
    expect(withValue('', columns, 'metric:won', true)).toBe('won = true');
    expect(withValue('', columns, 'task', 'true')).toBe('task = "true"');
  });

  it('may be a text where most are something else', () => {
    expect(withValue('', columns, 'steps', 'none')).toBe('steps = "none"');
    expect(valueOf('won = "error"', columns, 'metric:won')).toBe('error');
  });
});
