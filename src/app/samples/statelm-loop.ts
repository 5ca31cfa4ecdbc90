import { randomFrom } from './random';

/**
 * StateLM's training loop, as far as a sample needs it: runs a script of turns and gives the record that the loop would
 * have written. Its tokens are characters, so that the record can be read without a tokenizer.
 */

export interface ScriptedTurn {
  say: string;
  call: { name: string; args: Record<string, unknown> };
  /** What the tool answers; notes and deletes answer for themselves. */
  answer?: Record<string, unknown>;
}

export interface Script {
  id: string;
  question: string;
  turns: ScriptedTurn[];
}

interface Entry {
  role: 'user' | 'assistant' | 'tool';
  text: string;
  call?: { id: string; name: string; args: string };
  /** The assistant that asked, and what for. */
  caller?: number;
  tool?: string;
}

const stub = 'Content has been deleted to save space.';

export function recordOf({ id, question, turns }: Script, seed: number): string {
  const random = randomFrom(seed);
  const history: Entry[] = [{ role: 'user', text: question }];
  const notes = new Map<string, string>();
  const deleted = new Set<number>();
  const prompts: number[][] = [];
  const boundaries: [number, number][] = [];
  const snapshots: Record<string, unknown>[] = [];
  let mask: number[] = [];
  let logprobs: number[] = [];
  let context = idsOf(rendered(history, notes, deleted));

  for (const [step, { say, call, answer }] of turns.entries()) {
    prompts.push(context);
    const args = python(call.args);
    const emission = idsOf(`${say}${callText(call.name, args)}`);
    boundaries.push([mask.length, mask.length + emission.length]);
    context = context.concat(emission);
    mask = mask.concat(emission.map(() => 1));
    logprobs = logprobs.concat(emission.map(() => -Math.round(1e4 * 3 * random.next() ** 5) / 1e4));

    const caller = history.length;
    history.push({ role: 'assistant', text: say, call: { id: `call_${step}`, name: call.name, args } });
    const result = answerOf(call.name, call.args, answer, notes);
    history.push({ role: 'tool', text: result, caller, tool: call.name });
    if (step === turns.length - 1) break;

    if (call.name === 'deleteContext') {
      snapshots.push({
        prompt_ids: context,
        response_ids: emission,
        response_mask: mask,
        response_logprobs: logprobs,
        deleted_msg_ids: [...deleted],
        emission_views: prompts.map(() => []),
        assistant_turn_boundaries: [...boundaries],
      });
      mask = mask.map(() => 0);
      for (const msgId of idsIn(call.args)) deleted.add(msgId);
      context = idsOf(rendered(history, notes, deleted));
    } else {
      const appended = idsOf(`${turnText('tool', result)}${opening('assistant')}`);
      context = context.concat(appended);
      mask = mask.concat(appended.map(() => 0));
      logprobs = logprobs.concat(appended.map(() => 0));
    }
  }
  const end = { prompt_ids: context, response_mask: mask };
  return JSON.stringify({
    request_id: id,
    config: { response_length: 8192, max_model_length: 16_384 },
    full_history: [{ role: 'user', content: question }, ...history.map(recorded)],
    deleted_msg_ids: [...deleted],
    msg_id_counter: history.length,
    ...end,
    response_logprobs: logprobs,
    emission_views: prompts,
    assistant_turn_boundaries: boundaries,
    trajectory_snapshots: snapshots,
    had_delete_operation: snapshots.length > 0,
    metrics: { num_snapshots: snapshots.length },
    trajectories: [...snapshots, end].map((moment, nth) =>
      sliced(moment, logprobs, turns.length, nth < snapshots.length),
    ),
  });
}

/** A sample as the loop slices it: the last `len(mask)` tokens, also when there are fewer. */
function sliced(moment: Record<string, unknown>, logprobs: number[], turns: number, isSnapshot: boolean) {
  const context = numbers(moment['prompt_ids']);
  const mask = numbers(moment['response_mask']);
  return {
    prompt_ids: context.slice(0, context.length - mask.length),
    response_ids: context.slice(-mask.length),
    response_mask: mask,
    response_logprobs: logprobs.slice(0, mask.length),
    num_turns: turns,
    extra_fields: { turn_scores: [], tool_rewards: [], is_snapshot: isSnapshot },
  };
}

function numbers(value: unknown): number[] {
  return Array.isArray(value) ? value.map(Number) : [];
}

function idsIn(args: Record<string, unknown>): number[] {
  return numbers(args['message_ids']);
}

function answerOf(
  tool: string,
  args: Record<string, unknown>,
  answer: Record<string, unknown> | undefined,
  notes: Map<string, string>,
): string {
  if (tool === 'deleteContext') return `Successfully deleted ${idsIn(args).length} message(s) from context.`;
  if (tool === 'note') {
    notes.set(String(args['key']), String(args['summary']));
    return python({ status: 'success', key: args['key'] });
  }
  return python(answer ?? { status: 'success' });
}

function recorded({ role, text, call, caller, tool }: Entry, msgId: number): Record<string, unknown> {
  if (role === 'user') return { role, content: text, msg_id: msgId };
  if (role === 'tool') {
    return { role, content: text, tool_name: tool, msg_id: msgId, 'msg_id(invoking_assistant)': caller };
  }
  const calls =
    call === undefined
      ? []
      : [{ id: call.id, type: 'function', function: { name: call.name, arguments: call.args } }];
  return { role, content: [{ text }], tool_calls: calls, msg_id: msgId };
}

/** The whole context anew, with stubs for what is deleted and the notes behind the question. */
function rendered(
  history: readonly Entry[],
  notes: ReadonlyMap<string, string>,
  deleted: ReadonlySet<number>,
): string {
  const lines = Array.from(notes, ([key, summary]) => `- **${key}**: ${summary}`).join('\n');
  const block = `\n\n<external_memory>\n## Available Notes\n${lines || 'No notes recorded.'}\n</external_memory>`;
  const turns = history.map(({ role, text, call, caller, tool }, msgId) => {
    const gone = deleted.has(msgId);
    if (role === 'user') return turnText(role, text + block);
    if (role === 'tool') {
      const ids = `"msg_id": ${msgId}, "msg_id(invoking_assistant)": ${caller}`;
      const kept = text.startsWith('{')
        ? `${text.slice(0, -1)}, ${ids}}`
        : `{"message": ${python(text)}, ${ids}}`;
      return turnText(
        role,
        gone ? `{${ids}, "status": "success", "message": "${stub}", "original_tool": "${tool}"}` : kept,
      );
    }
    const args = gone ? python({ message: stub }) : (call?.args ?? '{}');
    return turnText(role, `${gone ? stub : text}${call === undefined ? '' : callText(call.name, args)}`);
  });
  return `${turns.join('')}${opening('assistant')}`;
}

const opening = (role: string): string => `<|im_start|>${role}\n`;
const turnText = (role: string, text: string): string => `${opening(role)}${text}<|im_end|>\n`;
const callText = (name: string, args: string): string =>
  `<tool_call>{"name": "${name}", "arguments": ${args}}</tool_call>`;
const idsOf = (text: string): number[] => Array.from(text, (character) => character.codePointAt(0) ?? 0);

/** JSON with the spaces that Python's `json.dumps` puts in. */
function python(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(python).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}: ${python(each)}`);
  return `{${entries.join(', ')}}`;
}
