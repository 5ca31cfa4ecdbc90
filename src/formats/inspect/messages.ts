import {
  arrayAt,
  at,
  isObject,
  noCounts,
  stringAt,
  type Counts,
  type Message,
  type Part,
  type Role,
} from '../../model';
import { jsonText } from '../bounded';
import type { JsonAt } from '../json-at';
import { partsOf, unknownPart } from '../content';

/** Long strings of a sample, which stand in its messages as `attachment://` and a hash; in logs of 2024 as `tc://`. */
export class Attachments {
  readonly #texts: unknown;
  readonly #older: unknown;

  constructor(sample: unknown) {
    this.#texts = at(sample, 'attachments');
    this.#older = at(at(sample, 'transcript'), 'content');
  }

  in(text: string): string {
    return this.#replaced(text, (found) => found);
  }

  /** Within JSON, where a text stands escaped. */
  inJson(text: string): string {
    return this.#replaced(text, (found) => JSON.stringify(found).slice(1, -1));
  }

  #replaced(text: string, written: (found: string) => string): string {
    if (!text.includes('://')) return text;
    return text.replaceAll(/(attachment|tc):\/\/([0-9a-f]{32})/g, (whole, _, hash: string) => {
      const found = stringAt(this.#texts, hash) ?? stringAt(this.#older, hash);
      return found === undefined ? whole : written(found);
    });
  }
}

/**
 * `{ id?, role, content, source?, tool_calls?, tool_call_id?, function?, error? }`, where content is text or parts, a call is
 * `{ id, function: 'bash', arguments: {…} }`, and a tool's message names its tool in `function`.
 */
export function readMessage(
  message: unknown,
  place: string,
  attachments: Attachments,
  json: JsonAt,
): Pick<Message, 'role' | 'roleLabel' | 'parts' | 'toolResultFor' | 'toolName'> {
  if (!isObject(message)) return { role: 'user', roleLabel: 'unknown', parts: [unknownPart(message)] };
  const label = stringAt(message, 'role') ?? 'unknown';
  const role = roles.get(label) ?? 'user';
  const parts = contentParts(at(message, 'content'), role === 'assistant', attachments);
  const thoughts = stringAt(message, 'reasoning') ?? '';
  if (thoughts !== '') parts.unshift({ kind: 'reasoning', form: 'full', text: attachments.in(thoughts) });
  (arrayAt(message, 'tool_calls') ?? []).forEach((call, nth) => {
    parts.push(
      callPart(call, `${place}/tool_calls/${nth}`, attachments, json.at('tool_calls', nth, 'arguments')),
    );
  });
  const failed = stringAt(at(message, 'error'), 'message');
  // What the model is shown of a tool that failed is what went wrong.
  if (failed !== undefined && !parts.some((part) => part.kind === 'text' && part.text === failed)) {
    parts.push({ kind: 'text', text: attachments.in(failed) });
  }
  const callId = stringAt(message, 'tool_call_id');
  const toolName = stringAt(message, 'function');
  return {
    role,
    ...(roles.has(label) ? {} : { roleLabel: label }),
    parts,
    ...(role === 'tool' && callId !== undefined ? { toolResultFor: [callId] } : {}),
    ...(role === 'tool' && toolName !== undefined ? { toolName } : {}),
  };
}

const roles = new Map<string, Role>(
  (['system', 'user', 'assistant', 'tool'] as const).map((role) => [role, role]),
);

function contentParts(content: unknown, isAssistant: boolean, attachments: Attachments): Part[] {
  if (content === '') return [];
  if (typeof content === 'string') return partsOf(attachments.in(content), isAssistant);
  if (!Array.isArray(content)) return partsOf(content, isAssistant);
  return content.flatMap((part: unknown): Part[] => {
    const text = stringAt(part, 'text');
    switch (stringAt(part, 'type') ?? '') {
      case 'text':
        if (text === undefined) break;
        if (at(part, 'refusal') === true) return [{ kind: 'refusal', text: attachments.in(text) }];
        return partsOf(attachments.in(text), isAssistant);
      case 'reasoning':
        return reasoningParts(part, attachments);
      case 'image': {
        const url = stringAt(part, 'image');
        if (url === undefined) break;
        const detail = stringAt(part, 'detail');
        return [{ kind: 'image', url: attachments.in(url), ...(detail === undefined ? {} : { detail }) }];
      }
    }
    return [unknownPart(part)];
  });
}

/** Thoughts; where the provider encrypted them, `reasoning` is the cipher and there may be a summary. */
function reasoningParts(part: unknown, attachments: Attachments): Part[] {
  const text = attachments.in(stringAt(part, 'reasoning') ?? '');
  const summary = attachments.in(stringAt(part, 'summary') ?? '');
  if (at(part, 'redacted') !== true) return [{ kind: 'reasoning', form: 'full', text }];
  return [
    ...(summary === '' ? [] : [{ kind: 'reasoning' as const, form: 'summary' as const, text: summary }]),
    { kind: 'sealed', bytes: text.length },
  ];
}

function callPart(call: unknown, place: string, attachments: Attachments, json: JsonAt): Part {
  const name = stringAt(call, 'function') ?? stringAt(at(call, 'function'), 'name');
  if (name === undefined) return unknownPart(call);
  const given = at(call, 'arguments') ?? at(at(call, 'function'), 'arguments') ?? {};
  return {
    kind: 'call',
    call: {
      callId: stringAt(call, 'id') ?? place,
      name,
      arguments:
        typeof given === 'string'
          ? attachments.in(given)
          : attachments.inJson(json.text() ?? jsonText(given)),
    },
  };
}

/** The text of a sample's input: a string, or that of its first user message. */
export function inputText(input: unknown, attachments: Attachments): string {
  if (typeof input === 'string') return attachments.in(input);
  if (!Array.isArray(input)) return '';
  const asked: unknown = input.find((message: unknown) => stringAt(message, 'role') === 'user');
  const parts = contentParts(at(asked, 'content'), false, attachments);
  return parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n');
}

export function countMessages(messages: readonly unknown[]): Counts {
  const counts = noCounts();
  for (const message of messages) {
    if (!isObject(message)) continue;
    if (stringAt(message, 'role') === 'tool') counts.toolResults += 1;
    else counts.messages += 1;
    counts.toolCalls += arrayAt(message, 'tool_calls')?.length ?? 0;
    const thoughts = (arrayAt(message, 'content') ?? []).filter(
      (part) => stringAt(part, 'type') === 'reasoning',
    );
    counts.reasoning += thoughts.length + ((stringAt(message, 'reasoning') ?? '') === '' ? 0 : 1);
  }
  return counts;
}
