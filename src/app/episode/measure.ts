import {
  chatOf,
  messageSize,
  type ChatMessage,
  type ContextEdit,
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

/** Always known, whatever the source keeps. */
export const characters: ContextMeasure = {
  unit: 'characters',
  one: 'character',
  short: 'ch',
  message: messageSize,
  stub: (message) => sizeOfChat(stubOf(message)),
};

const anyEdit: ContextEdit = { step: -1, kind: 'delete', msgIds: [] };

/** What a deletion leaves of a message: the same whichever edit it was. */
export function stubOf(message: Message): ChatMessage {
  const [stub] = chatOf([{ state: 'stub', message, edit: anyEdit }]);
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
