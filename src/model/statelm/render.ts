import { chatMessage, STUB_TEXT, type ChatMessage } from '../chat';
import type { Episode, Message, StatelmTraits, ToolCall } from '../episode';
import { toolCallsOf } from '../history';
import { entriesOf, type JsonEntry } from '../json-text';
import { objectText, pythonJson, pythonString, withEntries } from '../python-json';
import { once } from '../once';
import { messageText } from '../text';
import { viewAt, type ViewEntry } from '../view';
import { notesAt, notesBlock } from './notes';
import { pythonStrip } from './strip';

/** A message as it stood in a view: written by a render, as a stub, or as it came after the last render. */
export interface SeenMessage {
  message: Message;
  form: 'rendered' | 'stub' | 'appended';
  chat: ChatMessage;
}

/** The chat messages exactly as StateLM's loop sent them at a step. A step past the end gives the final context. */
export function renderView(episode: Episode, step: number): ChatMessage[] {
  return seenMessages(episode, step).map(({ chat }) => chat);
}

/**
 * The messages of a view with the form each of them had. In the `inference` dialect every call renders all of them
 * anew. In `rl` only the first call and those after an edit do; in between the context grows by what was appended:
 * emissions as emitted, tool results as returned, the notes block as it was at the last render.
 */
export function seenMessages(episode: Episode, step: number): SeenMessage[] {
  const seen = seenIn(episode, step);
  const view = viewAt(episode, step).filter(({ state }) => state !== 'removed');
  const firstUser = view.findIndex(({ message }) => message.role === 'user');
  return view.map(({ message, state }, index) => seen(message, state, index === firstUser));
}

/** How a message of a step's view was written there; the first user's has the notes. */
export function seenIn(
  episode: Episode,
  step: number,
): (message: Message, state: ViewEntry['state'], isFirstUser: boolean) => SeenMessage {
  const traits = episode.statelm ?? { dialect: 'inference' };
  const written = writtenOf(episode);
  const rendered = renderedAt(episode, step);
  return (message, state, isFirstUser) => {
    if (isAppended(message, rendered, traits)) {
      return { message, form: 'appended', chat: written.appended(message) };
    }
    if (isFirstUser) {
      const block = notesBlock(notesAt(episode, rendered), traits.notesBlock);
      return { message, form: 'rendered', chat: written.noted(message, block) };
    }
    if (state === 'stub') return { message, form: 'stub', chat: written.stub(message) };
    return { message, form: 'rendered', chat: written.rendered(message) };
  };
}

/** The step whose call was the last, up to this one, to get a context rendered anew. */
export function renderedAt(episode: Episode, step: number): number {
  const within = Math.min(Math.max(step, 0), episode.steps.length);
  if (episode.statelm?.dialect !== 'rl') return within;
  const last = episode.edits.findLast((edit) => edit.step < within);
  return last === undefined ? 0 : last.step + 1;
}

function isAppended(message: Message, rendered: number, traits: StatelmTraits): boolean {
  if (traits.dialect !== 'rl') return false;
  if (message.bornAtStep >= rendered) return true;
  return (
    traits.toolResults === 'returned-from-edit' &&
    message.origin === 'environment' &&
    rendered > 0 &&
    message.bornAtStep === rendered - 1
  );
}

/** A message in its three forms, each written at most once: they do not depend on the step. */
export interface Written {
  rendered(message: Message): ChatMessage;
  stub(message: Message): ChatMessage;
  appended(message: Message): ChatMessage;
  /** With the notes block, which stays the same for many steps: the last is kept. */
  noted(message: Message, block: string): ChatMessage;
}

const writtenEpisodes = new WeakMap<Episode, Written>();

function writtenOf(episode: Episode): Written {
  const known = writtenEpisodes.get(episode);
  if (known !== undefined) return known;
  const written = writtenFor(episode.statelm ?? { dialect: 'inference' });
  writtenEpisodes.set(episode, written);
  return written;
}

/** For whoever renders an episode while it grows: a loop. */
export function writtenFor(traits: StatelmTraits): Written {
  return {
    rendered: once((message: Message) => renderedMessage(message, traits)),
    stub: once((message: Message) => stubMessage(message, traits)),
    appended: once((message: Message) => appendedMessage(message, traits)),
    noted: lastNoted(),
  };
}

function lastNoted(): Written['noted'] {
  let last: { message: Message; block: string; chat: ChatMessage } | undefined;
  return (message, block) => {
    if (last?.message !== message || last.block !== block) {
      last = { message, block, chat: withBlock(chatMessage(message), block) };
    }
    return last.chat;
  };
}

function renderedMessage(message: Message, traits: StatelmTraits): ChatMessage {
  if (message.role === 'tool') return toolMessage(message, traits, objectText(withIds(message)));
  if (message.role !== 'assistant') return chatMessage(message);
  const text = pythonStrip(assistantText(message));
  return {
    role: 'assistant',
    content: text === '' && traits.dialect === 'inference' ? null : text,
    ...callsOf(message, (call) => verbatimCall(call, traits)),
  };
}

function stubMessage(message: Message, traits: StatelmTraits): ChatMessage {
  if (message.role === 'tool') return toolMessage(message, traits, objectText(toolStub(message)));
  // The loop never deletes what a person said, whatever it was asked.
  if (message.role !== 'assistant') return chatMessage(message);
  const calls = callsOf(message, ({ callId, name }) => ({
    id: callId,
    type: 'function',
    function: { name, arguments: `{"message": ${pythonString(STUB_TEXT)}}` },
  }));
  const keepsText = traits.keepsDeletedText === true && calls.tool_calls !== undefined;
  return {
    role: 'assistant',
    content: keepsText ? pythonStrip(assistantText(message)) : STUB_TEXT,
    ...calls,
  };
}

function appendedMessage(message: Message, traits: StatelmTraits): ChatMessage {
  if (message.role === 'assistant') {
    return {
      role: 'assistant',
      content: assistantText(message),
      ...callsOf(message, (call) => verbatimCall(call, traits)),
    };
  }
  if (message.role !== 'tool') return chatMessage(message);
  if (traits.toolResults === 'rendered') return renderedMessage(message, traits);
  return toolMessage(message, traits, messageText(message));
}

function assistantText(message: Message): string {
  return message.parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join(' ');
}

function toolMessage(message: Message, { dialect }: StatelmTraits, content: string): ChatMessage {
  const [callId] = message.toolResultFor ?? [];
  return {
    role: 'tool',
    content,
    ...(dialect === 'rl' || callId === undefined ? {} : { tool_call_id: callId }),
  };
}

type Calls = Pick<ChatMessage, 'tool_calls'>;
type Call = NonNullable<ChatMessage['tool_calls']>[number];

function callsOf(message: Message, write: (call: ToolCall) => Call): Calls {
  const calls = toolCallsOf(message);
  return calls.length === 0 ? {} : { tool_calls: calls.map(write) };
}

/** Key for key as the loops wrote them: the inference code passes on what its client library dumps. */
function verbatimCall({ callId, name, arguments: args }: ToolCall, { dialect }: StatelmTraits): Call {
  return dialect === 'inference'
    ? { id: callId, function: { arguments: args, name }, type: 'function' }
    : { id: callId, type: 'function', function: { name, arguments: args } };
}

/** The result's JSON object with the ids set; what is no object is wrapped as `{"message": text}`. */
function withIds(message: Message): JsonEntry[] {
  const text = messageText(message);
  const result = entriesOf(pythonJson(text) ?? '') ?? [{ key: 'message', value: pythonString(text) }];
  return withEntries(result, idsOf(message));
}

function idsOf(message: Message): JsonEntry[] {
  return [
    { key: 'msg_id', value: String(message.sourceMsgId ?? message.msgId) },
    ...(message.invokedBy === undefined
      ? []
      : [{ key: 'msg_id(invoking_assistant)', value: String(message.invokedBy) }]),
  ];
}

function toolStub(message: Message): JsonEntry[] {
  const progress = entriesOf(pythonJson(messageText(message)) ?? '')?.find(
    ({ key }) => key === 'reading_progress',
  );
  return [
    ...idsOf(message),
    { key: 'status', value: '"success"' },
    { key: 'message', value: pythonString(STUB_TEXT) },
    { key: 'original_tool', value: pythonString(message.toolName ?? 'unknown') },
    ...(progress === undefined ? [] : [progress]),
  ];
}

function withBlock(chat: ChatMessage, block: string): ChatMessage {
  if (Array.isArray(chat.content))
    return { ...chat, content: [...chat.content, { type: 'text', text: block }] };
  return { ...chat, content: (chat.content ?? '') + block };
}
