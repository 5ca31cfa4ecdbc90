import type { ContextEdit, Episode, Message } from './episode';
import { broughtBy, countBornBefore, historyOf } from './history';

/** One message of a view: as it was, replaced by a stub, or taken out (kept here for the person, not the model). */
export type ViewEntry =
  | { state: 'verbatim'; message: Message }
  | { state: 'stub'; message: Message; edit: ContextEdit }
  | { state: 'removed'; message: Message; edit: ContextEdit };

/**
 * The messages as the model saw them at one step, in order: everything born before the step, with the edits
 * of earlier steps applied. `viewAt(episode, 0)` is the prompt. A step past the end gives the final context.
 */
export function viewAt(episode: Episode, step: number): ViewEntry[] {
  const within = Math.min(Math.max(step, 0), episode.steps.length);
  return contextAt(episode, within).map((message) => entryAt(episode, message, within));
}

/** How a message of a step's view stands in it. */
export function entryAt(episode: Episode, message: Message, step: number): ViewEntry {
  const edits = historyOf(episode).editsOf.get(message.msgId);
  if (edits?.removed !== undefined && edits.removed.step < step) {
    return { state: 'removed', message, edit: edits.removed };
  }
  if (edits?.stubbed !== undefined && edits.stubbed.step < step) {
    return { state: 'stub', message, edit: edits.stubbed };
  }
  return { state: 'verbatim', message };
}

/** The messages a step's call continues, unedited. In a history that branches: the path to the call. */
function contextAt(episode: Episode, step: number): Message[] {
  const { branches, byId, positions } = historyOf(episode);
  const before = episode.messages.slice(0, countBornBefore(episode, step));
  if (!branches) return before;

  const path: Message[] = [];
  const first = broughtBy(episode, step).emitted[0];
  let current = first === undefined ? before.at(-1) : previousOf(first);
  while (current !== undefined) {
    path.push(current);
    current = previousOf(current);
  }
  return path.reverse();

  /** The message that `message` continues. Only looks back, so that a cycle in hostile data ends. */
  function previousOf(message: Message): Message | undefined {
    const position = positions.get(message.msgId) ?? 0;
    if (message.follows === null) return undefined;
    if (message.follows === undefined) return episode.messages[position - 1];
    const parent = byId.get(message.follows);
    return parent !== undefined && (positions.get(parent.msgId) ?? 0) < position ? parent : undefined;
  }
}

/** A deleted message at a step: what stood there, and which edit took it. */
export interface Ghost {
  message: Message;
  edit: ContextEdit;
}

export function ghostsAt(episode: Episode, step: number): Ghost[] {
  return viewAt(episode, step).flatMap((entry) =>
    entry.state === 'verbatim' ? [] : [{ message: entry.message, edit: entry.edit }],
  );
}

/** What changed from one view to another, as msgIds in view order. */
export interface ViewDiff {
  /** Seen in the later view, as message or stub, and not in the earlier one; or a stub that is whole again. */
  added: number[];
  /** Became a stub on the way. A message that came and was deleted in between is both added and stubbed. */
  stubbed: number[];
  /** Seen in the earlier view and not in the later one. */
  removed: number[];
}

export function viewDiff(episode: Episode, from: number, to: number): ViewDiff {
  const before = seenAt(episode, from);
  const after = seenAt(episode, to);
  const diff: ViewDiff = { added: [], stubbed: [], removed: [] };
  for (const [msgId, state] of after) {
    const was = before.get(msgId);
    if (was === undefined || (was === 'stub' && state === 'verbatim')) diff.added.push(msgId);
    if (was !== 'stub' && state === 'stub') diff.stubbed.push(msgId);
  }
  for (const msgId of before.keys()) if (!after.has(msgId)) diff.removed.push(msgId);
  return diff;
}

function seenAt(episode: Episode, step: number): Map<number, 'verbatim' | 'stub'> {
  const seen = new Map<number, 'verbatim' | 'stub'>();
  for (const { state, message } of viewAt(episode, step)) {
    if (state !== 'removed') seen.set(message.msgId, state);
  }
  return seen;
}
