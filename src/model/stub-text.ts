import { chatOf, type ChatMessage } from './chat';
import type { ContextEdit, Episode, Message } from './episode';
import { historyOf } from './history';
import { seenMessages } from './statelm/render';

/** The text that a deletion leaves of a message. StateLM's loop writes more than one sentence. */
export function stubTexts(episode: Episode): (message: Message) => string {
  const { editsOf } = historyOf(episode);
  const written = new Map<number, ChatMessage>();
  if (episode.statelm !== undefined) {
    for (const { message, form, chat } of seenMessages(episode, Infinity)) {
      if (form === 'stub') written.set(message.msgId, chat);
    }
  }
  return (message) =>
    textOfChat(written.get(message.msgId) ?? stubOf(message, editsOf.get(message.msgId)?.stubbed));
}

const anyEdit: ContextEdit = { step: -1, kind: 'delete', msgIds: [] };

/** What a deletion leaves of a message, where no loop is known to write it otherwise. */
export function stubOf(message: Message, edit: ContextEdit = anyEdit): ChatMessage {
  const [stub] = chatOf([{ state: 'stub', message, edit }]);
  return stub ?? { role: message.role, content: null };
}

/** As `messageText` writes a message: a call is `name(arguments)`. */
function textOfChat({ content, tool_calls: calls = [] }: ChatMessage): string {
  const said = typeof content === 'string' ? content : '';
  return said + calls.map((call) => `${call.function.name}(${call.function.arguments})`).join('');
}
