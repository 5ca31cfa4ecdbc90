import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Column } from '../columns';
import type { Cell } from '../protocol';
import { StringTable } from '../string-table';
import { completeFilter } from './complete';
import { evaluate } from './evaluate';
import { checkFilter, parseFilter, type Filter, type FilterColumn } from './parse';
import { FilterError } from './tokens';

const columns: readonly FilterColumn[] = [
  { key: 'title', label: 'Episode', type: 'string' },
  { key: 'task', label: 'Task', type: 'string' },
  { key: 'tools', label: 'Tools', type: 'string' },
  { key: 'reward', label: 'Reward', type: 'number' },
  { key: 'steps', label: 'Steps', type: 'number' },
  { key: 'toolCalls', label: 'Tool calls', type: 'number' },
  { key: 'metric:resolved', label: 'resolved', type: 'boolean' },
  { key: 'metric:mean reward', label: 'mean reward', type: 'number' },
];

const compare = (column: string, operator: string, value: Cell): unknown => ({
  kind: 'compare',
  column,
  operator,
  value,
});

describe('parseFilter', () => {
  it.each<[string, unknown]>([
    ['', undefined],
    ['   ', undefined],
    ['reward < 0.5', compare('reward', '<', 0.5)],
    ['reward<-1e3', compare('reward', '<', -1000)],
    ['REWARD >= .5', compare('reward', '>=', 0.5)],
    ['reward == inf', compare('reward', '=', Infinity)],
    ['tool:search', compare('tools', ':', 'search')],
    ['task = 17', compare('task', '=', '17')],
    // Texts are what is written, whatever numbers they look like.
    ...['2024-01-05', '550e8400-e29b-41d4', '3-shot', '3/4', '7%', '1.10', '007', '1e3', 'TRUE', '1,000'].map(
      (text): [string, unknown] => [`task = ${text}`, compare('task', '=', text)],
    ),
    ['task = 12345678901234567890', compare('task', '=', '12345678901234567890')],
    ['steps < 1,500', compare('steps', '<', 1500)],
    // A text among numbers.
    ['steps = "none"', compare('steps', '=', 'none')],
    ['resolved != "error"', compare('metric:resolved', '!=', 'error')],
    ['title:"two \\"words\\""', compare('title', ':', 'two "words"')],
    ['`mean reward` != 1', compare('metric:mean reward', '!=', 1)],
    ['resolved', compare('metric:resolved', '=', true)],
    ['not resolved', { kind: 'not', term: compare('metric:resolved', '=', true) }],
    ['reward is missing', { kind: 'missing', column: 'reward' }],
    ['reward is filled', { kind: 'not', term: { kind: 'missing', column: 'reward' } }],
    ['"lost cookie"', { kind: 'text', text: 'lost cookie' }],
    ['cookie', { kind: 'text', text: 'cookie' }],
    [
      'reward < 0.5 and steps > 10 and tool:search',
      {
        kind: 'and',
        terms: [compare('reward', '<', 0.5), compare('steps', '>', 10), compare('tools', ':', 'search')],
      },
    ],
    [
      'reward<1 steps>2 or cookie',
      {
        kind: 'or',
        terms: [
          { kind: 'and', terms: [compare('reward', '<', 1), compare('steps', '>', 2)] },
          { kind: 'text', text: 'cookie' },
        ],
      },
    ],
    [
      '(a or b) and not c',
      {
        kind: 'and',
        terms: [
          {
            kind: 'or',
            terms: [
              { kind: 'text', text: 'a' },
              { kind: 'text', text: 'b' },
            ],
          },
          { kind: 'not', term: { kind: 'text', text: 'c' } },
        ],
      },
    ],
  ])('reads %j', (text, filter) => {
    expect(parseFilter(text, columns)).toEqual(filter);
  });

  /** The wrong place is marked in the line below. */
  it.each([
    ['rewrad < 1', '^^^^^^    ', 'There is no column rewrad. Do you mean reward?'],
    ['reward < abc', '         ^^^', 'Reward holds numbers, and abc is not one'],
    ['reward < "abc"', '         ^^^^^', 'Reward holds numbers, and abc is not one'],
    [
      'steps = 7%',
      '        ^^',
      'Steps holds numbers, and 7% is not one. For a text among them, put it in quotes',
    ],
    ['title < 3', '^^^^^^^^^', 'Episode is text, which is compared with : = or !='],
    ['reward <', '       ^', 'A value must follow'],
    ['(reward < 1', '^          ', 'This bracket is never closed'],
    ['reward < 1)', '          ^', 'This bracket was never opened'],
    ['a and', '     ', 'Something is missing at the end'],
    ['or a', '^^  ', 'Something must stand before or'],
    ['title:"open', '      ^^^^^', 'The closing " is missing'],
    ['reward is odd', '          ^^^', 'missing or filled must stand after is'],
    ['17 < 3', '^^    ', 'A column must stand here'],
    ['= 3', '^  ', 'A column must stand before ='],
    ['a ! b', '  ^  ', '! means nothing here'],
    ['`tool cals` > 1', '^^^^^^^^^^^', 'There is no column tool cals. Do you mean toolCalls?'],
    ['Tool calls > 5', '^^^^^^^^^^', 'The column Tool calls is written toolCalls'],
    ['a and tool calls is missing', '      ^^^^^^^^^^', 'The column Tool calls is written toolCalls'],
    ['mean reward > 1', '^^^^^^^^^^^', 'The column mean reward is written `mean reward`'],
    ['task = tool calls > 5', '            ^^^^^', 'There is no column calls'],
    ['reward is 1', '          ^', 'missing or filled must stand after is. To compare, write reward = 1'],
  ])('says what is wrong with %j, and where', (text, marks, message) => {
    const fault = faultOf(text);
    expect(fault?.message).toBe(message);
    const place = marks.includes('^')
      ? [marks.indexOf('^'), marks.lastIndexOf('^') + 1]
      : [text.length, text.length];
    expect([fault?.range.start, fault?.range.end]).toEqual(place);
  });

  it.each([
    ['reward between 0.2 and 1', 'reward >= 0.2 reward <= 1'],
    ['cookie and reward between', 'reward >= 0 reward <= 1'],
    ['reward in (0,1)', 'reward = 0 or reward = 1'],
    ['reward in [0, 0.5, 1]', 'reward = 0 or reward = 0.5 or reward = 1'],
    ['task in (a, "b c")', 'task = a or task = "b c"'],
    ['reward equals 1', 'reward = 1'],
    ['reward not 1', 'reward != 1'],
    ['reward is not 1', 'reward != 1'],
    ['reward is not missing', 'reward is filled'],
    ['reward is greater than 0.5', 'reward > 0.5'],
    ['Reward above 1 or cookie', 'reward > 1'],
    ['task contains 17', 'task:17'],
    ['task is cookie', 'task = cookie'],
    ['resolved is true', 'resolved = true'],
  ])('says how %j is written', (text, written) => {
    expect(faultOf(text)?.message).toMatch(/rite /);
    expect(faultOf(text)?.message.split(/rite /)[1]).toBe(written);
    expect(parseFilter(written, columns)).toBeDefined();
  });

  it.each([
    ['reward', 'This looks for the word reward. To compare, write reward > 0'],
    ['cookie or task', 'This looks for the word task. To compare, write task:text'],
    ['task in progress', 'This looks for the word task. To compare, write task:text'],
    ['"reward"', undefined],
    ['"reward between"', undefined],
    ['cookie between 0 and 1', undefined],
    ['resolved', undefined],
    ['reward > 0', undefined],
  ])('takes %j for text, and says so where it is a name', (text, hint) => {
    const checked = checkFilter(text, columns);
    expect(checked.fault).toBeUndefined();
    expect(checked.hint).toBe(hint);
  });

  it('does not break down, whatever is written', () => {
    const piece = fc.constantFrom(
      'reward',
      'not',
      'and',
      'or',
      'is',
      'between',
      'in',
      'Tool',
      'calls',
      '(',
      ')',
      '<',
      ':',
      '"',
      '`',
      '1',
      '-',
      ' ',
      '\\',
      'ü',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const text = pieces.join('');
        const fault = faultOf(text);
        if (fault !== undefined) {
          expect(fault.range.start).toBeGreaterThanOrEqual(0);
          expect(fault.range.end).toBeLessThanOrEqual(text.length);
        }
        completeFilter(text, text.length, columns, () => ['x']);
      }),
    );
    expect(faultOf('('.repeat(100_000))?.message).toBe('This is nested too deep');
    expect(faultOf('not '.repeat(100_000))?.message).toBe('This is nested too deep');
  });
});

function faultOf(text: string): FilterError | undefined {
  try {
    parseFilter(text, columns);
    return undefined;
  } catch (error) {
    if (error instanceof FilterError) return error;
    throw error;
  }
}

const text = fc.constantFrom('', 'a', 'A', 'ab', 'b a', '1', 'é');
const number = fc.constantFrom(NaN, -1, 0, -0, 0.5, 1, 2, Infinity);
const cell: fc.Arbitrary<Cell> = fc.oneof(fc.constant(undefined), text, number, fc.boolean());

describe('evaluate', () => {
  const { filter: anyFilter } = fc.letrec<{ filter: Filter }>((tie) => ({
    filter: fc.oneof(
      { maxDepth: 4 },
      fc.record({ kind: fc.constant('missing' as const), column: fc.constantFrom('x', 'y', 'z') }),
      fc.record({ kind: fc.constant('text' as const), text }),
      fc.record({
        kind: fc.constant('compare' as const),
        column: fc.constantFrom('x', 'y'),
        operator: fc.constantFrom('<', '<=', '>', '>=', '=', '!=', ':'),
        value: fc.oneof(fc.constantFrom(-1, 0, 0.5, 1, Infinity), fc.boolean()),
      }),
      fc.record({
        kind: fc.constant('compare' as const),
        column: fc.constantFrom('x', 'y'),
        operator: fc.constantFrom('=', '!=', ':'),
        value: text,
      }),
      fc.record({ kind: fc.constant('not' as const), term: tie('filter') }),
      fc.record({
        kind: fc.constantFrom('and' as const, 'or' as const),
        terms: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }),
      }),
    ),
  }));

  it('is true for the rows a naive reading is true for', () => {
    const table = fc.array(fc.record({ x: cell, y: cell }), { maxLength: 12 });
    fc.assert(
      fc.property(fc.tuple(table, table), anyFilter, (tables, filter) => {
        let base = 0;
        const stretches = tables.map((rows) => {
          const strings = new StringTable();
          const columns = new Map([
            ['x', new Column(strings)],
            ['y', new Column(strings)],
          ]);
          rows.forEach(({ x, y }, row) => {
            columns.get('x')?.set(row, x);
            columns.get('y')?.set(row, y);
          });
          base += rows.length;
          return { base: base - rows.length, rows: rows.length, columns };
        });
        const mask = evaluate(filter, { total: base, stretches });
        const expected = tables.flat().map((row) => (holds(filter, new Map(Object.entries(row))) ? 1 : 0));
        expect([...mask]).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });
});

function holds(filter: Filter, row: ReadonlyMap<string, Cell>): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.terms.every((term) => holds(term, row));
    case 'or':
      return filter.terms.some((term) => holds(term, row));
    case 'not':
      return !holds(filter.term, row);
    case 'text':
      return [...row.values()].some(
        (cell) => typeof cell === 'string' && cell.toLowerCase().includes(filter.text.toLowerCase()),
      );
    case 'missing': {
      const found = row.get(filter.column);
      return found === undefined || Number.isNaN(found);
    }
    case 'compare': {
      const found = row.get(filter.column);
      const { operator, value } = filter;
      if (operator === '!=') return !holds({ ...filter, operator: '=' }, row);
      if (found === undefined) return false;
      if (typeof value === 'string') {
        const written = String(Object.is(found, -0) ? 0 : found);
        return operator === ':' ? written.toLowerCase().includes(value.toLowerCase()) : written === value;
      }
      if (typeof found === 'string') return false;
      const [a, b] = [Number(found), Number(value)];
      return { '<': a < b, '<=': a <= b, '>': a > b, '>=': a >= b, '=': a === b, ':': a === b }[operator];
    }
  }
}

function complete(marked: string): string[] {
  const cursor = marked.indexOf('|');
  const text = marked.replace('|', '');
  return completeFilter(text, cursor, columns, (key) =>
    key === 'task' ? ['7', 'two words', 'x"y'] : key === 'steps' ? [3, 'none'] : [],
  ).map((each) => text.slice(0, each.start) + each.text + text.slice(each.end));
}

describe('completeFilter', () => {
  it('offers columns, operators and values in their places', () => {
    expect(complete('|')).toEqual(expect.arrayContaining(['reward', '`mean reward`', 'not']));
    expect(complete('rew|')).toEqual(['reward', '`mean reward`']);
    expect(complete('reward |')).toEqual(expect.arrayContaining(['reward <', 'reward is missing']));
    expect(complete('title |')).not.toContain('title <');
    expect(complete('reward < 1 |')).toEqual(expect.arrayContaining(['reward < 1 and', 'reward < 1 steps']));
    expect(complete('task:|')).toEqual(['task:7', 'task:"two words"', 'task:"x\\"y"']);
    expect(complete('task:"tw|')).toEqual(['task:"two words"']);
    expect(complete('resolved = |')).toEqual(['resolved = true', 'resolved = false']);
    expect(complete('steps = |')).toEqual(['steps = 3', 'steps = "none"']);
    expect(complete('reward is |')).toEqual(['reward is missing', 'reward is filled']);
    expect(complete('st| and reward < 1')).toContain('steps and reward < 1');
  });

  it('offers what can be read, for every column', () => {
    const name = fc.string({ minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(name, (label) => {
        const column: FilterColumn = { key: `metric:${label}`, label, type: 'number' };
        const [offered] = completeFilter('', 0, [column], () => []);
        expect(parseFilter(`${offered?.text} > 1`, [column])).toEqual(compare(column.key, '>', 1));
      }),
    );
  });
});
