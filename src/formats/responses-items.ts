import { arrayAt, at, stringAt } from '../model';
import type { Placed } from './model-calls';

/** Items of the Responses API as chat messages: what a model wrote in one go is one message with its thoughts and calls. */
export function responsesMessages(items: readonly unknown[], raw: string): Placed[] {
  const messages: Placed[] = [];
  let open: Turn | undefined;
  items.forEach((item, nth) => {
    const place = `${raw}/${nth}`;
    const piece = pieceOf(item);
    if (piece === undefined) {
      open = undefined;
      messages.push({ value: othersMessage(item), raw: place });
      return;
    }
    // A second text is a second message.
    if (open === undefined || (piece.content !== undefined && open.content !== '')) {
      open = { role: 'assistant', content: '' };
      messages.push({ value: open, raw: place });
    }
    add(open, piece);
  });
  return messages;
}

interface Turn {
  role: 'assistant';
  content: unknown;
  reasoning_content?: string;
  tool_calls?: unknown[];
}

type Piece = { content?: unknown; thought?: string; call?: unknown };

/** What an item adds to a turn of the model; undefined for what is no model's. */
function pieceOf(item: unknown): Piece | undefined {
  const type = stringAt(item, 'type') ?? 'message';
  if (type === 'reasoning') return { thought: thoughtOf(item) };
  if (type === 'function_call' || type === 'custom_tool_call') {
    const name = at(item, 'name');
    const given = at(item, 'arguments') ?? at(item, 'input') ?? '';
    return { call: { id: at(item, 'call_id') ?? at(item, 'id'), function: { name, arguments: given } } };
  }
  if (type === 'message' && stringAt(item, 'role') === 'assistant') {
    return { content: plain(at(item, 'content')) };
  }
  return undefined;
}

function add(turn: Turn, { content, thought, call }: Piece): void {
  if (content !== undefined) turn.content = content;
  if (thought !== undefined && thought !== '') {
    turn.reasoning_content =
      turn.reasoning_content === undefined ? thought : `${turn.reasoning_content}\n${thought}`;
  }
  if (call !== undefined) (turn.tool_calls ??= []).push(call);
}

function othersMessage(item: unknown): unknown {
  const type = stringAt(item, 'type');
  if (type?.endsWith('_call_output') === true || type?.endsWith('tool_call_output') === true) {
    const callId = at(item, 'call_id');
    return {
      role: 'tool',
      content: plain(at(item, 'output')),
      ...(callId === undefined ? {} : { tool_call_id: callId }),
    };
  }
  const role = stringAt(item, 'role');
  return role === undefined ? item : { role, content: plain(at(item, 'content')) };
}

function thoughtOf(item: unknown): string {
  return [...(arrayAt(item, 'summary') ?? []), ...(arrayAt(item, 'content') ?? [])]
    .flatMap((part) => (typeof part === 'string' ? part : (stringAt(part, 'text') ?? [])))
    .join('\n');
}

/** A single piece of text is the text, so that an answer is recognised in the contexts that repeat it. */
function plain(content: unknown): unknown {
  if (!Array.isArray(content)) return content ?? '';
  const parts = content.map((part: unknown) => {
    const text = stringAt(part, 'text');
    return text === undefined ? part : { type: 'text', text };
  });
  return parts.length === 1 ? (stringAt(parts[0], 'text') ?? parts) : parts;
}
