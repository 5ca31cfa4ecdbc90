import { notesAt, type Episode, type Note } from '../../../model';

export interface NoteChange {
  key: string;
  kind: 'new' | 'changed' | 'removed';
  before: Note | undefined;
  after: Note | undefined;
}

/** What became of the memory from the call of one step to that of a later one. */
export function noteChanges(episode: Episode, from: number, to: number): NoteChange[] {
  const [before, after] = [notesAt(episode, from), notesAt(episode, to)];
  const changes: NoteChange[] = [];
  for (const [key, note] of after) {
    const was = before.get(key);
    if (was === undefined) changes.push({ key, kind: 'new', before: undefined, after: note });
    else if (was.summary !== note.summary || was.content !== note.content)
      changes.push({ key, kind: 'changed', before: was, after: note });
  }
  for (const [key, note] of before) {
    if (!after.has(key)) changes.push({ key, kind: 'removed', before: note, after: undefined });
  }
  return changes;
}
