/** Notes of a session: what the policy wants to keep when it deletes messages. */
import * as v from 'valibot';
import type { Json } from '../json';

/** A list rather than a map: the order is that of the notes block, and any key is allowed. */
export const Notes = v.array(v.object({ key: v.string(), summary: v.string(), full_content: v.string() }));
export type Notes = v.InferOutput<typeof Notes>;
type Note = Notes[number];

export type NoteOutcome = { readonly notes: Notes; readonly result: Json } | { readonly result: Json };

/** A note of the same key is replaced where it stands. */
export function addNote(notes: Notes, note: Note): NoteOutcome {
  const exists = notes.some(({ key }) => key === note.key);
  return {
    notes: exists ? notes.map((old) => (old.key === note.key ? note : old)) : [...notes, note],
    result: { status: 'success', key: note.key },
  };
}

export function readNote(notes: Notes, key: string): Json {
  const note = notes.find((candidate) => candidate.key === key);
  return note === undefined ? missing(key) : { summary: note.summary, full_content: note.full_content };
}

export interface NoteUpdate {
  readonly key: string;
  readonly mode: string;
  readonly content: string | undefined;
  readonly summary: string | undefined;
}

export function updateNote(notes: Notes, { key, mode, content, summary }: NoteUpdate): NoteOutcome {
  const note = notes.find((candidate) => candidate.key === key);
  if (note === undefined) return { result: missing(key) };
  const done = (next: Notes, message: string): NoteOutcome => ({
    notes: next,
    result: { status: 'success', key, message },
  });
  if (mode === 'delete') {
    return done(
      notes.filter((candidate) => candidate !== note),
      `Note '${key}' deleted.`,
    );
  }
  if (mode !== 'append' && mode !== 'overwrite') {
    return { result: { error: `Invalid mode '${mode}'. Use append, overwrite or delete.` } };
  }
  if (content === undefined) return { result: { error: 'New note content is required.' } };
  const next = {
    key,
    summary: summary ?? note.summary,
    full_content: mode === 'append' ? `${note.full_content}\n${content}` : content,
  };
  return done(
    notes.map((candidate) => (candidate === note ? next : candidate)),
    `Note '${key}' ${mode === 'append' ? 'appended' : 'overwritten'}.`,
  );
}

export function mergeNotes(
  notes: Notes,
  keys: readonly string[],
  newKey: string | undefined,
  newSummary: string | undefined,
): NoteOutcome {
  const wanted = [...new Set(keys)].flatMap((key) => notes.find((note) => note.key === key) ?? []);
  if (wanted.length === 0) return { result: { error: 'No notes found to merge.' } };
  const merged = {
    key: newKey ?? wanted.map(({ key }) => key).join('_'),
    summary: newSummary ?? wanted.map(({ summary }) => summary).join('  '),
    full_content: wanted.map(({ full_content }) => full_content).join('\n'),
  };
  const rest = notes.filter((note) => !wanted.includes(note));
  const outcome = addNote(rest, merged);
  return {
    ...outcome,
    result: { status: 'success', new_key: merged.key, merged_from: wanted.map(({ key }) => key) },
  };
}

function missing(key: string): Json {
  return { error: `Note '${key}' not found!` };
}
