import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Command } from './command';
import { matchOf, offered } from './match';

const check = { title: 'Check all episodes', words: ['lint', 'findings', 'Episodes'] };
const previous = { title: 'Previous step', words: ['Steps'] };

describe('what is typed', () => {
  it.each([
    ['check', check],
    ['CHE', check],
    ['all ep', check],
    ['ep che', check],
    ['lint', check],
    ['lint all', check],
    ['episodes', check],
    ['eck a', check],
    ['prev', previous],
    ['', previous],
    ['  ', previous],
    ['a/b', { title: 'Theme: a / b', words: [] }],
  ])('%j leads to what begins so', (typed, command) => {
    expect(matchOf(typed, command)).toBeGreaterThan(0);
  });

  it.each([
    // Letters that stand somewhere in it, in this order.
    ['prstep', previous],
    ['cals', check],
    ['group', { title: 'Previous step', words: ['go to the upper'] }],
    ['lint check twice', check],
    ['check step', check],
  ])('%j does not lead anywhere else', (typed, command) => {
    expect(matchOf(typed, command)).toBe(0);
  });

  it('leads to a name before a word beside it, and to that before the middle of a name', () => {
    const found = ['lint', 'Lint', 'All lint', 'check', 'splinters'].map((title) =>
      matchOf('lint', { title, words: title === 'check' ? ['lint'] : [] }),
    );
    expect(found).toEqual([...found].sort((a, b) => b - a));
    expect(new Set(found).size).toBe(4);
  });

  it("can be any beginnings of a command's words, in any order", () => {
    const word = fc.stringMatching(/^[a-z@]{1,8}$/);
    const command = fc.record({
      title: fc.array(word, { minLength: 1, maxLength: 4 }),
      words: fc.array(word, { maxLength: 3 }),
    });
    fc.assert(
      fc.property(command, fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 4 }), (made, picks) => {
        const all = [...made.title, ...made.words];
        const typed = picks.map(([at, length]) => {
          const chosen = all[at % all.length] ?? '';
          return chosen.slice(0, 1 + (length % chosen.length));
        });
        expect(matchOf(typed.join(' '), { title: made.title.join(' '), words: made.words })).toBeGreaterThan(
          0,
        );
      }),
    );
  });
});

const command = (
  id: Command['id'],
  group: Command['group'],
  title: string,
  unavailable?: string,
): Command => ({
  id,
  group,
  title,
  keys: [],
  ...(unavailable === undefined ? {} : { unavailable }),
  run: () => undefined,
});

const all = [
  command('step.next', 'Steps', 'Next step'),
  command('table.check.cancel', 'Episodes', 'Cancel checking', 'Nothing is being checked'),
  command('table.check', 'Episodes', 'Check all episodes'),
  command('source.cancel', 'Sources', 'Cancel reading'),
];
const titles = (typed: string) =>
  offered(all, typed).flatMap(({ group, commands }) => commands.map(({ title }) => `${group}: ${title}`));

describe('the palette', () => {
  it('offers all as they are where nothing is typed', () => {
    expect(titles(' ')).toEqual(all.map(({ group, title }) => `${group}: ${title}`));
  });

  it('offers what can be done before what cannot', () => {
    expect(titles('che')).toEqual(['Episodes: Check all episodes', 'Episodes: Cancel checking']);
    expect(titles('can')).toEqual(['Sources: Cancel reading', 'Episodes: Cancel checking']);
    // However well that answers to what is typed: `king` stands in the middle of the other name.
    const king = command('table.king', 'Episodes', 'King', 'There is none');
    const checking = command('table.checking', 'Episodes', 'Checking');
    expect(offered([king, checking], 'king')).toEqual([{ group: 'Episodes', commands: [checking, king] }]);
  });
});
