import { expect, it } from 'vitest';
import type { Lacks } from '../episodes/lacks';
import type { Place } from '../place/place';
import { tableCommands } from './tableCommands';

const nothing: Lacks = { check: undefined, group: undefined, columns: undefined };

function unavailable(id: string, lacks: Lacks, place: Partial<Place> = {}): string | undefined {
  const commands = tableCommands({
    place: { source: 'run', step: 0, tab: 'info', ...place },
    sources: ['run'],
    lacks,
    checking: false,
    searching: undefined,
  });
  const command = commands.find((each) => each.id === id);
  if (command === undefined) throw new Error(`There is no ${id}`);
  return command.unavailable;
}

it.each([
  ['table.check', 'check'],
  ['table.group', 'group'],
  ['table.columns', 'columns'],
] as const)('%s cannot be done where the button says why', (id, lack) => {
  expect(unavailable(id, nothing)).toBeUndefined();
  expect(unavailable(id, { ...nothing, [lack]: 'why' })).toBe('why');
});

it('groups can always be left', () => {
  expect(unavailable('table.group', { ...nothing, group: 'why' }, { group: 'tag' })).toBeUndefined();
});
