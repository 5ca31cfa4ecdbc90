import { arrayAt, at, numberAt, stringAt, type ChatMessage } from '../../model';
import { answerable } from './openai-chat';
import type { Dialect } from './openai';
import type { TurnDraft } from './turn-draft';

/** `POST /responses` */
export const responses: Dialect = {
  path: '/responses',
  body: ({ messages, tools }, stream) => ({
    input: answerable(messages).flatMap(itemsOf),
    store: false,
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map(({ name, description, parameters }) => ({
            type: 'function',
            name,
            description: description ?? null,
            parameters: parameters ?? { type: 'object', properties: {} },
            strict: false,
          })),
        }),
    ...(stream ? { stream: true } : {}),
  }),
  take,
  whole: (draft, value) => takeResponse(draft, value),
};

function itemsOf({ role, content, tool_calls, tool_call_id }: ChatMessage): object[] {
  const text = typeof content === 'string' ? content : '';
  if (role === 'tool') return [{ type: 'function_call_output', call_id: tool_call_id ?? '', output: text }];
  const said = role === 'assistant' && text === '' ? [] : [{ type: 'message', role, content: text }];
  const calls = (tool_calls ?? []).map(({ id, function: { name, arguments: args } }) => ({
    type: 'function_call',
    call_id: id,
    name,
    arguments: args,
  }));
  return [...said, ...calls];
}

function take(draft: TurnDraft, value: unknown): string {
  const type = stringAt(value, 'type') ?? '';
  const delta = stringAt(value, 'delta') ?? '';
  if (type === 'response.output_text.delta') {
    draft.text += delta;
    return delta;
  }
  if (type === 'response.reasoning_text.delta' || type === 'response.reasoning_summary_text.delta') {
    draft.reasoning += delta;
  } else if (type === 'response.function_call_arguments.delta') {
    draft.call(keyOf(value), { arguments: delta });
  } else if (type === 'response.output_item.added' || type === 'response.output_item.done') {
    takeCall(draft, at(value, 'item'), keyOf(value), type.endsWith('done'));
  } else if (['response.completed', 'response.incomplete', 'response.failed'].includes(type)) {
    takeEnd(draft, at(value, 'response'));
  }
  return '';
}

/** Pieces name their item by its place in the output. */
function keyOf(value: unknown): number {
  return numberAt(value, 'output_index') ?? 0;
}

function takeCall(draft: TurnDraft, item: unknown, key: number, isWhole: boolean): void {
  if (stringAt(item, 'type') !== 'function_call') return;
  const callId = stringAt(item, 'call_id');
  const name = stringAt(item, 'name') ?? '';
  if (isWhole) draft.wholeCall(key, { callId, name, arguments: stringAt(item, 'arguments') ?? '' });
  else draft.call(key, { ...(callId === undefined ? {} : { callId }), name });
}

function takeEnd(draft: TurnDraft, response: unknown): void {
  draft.model ??= stringAt(response, 'model');
  draft.countUsage(at(response, 'usage'));
  const reason = stringAt(at(response, 'incomplete_details'), 'reason');
  draft.finish = reason ?? stringAt(response, 'status') ?? 'completed';
}

function takeResponse(draft: TurnDraft, response: unknown): void {
  takeEnd(draft, response);
  arrayAt(response, 'output')?.forEach((item, index) => {
    takeCall(draft, item, index, true);
    const type = stringAt(item, 'type');
    const parts = arrayAt(item, type === 'reasoning' ? 'summary' : 'content') ?? [];
    const text = parts.map((part) => stringAt(part, 'text') ?? '').join('');
    if (type === 'message') draft.text += text;
    if (type === 'reasoning') draft.reasoning += text;
  });
}
