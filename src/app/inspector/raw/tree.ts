import { pointer } from '../../../model';
import { lineAt, linesOf, type Lines } from './lines';
import {
  decoded,
  endOfValue,
  kindAt,
  membersOf,
  nameAt,
  skipSpace,
  valueAt,
  type Kind,
  type Members,
  type Span,
} from './scan';

/**
 * A JSON text as a tree of which only the opened parts are known. Rows are found by their number, so that an opened
 * array of a million costs two numbers per member and nothing per row. Trees are values: opening gives another one.
 */
export interface JsonTree {
  text: string;
  root: Span;
  open?: Opened;
}

/** An opened container or long string, and how many rows it adds below its own. */
export type Opened =
  | { kind: 'members'; members: Members; rows: number; opened: readonly OpenedMember[] }
  | { kind: 'lines'; lines: Lines; rows: number };

/** In ascending order of `index`. */
interface OpenedMember {
  index: number;
  open: Opened;
}

/** Positions of members from the root down: `[2, 0]` is the first member of the third. */
export type Path = readonly number[];

export type TreeRow =
  | {
      kind: Kind;
      path: Path;
      /** Key or position; undefined for the whole record. */
      name: string | undefined;
      span: Span;
      /** Among how many it stands. */
      siblings: number;
      open: boolean;
      canOpen: boolean;
      /** How many it has, where it is an opened container. */
      members?: number;
    }
  /** A line of the opened string at `path`. */
  | { kind: 'line'; path: Path; line: number; text: string; siblings: number };

/** Strings up to this many characters of JSON stand in one row. */
export const shortString = 80;

/** Characters by which each level stands further in. */
export const indent = 2;

export function treeOf(text: string): JsonTree {
  const start = skipSpace(text, 0);
  const root = { start, end: start < text.length ? endOfValue(text, start) : start };
  return { text, root };
}

export function rowCount({ open }: JsonTree): number {
  return 1 + (open?.rows ?? 0);
}

export function canOpen(text: string, { start, end }: Span): boolean {
  switch (kindAt(text, start)) {
    case 'object':
    case 'array':
      // `{}` and `[]` have nothing in them.
      return skipSpace(text, start + 1) < end - 1;
    case 'string':
      return end - start > shortString || text.slice(start, end).includes('\\n');
    case 'other':
      return false;
  }
}

/** The row that stands at a number; the last for numbers beyond it. */
export function rowAt({ text, root, open }: JsonTree, number: number): TreeRow {
  if (number <= 0 || open === undefined) return valueRow(text, [], undefined, root, 1, open);
  const path: number[] = [];
  let rest = number - 1;
  let level: Opened = open;
  for (;;) {
    if (level.kind === 'lines') {
      const { lines } = level;
      const line = Math.min(rest, lines.starts.length - 1);
      return { kind: 'line', path, line, text: lineAt(lines, line), siblings: lines.starts.length };
    }
    let added = 0;
    let below: OpenedMember | undefined;
    let itself: Opened | undefined;
    for (const member of level.opened) {
      const row = member.index + added;
      if (rest < row) break;
      if (rest === row) {
        itself = member.open;
        break;
      }
      if (rest <= row + member.open.rows) {
        below = member;
        rest -= row + 1;
        break;
      }
      added += member.open.rows;
    }
    if (below === undefined) {
      const { members } = level;
      const index = Math.min(rest - added, members.count - 1);
      const name = nameAt(text, members, index);
      return valueRow(text, [...path, index], name, valueAt(members, index), members.count, itself);
    }
    path.push(below.index);
    level = below.open;
  }
}

function valueRow(
  text: string,
  path: Path,
  name: string | undefined,
  span: Span,
  siblings: number,
  open: Opened | undefined,
): TreeRow {
  return {
    kind: kindAt(text, span.start),
    path,
    name,
    span,
    siblings,
    open: open !== undefined,
    canOpen: canOpen(text, span),
    ...(open?.kind === 'members' ? { members: open.members.count } : {}),
  };
}

/** The number of the row of a value; of its nearest opened ancestor where it is not to be seen. */
export function rowOf({ open }: JsonTree, path: Path): number {
  let row = 0;
  let level = open;
  for (const index of path) {
    if (level === undefined || level.kind === 'lines') return row;
    row += 1 + index;
    let next: Opened | undefined;
    for (const member of level.opened) {
      if (member.index === index) next = member.open;
      if (member.index >= index) break;
      row += member.open.rows;
    }
    level = next;
  }
  return row;
}

/** The tree with the value at `path` opened, and all above it. `columns`: where lines of strings are broken. */
export function opened(tree: JsonTree, path: Path, columns: number): JsonTree {
  return changed(
    tree,
    path,
    (open, span) => open ?? openSpan(tree.text, span, columns - indent * (path.length + 1)),
    columns,
  );
}

export function closed(tree: JsonTree, path: Path): JsonTree {
  return changed(tree, path, () => undefined, 0);
}

function openSpan(text: string, span: Span, columns: number): Opened | undefined {
  if (!canOpen(text, span)) return undefined;
  if (kindAt(text, span.start) === 'string') {
    const lines = linesOf(decoded(text.slice(span.start, span.end)), columns);
    return { kind: 'lines', lines, rows: lines.starts.length };
  }
  const members = membersOf(text, span.start);
  return { kind: 'members', members, rows: members.count, opened: [] };
}

function changed(
  tree: JsonTree,
  path: Path,
  change: (open: Opened | undefined, span: Span) => Opened | undefined,
  columns: number,
): JsonTree {
  const { text, root } = tree;
  const above: { open: Opened & { kind: 'members' }; index: number }[] = [];
  let span = root;
  let open = tree.open;
  for (const index of path) {
    // To close what is below something closed is to do nothing.
    if (open === undefined && columns === 0) return tree;
    const level = open ?? openSpan(text, span, columns);
    if (level?.kind !== 'members' || index >= level.members.count) return tree;
    above.push({ open: level, index });
    span = valueAt(level.members, index);
    open = level.opened.find((member) => member.index === index)?.open;
  }
  let result = change(open, span);
  for (const { open: level, index } of above.toReversed()) result = withMember(level, index, result);
  return result === undefined ? { text, root } : { text, root, open: result };
}

function withMember(level: Opened & { kind: 'members' }, index: number, open: Opened | undefined): Opened {
  const before = level.opened.filter((member) => member.index < index);
  const after = level.opened.filter((member) => member.index > index);
  const opened = open === undefined ? [...before, ...after] : [...before, { index, open }, ...after];
  return {
    ...level,
    opened,
    rows: opened.reduce((rows, member) => rows + member.open.rows, level.members.count),
  };
}

/** The JSON pointer of a value: `/response/output/3`. */
export function pointerOf(tree: JsonTree, path: Path): string {
  const names: string[] = [];
  let level = tree.open;
  for (const index of path) {
    if (level?.kind !== 'members') break;
    names.push(nameAt(tree.text, level.members, index));
    level = level.opened.find((member) => member.index === index)?.open;
  }
  return pointer(...names);
}
