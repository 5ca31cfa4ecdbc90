import {
  deletedAt,
  historyOf,
  messageText,
  pythonJson,
  toolCallsOf,
  type Episode,
  type Message,
} from '../../model';
import { RawJson } from '../raw-json';

/** In the numbering of the source. */
export function deletedIds(episode: Episode): number[] {
  const { byId } = historyOf(episode);
  return (
    episode.statelm?.recordedDeletes ??
    [...deletedAt(episode, Infinity)].map((msgId) => byId.get(msgId)?.sourceMsgId ?? msgId)
  );
}

/** The list that all of StateLM's files have. */
export function entriesOf(
  episode: Episode,
  messages: readonly Message[],
  dialect: 'rl' | 'inference',
): object[] {
  const { calls } = historyOf(episode);
  return messages.map((message) => {
    const { role, roleLabel, toolName, toolResultFor } = message;
    const [callId] = toolResultFor ?? [];
    if (role === 'tool') {
      const caller = message.invokedBy ?? calls.get(callId ?? '')?.message.msgId;
      return {
        role,
        content: resultOf(message, dialect),
        ...idOf(message),
        ...(caller === undefined ? {} : { 'msg_id(invoking_assistant)': caller }),
        ...(callId === undefined || dialect === 'rl' ? {} : { tool_use_id: callId }),
        ...(toolName === undefined ? {} : { tool_name: toolName }),
      };
    }
    if (role !== 'assistant') return { role: roleLabel ?? role, content: textOf(message), ...idOf(message) };
    const made = toolCallsOf(message).map((call) => ({
      id: call.callId,
      type: 'function',
      function: { name: call.name, arguments: call.arguments },
    }));
    return {
      role,
      content: textBlocks(message),
      tool_calls: made.length === 0 ? null : made,
      ...idOf(message),
    };
  });
}

/** What has no id in the source has one below zero here. */
function idOf({ msgId, sourceMsgId }: Message): object {
  const id = sourceMsgId ?? msgId;
  return id < 0 ? {} : { msg_id: id };
}

function textBlocks({ parts }: Message): object[] {
  return parts.flatMap((part) => (part.kind === 'text' ? [{ type: 'text', text: part.text }] : []));
}

export function textOf({ parts }: Message): string {
  return parts.flatMap((part) => ('text' in part ? [part.text] : [])).join('\n');
}

/** The inference code keeps a tool's answer as the object it is, the training loop as its text. */
function resultOf(message: Message, dialect: 'rl' | 'inference'): unknown {
  const text = messageText(message);
  const [only] = message.parts;
  const isObject = message.parts.length === 1 && only?.kind === 'json' && pythonJson(text) === text;
  return isObject && dialect === 'inference' ? new RawJson(text) : text;
}
