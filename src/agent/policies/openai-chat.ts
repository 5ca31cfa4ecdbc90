import { arrayAt, at, numberAt, stringAt, type ChatMessage } from '../../model';
import { toolDefinition } from '../encoder';
import type { PolicyRequest } from '../policy';
import type { Dialect } from './openai';
import type { TurnDraft } from './turn-draft';

/** `POST /chat/completions` */
export const chatCompletions: Dialect = {
  path: '/chat/completions',
  body: ({ messages, tools }: PolicyRequest, stream) => ({
    messages: answerable(messages),
    ...(tools.length === 0 ? {} : { tools: tools.map(toolDefinition) }),
    ...(stream ? { stream: true, stream_options: { include_usage: true } } : {}),
  }),
  take: (draft, value) => takeChoice(draft, value, 'delta'),
  whole: (draft, value) => {
    takeChoice(draft, value, 'message');
  },
};

function takeChoice(draft: TurnDraft, value: unknown, where: 'delta' | 'message'): string {
  draft.model ??= stringAt(value, 'model');
  draft.countUsage(at(value, 'usage'));
  const choice = arrayAt(value, 'choices')?.[0];
  const said = at(choice, where);
  const text = stringAt(said, 'content') ?? '';
  draft.text += text;
  draft.reasoning += stringAt(said, 'reasoning_content') ?? stringAt(said, 'reasoning') ?? '';
  arrayAt(said, 'tool_calls')?.forEach((call, position) => {
    const made = at(call, 'function');
    const [callId, name, args] = [stringAt(call, 'id'), stringAt(made, 'name'), stringAt(made, 'arguments')];
    draft.call(numberAt(call, 'index') ?? position, {
      ...(callId === undefined || callId === '' ? {} : { callId }),
      ...(name === undefined ? {} : { name }),
      ...(args === undefined ? {} : { arguments: args }),
    });
  });
  draft.finish = stringAt(choice, 'finish_reason') ?? draft.finish;
  for (const entry of arrayAt(at(choice, 'logprobs'), 'content') ?? []) {
    const logprob = numberAt(entry, 'logprob');
    if (logprob !== undefined) draft.logprobs.push(logprob);
  }
  // Some servers can give the ids they sampled.
  for (const id of arrayAt(choice, 'token_ids') ?? []) if (typeof id === 'number') draft.tokenIds.push(id);
  return text;
}

/**
 * The messages as endpoints accept them: every result names its call, every call has a result. The training dialect has no
 * call ids in its results, and calls beyond `max_parallel_calls` are never answered.
 */
export function answerable(messages: readonly ChatMessage[]): ChatMessage[] {
  const sent: ChatMessage[] = [];
  for (let index = 0; index < messages.length; index++) {
    const message = messages[index];
    if (message === undefined) continue;
    if (message.tool_calls === undefined) {
      sent.push(message);
      continue;
    }
    const results: ChatMessage[] = [];
    while (messages[index + 1]?.role === 'tool') {
      const result = messages[++index];
      if (result !== undefined) results.push(result);
    }
    const open = [...message.tool_calls];
    const paired = results.map((result) => {
      const named = open.findIndex(({ id }) => id === result.tool_call_id);
      const [call] = open.splice(Math.max(named, 0), 1);
      return { call, result };
    });
    const answered = message.tool_calls.filter((call) => !open.includes(call));
    const { tool_calls: _, ...rest } = message;
    sent.push(
      answered.length === 0 ? { ...rest, content: rest.content ?? '' } : { ...rest, tool_calls: answered },
    );
    for (const { call, result } of paired) {
      sent.push(call === undefined ? result : { ...result, tool_call_id: call.id });
    }
  }
  return sent;
}
