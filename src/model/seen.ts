import { chatOf, type ChatMessage } from './chat';
import type { Episode } from './episode';
import { renderView, seenMessages } from './statelm/render';
import { viewAt, viewDiff, type ViewDiff } from './view';

/** The messages as the model saw them at a step, whatever loop made the episode. Not to be changed: they are shared. */
export function seenAs(episode: Episode, step: number): ChatMessage[] {
  return episode.statelm === undefined ? chatOf(viewAt(episode, step)) : renderView(episode, step);
}

/** `viewDiff`, and what was seen at both steps as a message, but not as the same one. */
export interface SeenDiff extends ViewDiff {
  changed: number[];
}

/**
 * What the model saw differently at a later step. A message changes without being edited when the loop writes it anew:
 * the notes block at the end of the first user message, the ids a render adds to a tool result.
 */
export function seenDiff(episode: Episode, from: number, to: number): SeenDiff {
  const diff = viewDiff(episode, from, to);
  if (episode.statelm === undefined) return { ...diff, changed: [] };
  const before = new Map(seenMessages(episode, from).map((seen) => [seen.message.msgId, seen]));
  const changed = seenMessages(episode, to).flatMap(({ message, form, chat }) => {
    const was = before.get(message.msgId);
    if (was === undefined || was.form === 'stub' || form === 'stub') return [];
    return was.chat === chat || was.chat.content === chat.content ? [] : [message.msgId];
  });
  return { ...diff, changed };
}
