import type { Beside, Relation, SourceRecord } from '../formats';
import type { Episode } from '../model';
import type { OpenSource } from './source';

/** Files of one folder that make a run together: opened one by one, dropped with their folder, or in one archive. */

/** A file's first episode. */
export interface Sibling {
  name: string;
  source: OpenSource;
  row: number;
}

/** `runs/7/trajectory.json` is in `runs/7`, as far as the name tells. */
function placeOf(source: OpenSource, row: number): { folder: string; name: string } {
  const { columns } = source.table;
  const path = columns.get('path')?.cell(row);
  const whole = String(path ?? columns.get('source')?.cell(row) ?? source.id);
  const cut = whole.lastIndexOf('/') + 1;
  // Files in an archive are beside each other, and not beside the archive.
  const archive = path === undefined ? '' : `${source.id}\0`;
  return { folder: archive + whole.slice(0, cut), name: whole.slice(cut) };
}

interface Folders {
  rows: number;
  byFolder: Map<string, Map<string, number>>;
}

const foldersKnown = new WeakMap<OpenSource, Folders>();

/** Of formats that are read together with others: by folder and name, the row of the first episode. */
function foldersOf(source: OpenSource): Folders['byFolder'] {
  const { table } = source;
  const known = foldersKnown.get(source) ?? { rows: 0, byFolder: new Map<string, Map<string, number>>() };
  foldersKnown.set(source, known);
  for (; known.rows < table.rows; known.rows++) {
    const found = table.recordAt(known.rows);
    if (found?.format?.files === undefined || found.nth !== 0) continue;
    const { folder, name } = placeOf(source, known.rows);
    const files = known.byFolder.get(folder) ?? new Map<string, number>();
    known.byFolder.set(folder, files);
    if (!files.has(name)) files.set(name, known.rows);
  }
  return known.byFolder;
}

/** The other files of an episode's folder; none for formats that write a run to one file. */
export function siblingsOf(source: OpenSource, row: number, sources: readonly OpenSource[]): Sibling[] {
  const found = source.table.recordAt(row);
  if (found?.format?.files === undefined || found.nth !== 0) return [];
  const own = placeOf(source, row);
  return sources.flatMap((other) =>
    [...(foldersOf(other).get(own.folder) ?? [])].flatMap(([name, at]) =>
      other === source && at === row ? [] : [{ name, source: other, row: at }],
    ),
  );
}

/** Also where there are none beside it: a file's own name says which are missing. */
export async function episodeWith(
  siblings: readonly Sibling[],
  source: OpenSource,
  row: number,
): Promise<Episode | undefined> {
  const files = source.table.recordAt(row)?.format?.files;
  if (files === undefined) return source.episode(row);
  const { name } = placeOf(source, row);
  const record = await source.record(row);
  if (record === undefined) return undefined;
  const needed = new Set(
    files.needs(
      record,
      name,
      siblings.map((each) => each.name),
    ),
  );
  const records = new Map<string, SourceRecord>();
  for (const each of siblings) {
    if (!needed.has(each.name) || records.has(each.name)) continue;
    const read = await each.source.record(each.row);
    if (read !== undefined) records.set(each.name, read);
  }
  const beside: Beside = { name, records };
  return source.episode(row, beside);
}

/** Those that are of the same run, and what they are to it. */
export function relatedTo(
  source: OpenSource,
  row: number,
  sources: readonly OpenSource[],
): (Sibling & { relation: Relation })[] | undefined {
  const files = source.table.recordAt(row)?.format?.files;
  if (files === undefined) return undefined;
  const { name } = placeOf(source, row);
  return siblingsOf(source, row, sources).flatMap((each) => {
    const relation = files.relation(name, each.name);
    return relation === undefined ? [] : [{ ...each, relation }];
  });
}
