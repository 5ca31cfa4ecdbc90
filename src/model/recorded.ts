import type { ChatMessage } from './chat';
import type { Episode } from './episode';

/**
 * A view as the source recorded it. Sources write every view in full; here each says how much of the one before it
 * stays, so that an episode of n steps does not hold n copies of its beginning.
 */
export type RecordedView = {
  /** A step past the end: the context when all was over. */
  step: number;
  /** How many messages, or characters, of the recorded view before this one it starts with. */
  keeps: number;
} & ({ form: 'messages'; adds: ChatMessage[] } | { form: 'text'; adds: string });

export type WholeView = { form: 'messages'; messages: ChatMessage[] } | { form: 'text'; text: string };

/** What the source recorded as the view of a step, if it did. */
export function recordedViewAt(episode: Episode, step: number): WholeView | undefined {
  const views = episode.recordedViews ?? [];
  const last = views.findLastIndex((view) => view.step === step);
  const view = views[last];
  if (view === undefined) return undefined;
  if (view.form === 'messages') return { form: 'messages', messages: messagesUpTo(views, last) };
  return { form: 'text', text: textUpTo(views, last) };
}

function messagesUpTo(views: readonly RecordedView[], last: number): ChatMessage[] {
  const messages: ChatMessage[] = [];
  for (const view of views.slice(firstOf(views, last), last + 1)) {
    if (view.form !== 'messages') continue;
    messages.length = Math.min(view.keeps, messages.length);
    for (const message of view.adds) messages.push(message);
  }
  return messages;
}

function textUpTo(views: readonly RecordedView[], last: number): string {
  let text = '';
  for (const view of views.slice(firstOf(views, last), last + 1)) {
    if (view.form === 'text') text = text.slice(0, view.keeps) + view.adds;
  }
  return text;
}

/** The last view, up to the one asked for, that starts from nothing. */
function firstOf(views: readonly RecordedView[], last: number): number {
  let first = last;
  while (first > 0 && (views[first]?.keeps ?? 0) > 0) first -= 1;
  return first;
}

/** Whole views, by ascending step, as the differences they are kept as. Equal messages are recognised by `same`. */
export function recordViews(
  views: readonly { step: number; messages: readonly ChatMessage[] }[],
  same: (a: ChatMessage, b: ChatMessage) => boolean,
): RecordedView[] {
  let before: readonly ChatMessage[] = [];
  return views.map(({ step, messages }) => {
    let keeps = 0;
    for (; keeps < messages.length; keeps++) {
      const [a, b] = [before[keeps], messages[keeps]];
      if (a === undefined || b === undefined || !same(a, b)) break;
    }
    before = messages;
    return { step, keeps, form: 'messages' as const, adds: messages.slice(keeps) };
  });
}
