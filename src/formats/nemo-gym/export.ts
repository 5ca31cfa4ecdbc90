import { emptyRecord, isObject, type Episode, type Message, type Part, type Step } from '../../model';
import { stringify } from '../raw-json';
import { splitThoughts } from '../think';

/** What the Responses API calls an item: a message, a thought, a call or its output. */
type Item = Record<string, unknown>;

/**
 * An episode as a line of a rollouts file (see `rollout.ts` for the shape). The history is divided into items again: what
 * stood before the first model call is the request, the rest the response. Edits of the context have no place in it.
 */
export function writeNemoGym(episode: Episode): string {
  const { messages, tools, model, outcome } = episode;
  const begun = messages.findIndex(({ origin, bornAtStep }) => origin !== 'prompt' || bornAtStep >= 0);
  const start = begun < 0 ? messages.length : begun;
  const row = emptyRecord<unknown>();
  const fields = { ...episode.metrics, ...verifierFields(episode) };
  for (const [name, field] of Object.entries(fields)) if (!reserved.has(name)) row[name] = field;
  row['responses_create_params'] = {
    input: messages.slice(0, start).flatMap(itemsOf),
    tools: tools.map(({ name, description, parameters }) => ({
      type: 'function',
      name,
      description: description ?? null,
      parameters: parameters ?? null,
      strict: false,
    })),
  };
  row['response'] = {
    id: `resp_${episode.id}`,
    object: 'response',
    model: model ?? '',
    output: outputOf(messages.slice(start), episode.steps),
    ...stateOf(episode),
    error: outcome.error === undefined ? null : { message: outcome.error },
  };
  if (outcome.reward !== undefined) row['reward'] = outcome.reward;
  else if (outcome.noReward === 'not-a-number') row['reward'] = null;
  if (Object.keys(outcome.components).length > 0) row['reward_components'] = outcome.components;
  if (outcome.verdict !== undefined) row['verdict'] = outcome.verdict;
  writeTask(row, episode);
  return stringify(row);
}

/** Fields that mean something else than a number to sort by. */
const reserved = new Set([
  'responses_create_params',
  'response',
  'reward',
  'reward_components',
  '_ng_task_index',
  '_ng_rollout_index',
  '_ng_attempt_index',
]);

/**
 * Of an episode that was run here: what the verifier echoed and added, which is what the rows of a rollouts file are made
 * of. It holds the seed and the expected values, so that the row can be replayed.
 */
function verifierFields({ exchanges = [] }: Episode): Record<string, unknown> {
  const verified = exchanges.findLast(({ purpose }) => purpose === 'verify');
  const seeded = exchanges.findLast(({ purpose }) => purpose === 'seed');
  const { response, request } = verified ?? seeded ?? {};
  const answered = verified !== undefined && response?.status === 200 ? objectOf(response.body) : undefined;
  return answered ?? objectOf(request?.body ?? '') ?? {};
}

function objectOf(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function writeTask(row: Record<string, unknown>, { task, outcome }: Episode): void {
  if (task !== undefined) {
    const index = Number(task.key);
    if (String(index) === task.key && Number.isSafeInteger(index)) row['_ng_task_index'] = index;
    else row['task_id'] = task.key;
    if (task.rollout !== undefined) row['_ng_rollout_index'] = task.rollout;
    if (task.attempt !== undefined) row['_ng_attempt_index'] = task.attempt;
  }
  const { termination } = outcome;
  if (termination !== undefined && termination !== 'completed') row['termination_reason'] ??= termination;
}

/** How the last model call ended. */
function stateOf({ steps, outcome }: Episode): Item {
  const reason = steps.at(-1)?.unfinished;
  if (reason !== undefined && reason !== 'incomplete') {
    return { status: 'incomplete', incomplete_details: { reason } };
  }
  return { status: outcome.termination === 'completed' ? 'completed' : null, incomplete_details: null };
}

function outputOf(messages: readonly Message[], steps: readonly Step[]): Item[] {
  const output: Item[] = [];
  const lastOf = new Map<number, Item>();
  for (const message of messages) {
    for (const item of itemsOf(message)) {
      output.push(item);
      if (message.origin === 'policy') lastOf.set(message.bornAtStep, item);
    }
  }
  for (const { index, tokens, unfinished } of steps) {
    const last = lastOf.get(index);
    if (last === undefined) continue;
    if (unfinished === 'incomplete') last['status'] = 'incomplete';
    if (tokens === undefined) continue;
    last['prompt_token_ids'] = tokens.promptIds;
    last['generation_token_ids'] = tokens.generationIds;
    // As the writer of these files has it, what is no number is null.
    if (tokens.logprobs !== undefined) last['generation_log_probs'] = [...tokens.logprobs];
  }
  return output;
}

function itemsOf(message: Message): Item[] {
  const { role, roleLabel, parts, msgId } = message;
  if (role === 'tool') return [resultOf(message)];
  if (role !== 'assistant') return [{ type: 'message', role: roleLabel ?? role, content: contentOf(parts) }];
  const items: Item[] = [];
  let said: Part[] = [];
  let thoughts: Part[] = [];
  for (const part of parts) {
    const isThought = part.kind === 'sealed' || (part.kind === 'reasoning' && part.form !== 'inline');
    if (part.kind === 'call' || isThought) finishSaid();
    if (!isThought || !fits(thoughts, part)) finishThoughts();
    if (isThought) thoughts.push(part);
    else if (part.kind === 'call') items.push(callOf(part.call));
    else said.push(part);
  }
  finishThoughts();
  if (said.length > 0 || items.length === 0) items.push(messageOf(said));
  return items;

  function finishSaid(): void {
    if (said.length > 0) items.push(messageOf(said));
    said = [];
  }
  function finishThoughts(): void {
    if (thoughts.length > 0) items.push(reasoningOf(thoughts, `rs_${msgId}_${items.length}`));
    thoughts = [];
  }
  function messageOf(content: readonly Part[]): Item {
    return {
      id: `msg_${msgId}`,
      type: 'message',
      role: roleLabel ?? role,
      status: 'completed',
      content: spokenParts(content),
    };
  }
}

/** One item holds summaries, then thoughts in full, then what is encrypted. */
const order = { summary: 0, full: 1, inline: 1 };

function rank(part: Part): number {
  return part.kind === 'reasoning' ? order[part.form] : 2;
}

function fits(thoughts: readonly Part[], next: Part): boolean {
  const last = thoughts.at(-1);
  return last === undefined || (rank(last) <= rank(next) && last.kind !== 'sealed');
}

function reasoningOf(thoughts: readonly Part[], id: string): Item {
  const texts = (form: string, type: string): Item[] =>
    thoughts.flatMap((part) =>
      part.kind === 'reasoning' && part.form === form ? [{ type, text: part.text }] : [],
    );
  const content = texts('full', 'reasoning_text');
  return {
    id,
    type: 'reasoning',
    summary: texts('summary', 'summary_text'),
    ...(content.length === 0 ? {} : { content }),
    encrypted_content: null,
  };
}

function callOf({
  callId,
  name,
  arguments: args,
}: {
  callId: string;
  name: string;
  arguments: string;
}): Item {
  return { type: 'function_call', call_id: callId, name, arguments: args, status: 'completed' };
}

function resultOf({ parts, toolResultFor, toolName }: Message): Item {
  const [callId] = toolResultFor ?? [];
  const [only] = parts;
  const object = only?.kind === 'json' && parts.length === 1 ? objectIn(only.text) : undefined;
  return {
    type: 'function_call_output',
    ...(callId === undefined ? {} : { call_id: callId }),
    ...(toolName === undefined ? {} : { name: toolName }),
    output: object ?? contentOf(parts),
  };
}

/** An object that is written as it stood there; of `{"a": 1.0}` the text is all there is. */
function objectIn(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) && JSON.stringify(value) === text ? value : undefined;
  } catch {
    return undefined;
  }
}

function contentOf(parts: readonly Part[]): string | unknown[] {
  const [only] = parts;
  if (parts.length === 1 && (only?.kind === 'text' || only?.kind === 'json')) return only.text;
  return parts.map((part) => partOf(part, 'input_text'));
}

/** Thoughts between tags were cut out of a text: they go back where they were. */
function spokenParts(parts: readonly Part[]): unknown[] {
  const spoken: unknown[] = [];
  let run: (Part & { kind: 'text' | 'reasoning' })[] = [];
  for (const part of parts) {
    if (part.kind === 'text' || part.kind === 'reasoning') {
      run.push(part);
      continue;
    }
    finish();
    spoken.push(partOf(part, 'output_text'));
  }
  finish();
  return spoken;

  function finish(): void {
    const text = run.map((part) => part.text).join('');
    const again = splitThoughts(text);
    const isWhole =
      again.length === run.length &&
      again.every(
        (part, index) => part.kind === run[index]?.kind && 'text' in part && part.text === run[index].text,
      );
    for (const each of isWhole && run.length > 0 ? [text] : run.map((part) => part.text)) {
      spoken.push({ type: 'output_text', text: each, annotations: [] });
    }
    run = [];
  }
}

function partOf(part: Part, textType: 'input_text' | 'output_text'): unknown {
  switch (part.kind) {
    case 'image':
      return {
        type: 'input_image',
        image_url: part.url,
        ...(part.detail === undefined ? {} : { detail: part.detail }),
      };
    case 'refusal':
      return { type: 'refusal', refusal: part.text };
    case 'unknown':
      return part.value;
    case 'call':
      return { type: textType, text: `${part.call.name}(${part.call.arguments})` };
    case 'sealed':
      return { type: textType, text: '[encrypted reasoning]' };
    case 'text':
    case 'reasoning':
    case 'json':
      return { type: textType, text: part.text };
  }
}
