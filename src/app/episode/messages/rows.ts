import {
  broughtBy,
  countBornBefore,
  entryAt,
  historyOf,
  renderedAt,
  seenDiff,
  seenIn,
  seenMessages,
  viewAt,
  type ChatMessage,
  type ContextEdit,
  type Episode,
  type Message,
  type ViewEntry,
} from '../../../model';
import type { ViewMode } from '../../stores/preferences';
import { counted } from '../../words/format';

/**
 * How a message stands in the list: as the model saw it; as the stub a delete left; or as a ghost, the original
 * shown to the person although an edit takes, or took, it from the model.
 */
export type Appearance =
  | { state: 'verbatim'; seen?: Seen }
  | { state: 'stub'; edit: ContextEdit; seen?: Seen }
  | { state: 'ghost'; edit: ContextEdit | undefined };

/** A message as the loop wrote it into the context, where that is known, and before, where that was otherwise. */
export interface Seen {
  chat: ChatMessage;
  before?: ChatMessage;
}

/** One line of the list. */
export type Row = { key: string } & (
  | { kind: 'message'; message: Message; as: Appearance }
  /** `step` makes it a way to that step. */
  | { kind: 'caption'; text: string; step?: number }
  /** Neighbours that one compaction took out of the view; open, they follow as ghosts. */
  | { kind: 'gone'; messages: readonly Message[]; edit: ContextEdit; open: boolean }
  /** Says what is not there, and why. */
  | { kind: 'note'; text: string; reasons: readonly string[] }
);

export interface Rows {
  rows: readonly Row[];
  /** The row to bring into view when the step changes, or -1. */
  anchor: number;
  /** What the chosen step brought: rows `start` to `end` (exclusive). Empty where it brought nothing. */
  now: { start: number; end: number };
}

/** The rows of a step. `open` holds the keys of the `gone` rows that are open. */
export function rowsFor(episode: Episode, step: number, mode: ViewMode, open: ReadonlySet<string>): Rows {
  if (mode === 'history') {
    const { rows, startOf } = historyOnce(episode);
    const start = startOf.get(step);
    if (start === undefined) return { rows, anchor: -1, now: nothing };
    return { rows, anchor: start, now: { start, end: nextCaption(rows, start) } };
  }
  const context = mode === 'changed' ? changedRows(episode, step) : seenRows(episode, step, open);
  const before = gapRows(episode).concat(context);
  if (episode.steps.length === 0) {
    return { rows: [...before, ...noStep(episode)], anchor: -1, now: nothing };
  }
  const rows = before.concat(broughtRows(episode, step));
  // Where changes are asked for, they are what a person wants to see first.
  const anchor = mode === 'changed' ? 0 : before.length;
  return { rows, anchor, now: { start: before.length, end: rows.length } };
}

const nothing = { start: 0, end: 0 };

/** Said only where no gap of the source says it, and why. */
function noStep({ gaps }: Episode): Row[] {
  return gaps.some(({ about }) => about === 'messages')
    ? []
    : [note('no-step', 'No model call is recorded.')];
}

/** Of each episode, the rows of the step last asked for. */
const lastSeen = new WeakMap<Episode, { step: number; rows: readonly Row[] }>();

function seenRows(episode: Episode, step: number, open: ReadonlySet<string>): Row[] {
  if (!isRowPerMessage(episode) || countBornBefore(episode, step) === 0) {
    return allSeenRows(episode, step, open);
  }
  const last = lastSeen.get(episode);
  const rows = last === undefined ? allSeenRows(episode, step, open) : neighbourRows(episode, step, last);
  lastSeen.set(episode, { step, rows });
  return rows;
}

/** Each message of the view is a row, and stays in its place: nothing is taken out of it. */
function isRowPerMessage(episode: Episode): boolean {
  return !historyOf(episode).branches && episode.edits.every(({ kind }) => kind === 'delete');
}

/** The rows of a step from those of another: between neighbours of many thousands, few differ. */
function neighbourRows(episode: Episode, step: number, last: { step: number; rows: readonly Row[] }): Row[] {
  const { messages, edits, statelm } = episode;
  const { positions } = historyOf(episode);
  const count = countBornBefore(episode, step);
  const seen = statelm === undefined ? undefined : seenIn(episode, step);
  const firstUser = messages.findIndex(({ role }) => role === 'user');
  const rows = last.rows.slice(0, count);
  const draw = (index: number) => {
    const message = messages[index];
    if (message === undefined || index >= count) return;
    const entry = entryAt(episode, message, step);
    rows[index] = entryRow(entry, seen?.(message, entry.state, index === firstUser).chat);
  };
  const [from, to] = [Math.min(last.step, step), Math.max(last.step, step)];
  for (const edit of edits) {
    if (edit.step < from || edit.step >= to) continue;
    for (const msgId of edit.msgIds) draw(positions.get(msgId) ?? -1);
  }
  draw(firstUser);
  // What came after the last render is written otherwise, and so is what stands right before it.
  const written = Math.min(renderedAt(episode, last.step), renderedAt(episode, step)) - 1;
  const first = statelm?.dialect === 'rl' ? Math.min(from, written) : from;
  for (let index = countBornBefore(episode, Math.max(0, first)); index < count; index++) draw(index);
  return rows;
}

function allSeenRows(episode: Episode, step: number, open: ReadonlySet<string>): Row[] {
  const view = viewAt(episode, step);
  if (view.length === 0) {
    return [note('no-view', 'Nothing stood in the context before this call, as far as the source shows.')];
  }
  // In the same order, without what was removed.
  const seen = episode.statelm === undefined ? [] : seenMessages(episode, step);
  let nth = 0;
  const rows: Row[] = [];
  for (let index = 0; index < view.length; index++) {
    const entry = view[index];
    if (entry === undefined) break;
    if (entry.state !== 'removed') {
      rows.push(entryRow(entry, seen[nth++]?.chat));
      continue;
    }
    const run = runOfRemoved(view, index, entry.edit);
    const key = `gone ${entry.message.msgId}`;
    rows.push({ kind: 'gone', key, messages: run, edit: entry.edit, open: open.has(key) });
    if (open.has(key)) rows.push(...run.map((message) => ghostRow(message, entry.edit)));
    index += run.length - 1;
  }
  return rows;
}

/** The entries from `start` on that the same edit removed. */
function runOfRemoved(view: readonly ViewEntry[], start: number, edit: ContextEdit): Message[] {
  const run: Message[] = [];
  for (let index = start; index < view.length; index++) {
    const entry = view[index];
    if (entry?.state !== 'removed' || entry.edit !== edit) break;
    run.push(entry.message);
  }
  return run;
}

/** The emission of the step, then what the environment answered. */
function broughtRows(episode: Episode, step: number): Row[] {
  const { emitted, answered } = broughtBy(episode, step);
  return [
    { kind: 'caption', key: 'emitted', text: 'Emitted at this step' },
    ...emitted.map((message) => verbatimRow(message)),
    ...(emitted.length > 0
      ? []
      : [note('no-emission', 'The source kept nothing of what this call emitted.')]),
    ...(answered.length === 0
      ? []
      : [
          { kind: 'caption', key: 'answered', text: 'What came back' } as const,
          ...answered.map((message) => verbatimRow(message)),
        ]),
  ];
}

function changedRows(episode: Episode, step: number): Row[] {
  const view = viewAt(episode, step);
  const seen = seenBy(episode, step);
  if (step === 0) {
    return section(
      'added',
      `The prompt, ${counted(view.length, 'message')}`,
      view.map((entry) => entryRow(entry, seen.get(entry.message.msgId))),
    );
  }
  const { added, stubbed, removed, changed } = seenDiff(episode, step - 1, step);
  const entries = new Map(view.map((entry) => [entry.message.msgId, entry]));
  const { byId } = historyOf(episode);
  const shown = (msgIds: readonly number[]) =>
    msgIds.flatMap((msgId) => {
      const entry = entries.get(msgId);
      return entry === undefined ? [] : [entryRow(entry, seen.get(msgId))];
    });
  // What came and was deleted at once is told once, as deleted.
  const alsoStubbed = new Set(stubbed);
  const onlyAdded = added.filter((msgId) => !alsoStubbed.has(msgId));
  const gone = removed.flatMap((msgId) => {
    const message = byId.get(msgId);
    const entry = entries.get(msgId);
    const edit = entry?.state === 'removed' ? entry.edit : undefined;
    return message === undefined ? [] : [ghostRow(message, edit)];
  });
  const seenBefore = changed.length === 0 ? seen : seenBy(episode, step - 1);
  const rewritten = changed.flatMap((msgId) => {
    const message = byId.get(msgId);
    const chat = seen.get(msgId);
    const before = seenBefore.get(msgId);
    return message === undefined || chat === undefined || before === undefined
      ? []
      : [rewrittenRow(message, { chat, before })];
  });
  const since = `since step ${step - 1}`;
  const rows = [
    ...section('added', `New ${since}`, shown(onlyAdded)),
    ...section('rewritten', `Written differently ${since}`, rewritten),
    ...section('stubbed', `Deleted ${since}`, shown(stubbed)),
    ...section('removed', `No longer in the context ${since}`, gone),
  ];
  return rows.length > 0 ? rows : [note('no-change', `The context is the same as at step ${step - 1}.`)];
}

function section(key: string, text: string, rows: Row[]): Row[] {
  return rows.length === 0 ? [] : [{ kind: 'caption', key, text }, ...rows];
}

interface History {
  rows: Row[];
  /** Where the rows of a step start. */
  startOf: ReadonlyMap<number, number>;
}

const histories = new WeakMap<Episode, History>();

/** The same for every step, so that going from one to the next costs nothing. */
function historyOnce(episode: Episode): History {
  const known = histories.get(episode) ?? historyRows(episode);
  histories.set(episode, known);
  return known;
}

/** Everything, once and whole, under the steps that brought it. */
function historyRows(episode: Episode): History {
  const { editsOf } = historyOf(episode);
  const rows = gapRows(episode);
  const startOf = new Map<number, number>();
  let last: number | undefined;
  for (const message of episode.messages) {
    const born = message.bornAtStep;
    if (born !== last && !startOf.has(born)) startOf.set(born, rows.length);
    if (born !== last) {
      rows.push(
        born < 0
          ? { kind: 'caption', key: `prompt ${rows.length}`, text: 'Before the first call' }
          : { kind: 'caption', key: `step ${rows.length}`, text: `Step ${born}`, step: born },
      );
    }
    last = born;
    const { stubbed, removed } = editsOf.get(message.msgId) ?? {};
    const edit = stubbed ?? removed;
    rows.push(edit === undefined ? verbatimRow(message) : ghostRow(message, edit));
  }
  if (episode.messages.length === 0) rows.push(note('no-messages', 'This episode has no messages.'));
  if (episode.steps.length === 0) rows.push(...noStep(episode));
  return { rows, startOf };
}

/** The first row after `start` that is a caption, or the end. */
function nextCaption(rows: readonly Row[], start: number): number {
  const next = rows.findIndex((row, index) => index > start && row.kind === 'caption');
  return next < 0 ? rows.length : next;
}

/** What is known to be missing from the messages of the whole episode. */
function gapRows({ gaps }: Episode): Row[] {
  const reasons = gaps.flatMap(({ about, step, msgId, reason }) =>
    about === 'messages' && step === undefined && msgId === undefined ? [reason] : [],
  );
  return reasons.length === 0 ? [] : [note('gaps', 'What this file cannot show', [...new Set(reasons)])];
}

/** The messages as the loop wrote them into the context of a step, where it is known how it does that. */
function seenBy(episode: Episode, step: number): ReadonlyMap<number, ChatMessage> {
  if (episode.statelm === undefined) return new Map();
  return new Map(seenMessages(episode, step).map(({ message, chat }) => [message.msgId, chat]));
}

function entryRow(entry: ViewEntry, chat: ChatMessage | undefined): Row {
  if (entry.state === 'verbatim') return verbatimRow(entry.message, chat);
  if (entry.state === 'removed') return ghostRow(entry.message, entry.edit);
  const { message, edit } = entry;
  const of = chat ?? message;
  const known = stubs.get(of);
  // Of two forks, each deletes for itself.
  if (known?.kind === 'message' && known.as.state === 'stub' && known.as.edit === edit) return known;
  const as: Appearance = { state: 'stub', edit, ...(chat === undefined ? {} : { seen: { chat } }) };
  const row: Row = { kind: 'message', key: `${message.msgId} stub`, message, as };
  stubs.set(of, row);
  return row;
}

function verbatimRow(message: Message, chat?: ChatMessage): Row {
  const of = chat ?? message;
  const known = verbatims.get(of);
  if (known !== undefined) return known;
  const as: Appearance = { state: 'verbatim', ...(chat === undefined ? {} : { seen: { chat } }) };
  const row: Row = { kind: 'message', key: `${message.msgId}`, message, as };
  verbatims.set(of, row);
  return row;
}

/** A message that stands in two steps alike is the same row in both: what is known of the row still holds. */
const stubs = new WeakMap<Message | ChatMessage, Row>();
const verbatims = new WeakMap<Message | ChatMessage, Row>();

function rewrittenRow(message: Message, seen: Seen): Row {
  return { kind: 'message', key: `${message.msgId} rewritten`, message, as: { state: 'verbatim', seen } };
}

function ghostRow(message: Message, edit: ContextEdit | undefined): Row {
  return { kind: 'message', key: `${message.msgId} ghost`, message, as: { state: 'ghost', edit } };
}

function note(key: string, text: string, reasons: readonly string[] = []): Row {
  return { kind: 'note', key, text, reasons };
}
