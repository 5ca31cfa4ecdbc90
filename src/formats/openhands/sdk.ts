import { arrayAt, at, isObject, stringAt, type Part } from '../../model';
import { jsonText } from '../bounded';
import { chatEntry } from '../chat-entry';
import { partsOf } from '../content';
import { tokenIds } from '../token-lists';
import type { Story } from './story';

/**
 * Events of OpenHands' SDK (https://github.com/OpenHands/software-agent-sdk, `openhands/sdk/event`), its version 1:
 *
 *     { kind: 'MessageEvent', source: 'user', llm_message: { role: 'user', content: [{ type: 'text', text: 'Fix it.' }] } }
 *     { kind: 'ActionEvent', source: 'agent', thought: [{ text: 'Let me look.' }], tool_name: 'terminal', tool_call_id: 'c1',
 *       tool_call: { id: 'c1', name: 'terminal', arguments: '{"command": "ls"}' }, llm_response_id: 'r1' }
 *     { kind: 'ObservationEvent', source: 'environment', tool_name: 'terminal', tool_call_id: 'c1',
 *       observation: { content: [{ type: 'text', text: 'a.py' }] } }
 *
 * Actions of one response have the same `llm_response_id`. Early versions wrote no `kind`.
 */
export function isSdkEvent(event: unknown): boolean {
  const kind = stringAt(event, 'source') === undefined ? undefined : kindOf(event);
  return kind !== undefined && /Event$|^Condensation|Observation$/.test(kind);
}

function kindOf(event: unknown): string | undefined {
  if (!isObject(event)) return undefined;
  const kind = stringAt(event, 'kind');
  if (kind !== undefined) return kind;
  const has = (key: string): boolean => Object.hasOwn(event, key);
  if (has('llm_message')) return 'MessageEvent';
  if (has('system_prompt')) return 'SystemPromptEvent';
  if (has('forgotten_event_ids')) return 'Condensation';
  if (!has('tool_call_id')) return undefined;
  if (has('thought')) return 'ActionEvent';
  return has('error') ? 'AgentErrorEvent' : 'ObservationEvent';
}

export class SdkReader {
  readonly #story: Story;
  #response: string | undefined;

  constructor(story: Story) {
    this.#story = story;
  }

  add(event: unknown, raw: string): void {
    const id = stringAt(event, 'id') ?? raw;
    switch (kindOf(event) ?? '') {
      case 'SystemPromptEvent': {
        this.#story.counts.messages += 1;
        this.#story.tools = arrayAt(event, 'tools') ?? [];
        const prompts = [at(event, 'system_prompt'), at(event, 'dynamic_context')];
        this.#story.tell({ role: 'system', parts: prompts.flatMap((each) => contentParts(each)), raw }, id);
        return;
      }
      case 'MessageEvent':
        this.#addMessage(event, id, raw);
        return;
      case 'ActionEvent':
        this.#addAction(event, id, raw);
        return;
      case 'ObservationEvent':
        this.#addResult(event, [...observed(at(event, 'observation')), ...extended(event)], id, raw);
        return;
      case 'AgentErrorEvent':
        this.#addResult(event, contentParts(at(event, 'error')), id, raw);
        return;
      case 'UserRejectObservation':
        this.#addResult(event, contentParts(at(event, 'rejection_reason')), id, raw);
        return;
      case 'Condensation': {
        const ids = new Set((arrayAt(event, 'forgotten_event_ids') ?? []).map(String));
        this.#story.forget(ids, stringAt(event, 'summary'), raw, id);
        return;
      }
      case 'CondensationSummaryEvent':
        this.#story.tell(
          { role: 'user', roleLabel: 'summary', parts: contentParts(at(event, 'summary')), raw },
          id,
        );
        return;
      case 'TokenEvent': {
        const promptIds = tokenIds(at(event, 'prompt_token_ids'));
        const generationIds = tokenIds(at(event, 'response_token_ids'));
        if (promptIds !== undefined && generationIds !== undefined)
          this.#story.addTokens({ promptIds, generationIds });
        return;
      }
      case 'ConversationErrorEvent':
        this.#story.error = [stringAt(event, 'code'), stringAt(event, 'detail')]
          .filter((each) => (each ?? '') !== '')
          .join(': ');
        return;
      case 'ConversationStateUpdateEvent': {
        const status = stringAt(event, 'value');
        if (stringAt(event, 'key')?.endsWith('status') === true && status !== undefined)
          this.#story.termination = status;
        return;
      }
    }
  }

  #addMessage(event: unknown, id: string, raw: string): void {
    const message = at(event, 'llm_message');
    const { parts, role } = chatEntry(isObject(message) ? { ...message, content: null } : message, raw);
    const thoughts = parts.filter(({ kind }) => kind === 'reasoning');
    const said = [
      ...(thoughts.length > 0 ? thoughts : blockParts(message)),
      ...contentParts(at(message, 'content'), role === 'assistant'),
      ...parts.filter(({ kind }) => kind !== 'reasoning'),
      ...extended(event),
    ];
    this.#story.counts.messages += 1;
    if (hasThoughts(said)) this.#story.counts.reasoning += 1;
    if (stringAt(event, 'source') !== 'agent') {
      this.#story.tell({ role: role === 'assistant' ? 'user' : role, parts: said, raw }, id);
    } else this.#emit(said, event, id, raw);
  }

  #addAction(event: unknown, id: string, raw: string): void {
    const call = at(event, 'tool_call');
    const called = isObject(at(call, 'function')) ? at(call, 'function') : call;
    const thoughts = stringAt(event, 'reasoning_content') ?? '';
    const given = at(called, 'arguments') ?? at(event, 'action') ?? '';
    const parts: Part[] = [
      ...(thoughts === ''
        ? blockParts(event)
        : [{ kind: 'reasoning' as const, form: 'full' as const, text: thoughts }]),
      ...contentParts(at(event, 'thought'), true),
      {
        kind: 'call',
        call: {
          callId: stringAt(event, 'tool_call_id') ?? stringAt(call, 'id') ?? id,
          name: stringAt(called, 'name') ?? stringAt(event, 'tool_name') ?? '',
          arguments: typeof given === 'string' ? given : jsonText(given),
        },
      },
    ];
    this.#story.counts.toolCalls += 1;
    if (hasThoughts(parts)) this.#story.counts.reasoning += 1;
    this.#emit(parts, event, id, raw);
  }

  #emit(parts: Part[], event: unknown, id: string, raw: string): void {
    const response = stringAt(event, 'llm_response_id');
    const isMore = response !== undefined && response === this.#response;
    this.#response = response;
    this.#story.emit(parts, raw, id, { isMore });
  }

  #addResult(event: unknown, parts: Part[], id: string, raw: string): void {
    const callId = stringAt(event, 'tool_call_id');
    const toolName = stringAt(event, 'tool_name');
    this.#story.counts.toolResults += 1;
    this.#story.tell(
      {
        role: 'tool',
        parts,
        ...(callId === undefined ? {} : { toolResultFor: [callId] }),
        ...(toolName === undefined ? {} : { toolName }),
        raw,
      },
      id,
    );
  }
}

function hasThoughts(parts: readonly Part[]): boolean {
  return parts.some((part) => part.kind === 'reasoning' && part.form !== 'inline');
}

/** `{ type: 'text', text }`, `{ type: 'image', image_urls }`, a list of them, or bare text. */
function contentParts(content: unknown, isAgent = false): Part[] {
  const list: readonly unknown[] = Array.isArray(content) ? content : [content];
  return list.flatMap((part): Part[] => {
    const urls = arrayAt(part, 'image_urls');
    if (urls !== undefined)
      return urls.flatMap((url) => (typeof url === 'string' ? [{ kind: 'image', url }] : []));
    const text = typeof part === 'string' ? part : stringAt(part, 'text');
    if (text === undefined) return partsOf(part, isAgent);
    return text === '' ? [] : partsOf(text, isAgent);
  });
}

function extended(event: unknown): Part[] {
  return contentParts(at(event, 'extended_content'));
}

/** What the model was shown of an observation: its content, or in early versions its output. */
function observed(observation: unknown): Part[] {
  const shown = at(observation, 'content') ?? at(observation, 'output');
  if (typeof shown === 'string' || Array.isArray(shown)) return contentParts(shown);
  return observation === undefined ? [] : [{ kind: 'json', text: jsonText(observation) }];
}

/** Thoughts as Anthropic's blocks, some of them sealed, or as the Responses API's summaries. */
function blockParts(event: unknown): Part[] {
  const blocks = (arrayAt(event, 'thinking_blocks') ?? []).map((block): Part => {
    const text = stringAt(block, 'thinking');
    return text === undefined
      ? { kind: 'sealed', bytes: stringAt(block, 'data')?.length ?? 0 }
      : { kind: 'reasoning', form: 'full', text };
  });
  const item = at(event, 'responses_reasoning_item');
  const summaries = (arrayAt(item, 'summary') ?? []).flatMap((text): Part[] =>
    typeof text === 'string' ? [{ kind: 'reasoning', form: 'summary', text }] : [],
  );
  const sealed = stringAt(item, 'encrypted_content')?.length ?? 0;
  return [...blocks, ...summaries, ...(sealed === 0 ? [] : [{ kind: 'sealed' as const, bytes: sealed }])];
}
