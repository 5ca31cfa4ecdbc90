import type { Episode, Message, NoteEdit } from '../episode';
import { itemsOf } from '../json-text';
import { exchangesOf, fieldsOf, isTruthy, pythonStr, resultFields, succeeded } from './exchanges';

export interface Note {
  summary: string;
  content: string;
}

/** The external memory as the call of a step found it, in the order the notes block lists it. */
export function notesAt(episode: Episode, step: number): Map<string, Note> {
  const notes = new Map<string, Note>();
  for (const edit of episode.notes ?? []) {
    if (edit.step >= step) break;
    applyNote(notes, edit);
  }
  return notes;
}

export function applyNote(notes: Map<string, Note>, { key, change }: NoteEdit): void {
  const known = notes.get(key);
  if (change.kind === 'remove') notes.delete(key);
  else if (change.kind === 'write') notes.set(key, { summary: change.summary, content: change.content });
  else
    notes.set(key, {
      summary: change.summary ?? known?.summary ?? '',
      content: known === undefined ? change.content : `${known.content}\n${change.content}`,
    });
}

/** One line per note, or the sentence that stands there without any. */
export function noteLines(notes: ReadonlyMap<string, Note>): string[] {
  if (notes.size === 0) return ['No notes recorded.'];
  return Array.from(notes, ([key, note]) => `- **${key}**: ${note.summary}`);
}

/** What the loop appends to the first user message. */
export function notesBlock(notes: ReadonlyMap<string, Note>, form?: 'joined'): string {
  const heading = '\n\n<external_memory>\n## Available Notes\n';
  const lines = noteLines(notes);
  const text = form === 'joined' && notes.size > 0 ? lines.join(`${heading}\n`) : heading + lines.join('\n');
  return `${text}\n</external_memory>`;
}

/**
 * The note edits of a history: `note`, `updateNote` and `mergeNotes` calls that succeeded. `notes` are those before it,
 * and afterwards those after it.
 */
export function noteEditsFrom(
  messages: readonly Message[],
  dialect: 'rl' | 'inference',
  notes = new Map<string, Note>(),
): NoteEdit[] {
  const edits: NoteEdit[] = [];
  for (const { call, by, result, step } of exchangesOf(messages)) {
    if (result === undefined || !['note', 'updateNote', 'mergeNotes'].includes(call.name)) continue;
    const answer = resultFields(result);
    if (!succeeded(answer)) continue;
    const args = fieldsOf(call.arguments);
    for (const { key, change } of changesBy(call.name, args, answer, notes, dialect)) {
      const edit = { step, by: by.msgId, key, change };
      applyNote(notes, edit);
      edits.push(edit);
    }
  }
  return edits;
}

type Change = Pick<NoteEdit, 'key' | 'change'>;
type Fields = ReadonlyMap<string, string>;

function changesBy(
  tool: string,
  args: Fields,
  answer: Fields,
  notes: ReadonlyMap<string, Note>,
  dialect: 'rl' | 'inference',
): Change[] {
  if (tool === 'mergeNotes') return merged(args, answer, notes);
  const keyJson = args.get('key') ?? answer.get('key');
  if (keyJson === undefined) return [];
  const key = pythonStr(keyJson);
  if (tool === 'note') {
    const summary = args.get('summary') ?? 'null';
    return [
      {
        key,
        change: {
          kind: 'write',
          // The loops differ in what a note without a summary is called.
          summary: dialect === 'rl' && !isTruthy(summary) ? '' : pythonStr(summary),
          content: pythonStr(args.get('content') ?? 'null'),
        },
      },
    ];
  }
  return updated(key, args, notes.get(key));
}

function updated(key: string, args: Fields, known: Note | undefined): Change[] {
  const mode = pythonStr(args.get('mode') ?? '""').toLowerCase();
  if (mode === 'delete') return [{ key, change: { kind: 'remove' } }];
  const content = pythonStr(args.get('new_content') ?? 'null');
  const given = args.get('new_summary') ?? 'null';
  const summary = given === 'null' ? known?.summary : pythonStr(given);
  if (mode === 'append') {
    return [{ key, change: { kind: 'append', content, ...(summary === undefined ? {} : { summary }) } }];
  }
  if (mode === 'overwrite') return [{ key, change: { kind: 'write', summary: summary ?? '', content } }];
  return [];
}

function merged(args: Fields, answer: Fields, notes: ReadonlyMap<string, Note>): Change[] {
  const names = itemsOf(answer.get('merged_from') ?? args.get('keys') ?? '[]') ?? [];
  const sources = [...new Set(names.map(pythonStr))].flatMap((key) => {
    const note = notes.get(key);
    return note === undefined ? [] : [{ key, note }];
  });
  if (sources.length === 0) return [];
  const key = pythonStr(answer.get('new_key') ?? args.get('new_key') ?? '""');
  const summary = args.get('new_summary');
  return [
    ...sources.map((source): Change => ({ key: source.key, change: { kind: 'remove' } })),
    {
      key: key === '' ? sources.map((source) => source.key).join('_') : key,
      change: {
        kind: 'write',
        summary:
          summary !== undefined && isTruthy(summary)
            ? pythonStr(summary)
            : sources.map(({ note }) => note.summary).join('  '),
        content: sources.map(({ note }) => note.content).join('\n'),
      },
    },
  ];
}
