import {
  chatOf,
  historyOf,
  messageSize,
  seenMessages,
  type ChatMessage,
  type ContextEdit,
  type Episode,
  type Measure,
  type Message,
} from '../../model';

/** How large things are here, and in which unit that is said. */
export interface ContextMeasure extends Measure {
  /** `characters` */
  unit: string;
  /** `character` */
  one: string;
  /** `ch` */
  short: string;
  /** How much fits into the context, in this unit. */
  limit?: { value: number; label: string };
}

/** Characters: always known, whatever the source keeps. */
export function charactersOf(episode: Episode): ContextMeasure {
  const { editsOf } = historyOf(episode);
  const stubs = stubSizes(episode);
  // A limit is in tokens: it only means something here where every character is one.
  const limit = episode.tokenIds === 'characters' ? episode.limits?.maxModelLength : undefined;
  return {
    unit: 'characters',
    one: 'character',
    short: 'ch',
    message: messageSize,
    stub: (message) =>
      stubs.get(message.msgId) ?? sizeOfChat(stubOf(message, editsOf.get(message.msgId)?.stubbed)),
    ...(limit === undefined ? {} : { limit: { value: limit, label: 'max_model_length' } }),
  };
}

/** The sizes of the stubs that StateLM's loop writes, which is more than one sentence. */
function stubSizes(episode: Episode): ReadonlyMap<number, number> {
  if (episode.statelm === undefined) return new Map();
  const stubs = seenMessages(episode, Infinity).filter(({ form }) => form === 'stub');
  return new Map(stubs.map(({ message, chat }) => [message.msgId, sizeOfChat(chat)]));
}

const anyEdit: ContextEdit = { step: -1, kind: 'delete', msgIds: [] };

/** What a deletion leaves of a message, where no loop is known to write it otherwise. */
export function stubOf(message: Message, edit: ContextEdit = anyEdit): ChatMessage {
  const [stub] = chatOf([{ state: 'stub', message, edit }]);
  return stub ?? { role: message.role, content: null };
}

function sizeOfChat({ content, tool_calls: calls = [] }: ChatMessage): number {
  const said = typeof content === 'string' ? content.length : 0;
  // Counted as `messageSize` counts a call: `name(arguments)`.
  return calls.reduce(
    (sum, call) => sum + call.function.name.length + call.function.arguments.length + 2,
    said,
  );
}
