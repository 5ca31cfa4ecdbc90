import { kindAt, membersOf, nameAt, valueAt, type Members, type Span } from './scan';
import type { JsonTree, Path } from './tree';

export interface Located {
  path: Path;
  span: Span;
}

/**
 * Finds values by their JSON pointer, remembering what it had to look into. A pointer that leads nowhere ends at the
 * last value it could reach: importers also point into JSON that stands in a string.
 */
export function locator({ text, root }: JsonTree): (pointer: string) => Located {
  const seen = new Map<number, { members: Members; indexes?: Map<string, number> }>();

  function memberNamed(start: number, name: string): { index: number; span: Span } | undefined {
    const kind = kindAt(text, start);
    if (kind !== 'object' && kind !== 'array') return undefined;
    let known = seen.get(start);
    if (known === undefined) {
      const members = membersOf(text, start);
      known = kind === 'object' ? { members, indexes: indexesOf(text, members) } : { members };
      seen.set(start, known);
    }
    const index = known.indexes === undefined ? position(name) : known.indexes.get(name);
    return index === undefined || index >= known.members.count
      ? undefined
      : { index, span: valueAt(known.members, index) };
  }

  return (pointer) => {
    const path: number[] = [];
    let span = root;
    for (const part of pointer.split('/').slice(1)) {
      const found = memberNamed(span.start, part.replaceAll('~1', '/').replaceAll('~0', '~'));
      if (found === undefined) break;
      path.push(found.index);
      ({ span } = found);
    }
    return { path, span };
  };
}

/** Of a key that stands there twice the last counts, as it does for JSON.parse. */
function indexesOf(text: string, members: Members): Map<string, number> {
  const indexes = new Map<string, number>();
  for (let index = 0; index < members.count; index += 1) indexes.set(nameAt(text, members, index), index);
  return indexes;
}

const position = (name: string) => (/^\d{1,9}$/.test(name) ? Number(name) : undefined);
