import { arrayAt, at, emptyRecord, isObject, numberAt, stringAt, type Part } from '../../model';
import { jsonText } from '../bounded';
import { chatEntry, reasoningOf } from '../chat-entry';
import { partsOf } from '../content';
import type { Story } from './story';

/**
 * Events of OpenHands before its SDK (https://github.com/All-Hands-AI/OpenHands, `openhands/events`): actions, and the
 * observations that follow from them.
 *
 *     { id: 4, source: 'user', action: 'message', args: { content: 'Fix it.' } }
 *     { id: 7, source: 'agent', action: 'run', args: { command: 'ls', thought: 'Let me look.' },
 *       tool_call_metadata: { function_name: 'execute_bash', tool_call_id: 'c1', model_response: { id: 'r1', choices } } }
 *     { id: 8, source: 'agent', observation: 'run', cause: 7, content: 'a.py', extras: {}, tool_call_metadata }
 *
 * A response that calls several tools becomes an action for each, one after the other, all with the whole response.
 */
export function isV0Event(event: unknown): boolean {
  if (!sources.has(stringAt(event, 'source') ?? '')) return false;
  return stringAt(event, 'action') === undefined
    ? stringAt(event, 'observation') !== undefined && at(event, 'content') !== undefined
    : isObject(at(event, 'args'));
}

const sources = new Set(['user', 'agent', 'environment']);

/** These change how the agent runs, and are not what anyone said. */
const quiet = new Set([
  'null',
  'change_agent_state',
  'agent_state_changed',
  'recall',
  'condensation_request',
  'loop_recovery',
  'start',
  'pause',
  'resume',
  'stop',
]);

export class V0Reader {
  readonly #story: Story;
  /** Responses that are in the history with all their calls. */
  readonly #responses = new Set<string>();
  readonly #calls = new Set<string>();
  /** Calls by the id of the action that made them. */
  readonly #actions = new Map<string, string>();

  constructor(story: Story) {
    this.#story = story;
  }

  add(event: unknown, raw: string): void {
    const id = String(numberAt(event, 'id') ?? stringAt(event, 'id') ?? raw);
    if (stringAt(event, 'action') === undefined) this.#addObservation(event, id, raw);
    else this.#addAction(event, id, raw);
  }

  #addAction(event: unknown, id: string, raw: string): void {
    const action = stringAt(event, 'action') ?? '';
    const args = at(event, 'args');
    const isAgent = stringAt(event, 'source') === 'agent';
    switch (action) {
      case 'message':
      case 'system': {
        const said = [...partsOf(at(args, 'content'), isAgent), ...images(at(args, 'image_urls'))];
        this.#story.counts.messages += 1;
        if (action === 'system') {
          this.#story.tools = arrayAt(args, 'tools') ?? [];
          this.#story.tell({ role: 'system', parts: said, raw }, id);
        } else if (isAgent) this.#story.emit(said, raw, id);
        else this.#story.tell({ role: 'user', parts: said, raw }, id);
        return;
      }
      case 'condensation':
        this.#story.forget(forgottenIds(args), stringAt(args, 'summary'), raw, id);
        return;
      default:
        if (quiet.has(action)) return;
        if (isAgent) this.#addCall(event, id, raw);
        else this.#story.tell({ role: 'user', roleLabel: action, parts: [json({ action, args })], raw }, id);
    }
  }

  #addCall(event: unknown, id: string, raw: string): void {
    const metadata = at(event, 'tool_call_metadata');
    const callId = stringAt(metadata, 'tool_call_id') ?? id;
    this.#actions.set(id, callId);
    this.#story.counts.toolCalls += 1;
    const response = at(metadata, 'model_response');
    const model = stringAt(response, 'model');
    if (model !== undefined) this.#story.model ??= model;
    // The first action of a response has told all its calls.
    if (this.#calls.has(callId)) return;

    const responseId = stringAt(response, 'id');
    const isMore = responseId !== undefined && this.#responses.has(responseId);
    if (responseId !== undefined) this.#responses.add(responseId);
    const choice = arrayAt(response, 'choices')?.[0];
    const message = at(choice, 'message');
    const entry = isObject(message) ? chatEntry({ ...message, role: 'assistant' }, raw) : undefined;
    const called = callsIn(entry?.parts ?? []);
    if (entry !== undefined && called.includes(callId)) {
      for (const each of called) this.#calls.add(each);
      if (reasoningOf(message) !== '') this.#story.counts.reasoning += 1;
      const unfinished = stringAt(choice, 'finish_reason') === 'length' ? { unfinished: 'length' } : {};
      this.#story.emit(entry.parts, raw, id, { isMore, ...unfinished });
      return;
    }
    this.#calls.add(callId);
    const args = at(event, 'args');
    const thought = stringAt(args, 'thought') ?? '';
    const name = stringAt(metadata, 'function_name') ?? stringAt(event, 'action') ?? '';
    const given = jsonText(withoutThought(args));
    this.#story.emit(
      [
        ...(thought === '' ? [] : partsOf(thought, true)),
        { kind: 'call', call: { callId, name, arguments: given } },
      ],
      raw,
      id,
      { isMore },
    );
  }

  #addObservation(event: unknown, id: string, raw: string): void {
    const kind = stringAt(event, 'observation') ?? '';
    const extras = at(event, 'extras');
    const content = at(event, 'content');
    if (kind === 'agent_state_changed') {
      const state = stringAt(extras, 'agent_state');
      if (state !== undefined) this.#story.termination = state;
    }
    if (kind === 'error' && typeof content === 'string') this.#story.error = content;
    if (quiet.has(kind) && kind !== 'recall') return;

    const said = content === '' ? [] : partsOf(content, false);
    const seen = images([...(arrayAt(extras, 'image_urls') ?? []), at(extras, 'screenshot')]);
    const callId = this.#answered(event);
    if (callId === undefined) {
      const found = kind === 'recall' && isObject(extras) ? [json(extras)] : [];
      if (said.length + found.length === 0) return;
      this.#story.tell({ role: 'user', roleLabel: kind, parts: [...said, ...found, ...seen], raw }, id);
      return;
    }
    this.#story.counts.toolResults += 1;
    const toolName = stringAt(at(event, 'tool_call_metadata'), 'function_name') ?? kind;
    this.#story.tell({ role: 'tool', parts: [...said, ...seen], toolResultFor: [callId], toolName, raw }, id);
  }

  #answered(event: unknown): string | undefined {
    const named = stringAt(at(event, 'tool_call_metadata'), 'tool_call_id');
    if (named !== undefined) return named;
    const cause = numberAt(event, 'cause') ?? stringAt(event, 'cause');
    return cause === undefined ? undefined : this.#actions.get(String(cause));
  }
}

function callsIn(parts: readonly Part[]): string[] {
  return parts.flatMap((part) => (part.kind === 'call' ? [part.call.callId] : []));
}

/** Screenshots and the like, which are whole images or paths in the sandbox. */
function images(urls: unknown): Part[] {
  if (!Array.isArray(urls)) return [];
  return urls.flatMap((url: unknown): Part[] =>
    typeof url === 'string' && url.startsWith('data:image/') ? [{ kind: 'image', url }] : [],
  );
}

function json(value: unknown): Part {
  return { kind: 'json', text: jsonText(value) };
}

function withoutThought(args: unknown): unknown {
  if (!isObject(args)) return args ?? {};
  const rest = emptyRecord<unknown>();
  for (const key of Object.keys(args)) if (key !== 'thought') rest[key] = args[key];
  return rest;
}

/** Named one by one, or as a range that includes its end. */
function forgottenIds(args: unknown): Set<string> {
  const ids = new Set((arrayAt(args, 'forgotten_event_ids') ?? []).map(String));
  const [from, to] = [numberAt(args, 'forgotten_events_start_id'), numberAt(args, 'forgotten_events_end_id')];
  // No run has more events than this; a hostile range does.
  const most = 1_000_000;
  if (from !== undefined && to !== undefined && to - from < most) {
    for (let id = Math.ceil(from); id <= to; id++) ids.add(String(id));
  }
  return ids;
}
