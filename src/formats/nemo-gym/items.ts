import {
  at,
  isObject,
  roleNamed,
  stringAt,
  type HistoryItem,
  type Origin,
  type Part,
  type Role,
  type StepTokens,
  type Timing,
} from '../../model';
import { jsonText } from '../bounded';
import { callPart, callsOf } from '../chat-entry';
import { partsOf, unknownPart } from '../content';
import { tokensOf } from './tokens';

/**
 * Items of OpenAI's Responses API, of which a rollout's `input` and `output` are lists
 * (https://platform.openai.com/docs/api-reference/responses):
 *
 *     { type: 'message', role, content }                      type may be missing; content is a string or parts
 *     { type: 'reasoning', summary: [{ type: 'summary_text', text }], content?, encrypted_content? }
 *     { type: 'function_call', call_id, name, arguments }     arguments are JSON text
 *     { type: 'function_call_output', call_id, output }       output is a string or parts
 *
 * and some twenty types that a provider's own tools make (`mcp_call`, `web_search_call`, ...).
 */
export type ItemKind = 'message' | 'reasoning' | 'call' | 'result' | 'other';

/** An item in its place in the history. */
export interface Entry {
  item: unknown;
  kind: ItemKind;
  origin: Origin;
  /** JSON pointer to it in the record. */
  raw: string;
  /** The file marks that a new model call begins here, or that it does not. */
  startsStep?: boolean;
  /** Of the model call that begins here, or of the tool that answered. */
  timing?: Timing;
  /** Of the model call that begins here, where the item itself has none. */
  tokens?: StepTokens;
}

const kinds = new Map<string, ItemKind>([
  ['message', 'message'],
  ['reasoning', 'reasoning'],
  ['function_call', 'call'],
  ['custom_tool_call', 'call'],
  ['function_call_output', 'result'],
  ['custom_tool_call_output', 'result'],
]);

export function kindOf(item: unknown): ItemKind {
  const type = stringAt(item, 'type');
  if (type !== undefined) return kinds.get(type) ?? 'other';
  return stringAt(item, 'role') === undefined ? 'other' : 'message';
}

/** Whether a model wrote it. What runs at the provider within a model call (`mcp_call`) counts as the model's. */
export function isByModel({ item, kind }: Pick<Entry, 'item' | 'kind'>): boolean {
  switch (kind) {
    case 'message':
      return roleOf(item).role === 'assistant';
    case 'reasoning':
    case 'call':
      return true;
    case 'result':
      return false;
    case 'other': {
      const type = stringAt(item, 'type');
      return type !== undefined && !type.endsWith('_output') && type !== 'mcp_approval_response';
    }
  }
}

export function promptEntry(item: unknown, raw: string): Entry {
  return { item, kind: kindOf(item), origin: 'prompt', raw };
}

export function outputEntry(item: unknown, raw: string): Entry {
  const kind = kindOf(item);
  return { item, kind, origin: isByModel({ item, kind }) ? 'policy' : 'environment', raw };
}

/** The id a call is answered by. One that has none is named by its place. */
export function callIdOf({ item, raw }: Entry): string {
  return stringAt(item, 'call_id') ?? stringAt(item, 'id') ?? raw;
}

/** The call a result names. */
export function answeredId(entry: Entry): string | undefined {
  return stringAt(entry.item, 'call_id') ?? stringAt(entry.item, 'tool_call_id');
}

/** `answers`: the calls a result answers, where that is more than the one it names. */
export function historyItem(entry: Entry, answers?: string[]): HistoryItem {
  const { item, origin, raw } = entry;
  const said = { ...spokenBy(entry), parts: partsOfItem(entry), raw };
  const named = answeredId(entry);
  const toolResultFor = answers ?? (said.role === 'tool' && named !== undefined ? [named] : undefined);
  const toolName = said.role === 'tool' ? stringAt(item, 'name') : undefined;
  const common = {
    ...said,
    ...(toolResultFor === undefined ? {} : { toolResultFor }),
    ...(toolName === undefined ? {} : { toolName }),
    ...(entry.timing === undefined ? {} : { timing: entry.timing }),
  };
  if (origin !== 'policy') return { ...common, origin };
  const tokens = tokensOf(item) ?? entry.tokens;
  return {
    ...common,
    origin,
    ...(entry.startsStep === undefined ? {} : { startsStep: entry.startsStep }),
    ...(tokens === undefined ? {} : { tokens }),
    ...(stringAt(item, 'status') === 'incomplete' ? { unfinished: 'incomplete' } : {}),
  };
}

function spokenBy(entry: Entry): { role: Role; roleLabel?: string } {
  if (entry.kind === 'message') return roleOf(entry.item);
  if (isByModel(entry)) return { role: 'assistant' };
  const isResult = entry.kind === 'result' || stringAt(entry.item, 'type')?.endsWith('_output') === true;
  return { role: isResult ? 'tool' : 'user' };
}

/** A message without a role can only be the model's: everyone else's must name one. */
function roleOf(item: unknown): { role: Role; roleLabel?: string } {
  const label = stringAt(item, 'role');
  return label === undefined ? { role: 'assistant' } : roleNamed(label);
}

function partsOfItem(entry: Entry): Part[] {
  const { item, kind } = entry;
  switch (kind) {
    case 'message': {
      const parts = partsOf(at(item, 'content'), roleOf(item).role === 'assistant');
      // An assistant of chat completions carries its calls.
      callsOf(item).forEach((call, nth) => parts.push(callPart(call, `${entry.raw}/tool_calls/${nth}`)));
      return parts;
    }
    case 'reasoning':
      return reasoningParts(item);
    case 'call': {
      const given = at(item, 'arguments') ?? at(item, 'input') ?? '';
      return [
        {
          kind: 'call',
          call: {
            callId: callIdOf(entry),
            name: stringAt(item, 'name') ?? '',
            arguments: typeof given === 'string' ? given : jsonText(given),
          },
        },
      ];
    }
    case 'result': {
      const output = at(item, 'output');
      return isObject(output) ? [{ kind: 'json', text: jsonText(output) }] : partsOf(output, false);
    }
    case 'other':
      return [unknownPart(item)];
  }
}

function reasoningParts(item: unknown): Part[] {
  const parts: Part[] = [];
  for (const [key, form] of [
    ['summary', 'summary'],
    ['content', 'full'],
  ] as const) {
    for (const part of listAt(item, key)) {
      const text = typeof part === 'string' ? part : stringAt(part, 'text');
      parts.push(text === undefined ? unknownPart(part) : { kind: 'reasoning', form, text });
    }
  }
  const sealed = stringAt(item, 'encrypted_content')?.length ?? 0;
  // One that is empty shows at least that the model reasoned.
  if (sealed > 0 || parts.length === 0) parts.push({ kind: 'sealed', bytes: sealed });
  return parts;
}

/** Whether a reasoning item has nothing that can be read. */
export function isSealed(item: unknown): boolean {
  return listAt(item, 'summary').length === 0 && listAt(item, 'content').length === 0;
}

function listAt(item: unknown, key: string): readonly unknown[] {
  const value = at(item, key);
  if (Array.isArray(value)) return value;
  return value === null || value === undefined ? [] : [value];
}
