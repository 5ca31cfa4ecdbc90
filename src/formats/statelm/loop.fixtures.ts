import * as fc from 'fast-check';

/**
 * StateLM's two loops, written as plainly as can be: everything is copied, nothing is shared with the code under test.
 * They run a plan and give the file that the loop would have written, and beside it what really happened.
 */

/** JSON text that is put into a file as it is: numbers and key order must survive. */
export class Raw {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Python's `json.dumps(value, ensure_ascii=False)`. */
export function dumps(value: unknown): string {
  if (value instanceof Raw) return value.text;
  if (Array.isArray(value)) {
    // Token ids are most of a file.
    const isPlain = value.every((each) => typeof each === 'number');
    return `[${(isPlain ? value : value.map(dumps)).join(', ')}]`;
  }
  if (typeof value === 'object' && value !== null) {
    return `{${Object.entries(value)
      .map(([key, each]) => `${JSON.stringify(key)}: ${dumps(each)}`)
      .join(', ')}}`;
  }
  return JSON.stringify(value);
}

/** What a tool can answer, and the same with the ids a render puts in. */
interface Answer {
  text: string;
  rendered(msgId: number, caller: number): string;
  progress?: string;
}

const ids = (msgId: number, caller: number): string =>
  `"msg_id": ${msgId}, "msg_id(invoking_assistant)": ${caller}`;

const answers: readonly Answer[] = [
  {
    text: '{"total": 1.0, "10": 5e-07, "2": 12345678901234567890}',
    rendered: (id, by) => `{"total": 1.0, "10": 5e-07, "2": 12345678901234567890, ${ids(id, by)}}`,
  },
  { text: '{}', rendered: (id, by) => `{${ids(id, by)}}` },
  {
    text: '{"msg_id": "mine", "é—中": [1.50, {}], "__proto__": null}',
    rendered: (id, by) =>
      `{"msg_id": ${id}, "é—中": [1.50, {}], "__proto__": null, "msg_id(invoking_assistant)": ${by}}`,
  },
  {
    text: '{"retrieved_chunk": "a \\"b\\" \\n", "reading_progress": "1/3"}',
    rendered: (id, by) => `{"retrieved_chunk": "a \\"b\\" \\n", "reading_progress": "1/3", ${ids(id, by)}}`,
    progress: '"1/3"',
  },
];

/** Only the RL loop passes on what is not JSON, or is written in another way than Python writes it. */
const roughAnswers: readonly Answer[] = [
  ...answers,
  { text: 'Error: no "luck"', rendered: (id, by) => `{"message": "Error: no \\"luck\\"", ${ids(id, by)}}` },
  { text: '[1, 2]', rendered: (id, by) => `{"message": "[1, 2]", ${ids(id, by)}}` },
  { text: '{"a":1.0,"a":2}', rendered: (id, by) => `{"a": 2, ${ids(id, by)}}` },
  { text: 'x'.repeat(900), rendered: (id, by) => `{"message": "${'x'.repeat(900)}", ${ids(id, by)}}` },
];

export type PlannedCall =
  | { tool: 'read'; answer: number }
  | { tool: 'note'; key: string; summary: string }
  | { tool: 'updateNote'; key: string; mode: 'append' | 'overwrite' | 'delete'; summary: string | null }
  | { tool: 'mergeNotes'; keys: string[]; newKey: string | null }
  /** Ids are counted back from the newest message: 1 is the assistant that asks, 0 its own result. */
  | { tool: 'delete'; back: number[]; broken: boolean };

export interface Plan {
  turns: { text: string; calls: PlannedCall[] }[];
  /** What an edit in the last turn runs into. */
  end: 'budget' | 'overflow';
  joinedNotes: boolean;
  keepsDeletedText: boolean;
}

const keys = fc.constantFrom('a', 'b', 'c');
const calls: fc.Arbitrary<PlannedCall> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ tool: fc.constant('read' as const), answer: fc.nat(7) }) },
  fc.record({
    tool: fc.constant('note' as const),
    key: keys,
    summary: fc.constantFrom('one', 'two — zwei', ''),
  }),
  fc.record({
    tool: fc.constant('updateNote' as const),
    key: keys,
    mode: fc.constantFrom('append' as const, 'overwrite' as const, 'delete' as const),
    summary: fc.constantFrom(null, 'new'),
  }),
  fc.record({
    tool: fc.constant('mergeNotes' as const),
    keys: fc.array(keys, { minLength: 1, maxLength: 3 }),
    newKey: fc.constantFrom(null, 'all', 'b'),
  }),
  {
    weight: 3,
    arbitrary: fc.record({
      tool: fc.constant('delete' as const),
      back: fc.array(fc.integer({ min: -3, max: 12 }), { maxLength: 4 }),
      broken: fc.boolean(),
    }),
  },
);

export const plans: fc.Arbitrary<Plan> = fc.record({
  turns: fc.array(
    fc.record({
      text: fc.constantFrom('think', '', '  spaced out \n', 'done \u3000'),
      calls: fc.array(calls, { maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 6 },
  ),
  end: fc.constantFrom('budget' as const, 'overflow' as const),
  joinedNotes: fc.boolean(),
  keepsDeletedText: fc.boolean(),
});

/** A chat message with its keys in the order they were written. */
export type Chat = Record<string, unknown>;

const stub = 'Content has been deleted to save space.';

/** The memory of notes, as the tools keep it. */
class Notes {
  all = new Map<string, { summary: string; content: string }>();

  run(call: PlannedCall): { tool: string; args: string; result: string } {
    if (call.tool === 'note') {
      this.all.set(call.key, { summary: call.summary, content: 'text' });
      return {
        tool: 'note',
        args: dumps({ key: call.key, summary: call.summary, content: 'text' }),
        result: dumps({ status: 'success', key: call.key }),
      };
    }
    if (call.tool === 'updateNote') {
      const known = this.all.get(call.key);
      const args = dumps({ key: call.key, mode: call.mode, new_content: 'more', new_summary: call.summary });
      if (known === undefined) {
        return { tool: 'updateNote', args, result: dumps({ error: `Note '${call.key}' not found!` }) };
      }
      if (call.mode === 'delete') this.all.delete(call.key);
      else {
        known.content = call.mode === 'append' ? `${known.content}\nmore` : 'more';
        known.summary = call.summary ?? known.summary;
      }
      return { tool: 'updateNote', args, result: dumps({ status: 'success', key: call.key, message: 'ok' }) };
    }
    if (call.tool !== 'mergeNotes') throw new Error('no note call');
    const args = dumps({ keys: call.keys, new_key: call.newKey });
    const merged: { key: string; summary: string; content: string }[] = [];
    for (const key of call.keys) {
      const note = this.all.get(key);
      if (note !== undefined) merged.push({ key, ...note });
      this.all.delete(key);
    }
    if (merged.length === 0)
      return { tool: 'mergeNotes', args, result: dumps({ error: 'No notes found to merge.' }) };
    const newKey = call.newKey ?? merged.map(({ key }) => key).join('_');
    this.all.set(newKey, {
      summary: merged.map(({ summary }) => summary).join('  '),
      content: merged.map(({ content }) => content).join('\n'),
    });
    return {
      tool: 'mergeNotes',
      args,
      result: dumps({ status: 'success', new_key: newKey, merged_from: merged.map(({ key }) => key) }),
    };
  }

  lines(): string {
    if (this.all.size === 0) return 'No notes recorded.';
    return [...this.all].map(([key, { summary }]) => `- **${key}**: ${summary}`).join('\n');
  }

  block(joined: boolean): string {
    const head = '\n\n<external_memory>\n## Available Notes\n';
    const text =
      joined && this.all.size > 0 ? this.lines().replaceAll('\n', `${head}\n`) : head + this.lines();
    return `${text}\n</external_memory>`;
  }
}

interface Kept {
  role: 'user' | 'assistant' | 'tool';
  msgId: number;
  text: string;
  calls: { id: string; name: string; args: string }[];
  caller: number;
  tool: string;
  answer: Answer | undefined;
}

function plainAnswer(text: string): Answer {
  return {
    text,
    rendered: (id, by) =>
      text.startsWith('{')
        ? `${text.slice(0, -1)}, ${ids(id, by)}}`
        : `{"message": ${JSON.stringify(text)}, ${ids(id, by)}}`,
  };
}

function toolContent(message: Kept, deleted: ReadonlySet<number>): string {
  if (!deleted.has(message.msgId)) return message.answer?.rendered(message.msgId, message.caller) ?? '';
  const progress = message.answer?.progress;
  return (
    `{${ids(message.msgId, message.caller)}, "status": "success", "message": "${stub}", ` +
    `"original_tool": "${message.tool}"${progress === undefined ? '' : `, "reading_progress": ${progress}`}}`
  );
}

const strip = (text: string): string => text.trim();

const stubCalls = (message: Kept): Chat[] =>
  message.calls.map(({ id, name }) => ({
    id,
    type: 'function',
    function: { name, arguments: `{"message": "${stub}"}` },
  }));

const toIds = (text: string): number[] => Array.from(text, (char) => char.codePointAt(0) ?? 0);

/** What the RL loop did with a plan. */
export interface RlRun {
  /** The file: the fields of `AgentData`, as JSON text. */
  text: string;
  /** The messages as the policy saw them at each step. */
  views: Chat[][];
  /** Notes and deleted ids that each step found. */
  notes: string[];
  deleted: number[][];
  /** The response mask before each emission, and at the end. */
  masks: number[][];
  emissions: number[][];
  prompts: number[][];
  snapshots: { history: number; deleted: number[]; mask: number[]; context: number[] }[];
}

export function runRl(plan: Plan): RlRun {
  const question = 'Which door is open?';
  const history: Kept[] = [
    { role: 'user', msgId: 0, text: question, calls: [], caller: -1, tool: '', answer: undefined },
  ];
  const notes = new Notes();
  const deleted = new Set<number>();
  const run: RlRun = {
    text: '',
    views: [],
    notes: [],
    deleted: [],
    masks: [],
    emissions: [],
    prompts: [],
    snapshots: [],
  };
  const boundaries: [number, number][] = [];
  const fileSnapshots: unknown[] = [];
  let mask: number[] = [];
  let logprobs: number[] = [];
  let context: number[] = [];
  let seen: Chat[] = [];

  const render = (): void => {
    seen = history.map((message, index): Chat => {
      if (message.role === 'user') {
        return { role: 'user', content: message.text + (index === 0 ? notes.block(plan.joinedNotes) : '') };
      }
      if (message.role === 'tool') return { role: 'tool', content: toolContent(message, deleted) };
      const gone = deleted.has(message.msgId);
      return {
        role: 'assistant',
        content: gone ? stub : strip(message.text),
        ...(message.calls.length === 0 ? {} : { tool_calls: gone ? stubCalls(message) : chatCalls(message) }),
      };
    });
    const turns = seen.map((chat) => {
      const written = Array.isArray(chat['tool_calls']) ? chat['tool_calls'].map(dumps).join('') : '';
      return `<|im_start|>${String(chat['role'])}\n${String(chat['content'])}${written}<|im_end|>\n`;
    });
    context = toIds(`${turns.join('')}<|im_start|>assistant\n`);
  };

  render();
  for (const [step, turn] of plan.turns.entries()) {
    const isLast = step === plan.turns.length - 1;
    run.views.push([...seen]);
    run.notes.push(notes.lines());
    run.deleted.push([...deleted]);
    run.masks.push([...mask]);
    run.prompts.push([...context]);

    const assistant: Kept = {
      role: 'assistant',
      msgId: history.length,
      text: turn.text,
      calls: [],
      caller: -1,
      tool: '',
      answer: undefined,
    };
    history.push(assistant);
    const results = turn.calls.map((call, index) => {
      const done = runCall(call, history.length + index, notes);
      assistant.calls.push({ id: `call_${step}_${index}`, name: done.tool, args: done.args });
      return done;
    });
    const said = assistant.calls.map(
      ({ name, args }) =>
        `<tool_call>{"name": "${name}", "arguments": ${isArgs(args) ? args : JSON.stringify(args)}}</tool_call>`,
    );
    const emission = toIds(turn.text + said.join(''));
    run.emissions.push(emission);
    boundaries.push([mask.length, mask.length + emission.length]);
    context = context.concat(emission);
    mask = mask.concat(emission.map(() => 1));
    logprobs = logprobs.concat(emission.map((_, index) => -index / 8));
    seen = [
      ...seen,
      {
        role: 'assistant',
        content: turn.text,
        ...(said.length === 0 ? {} : { tool_calls: chatCalls(assistant) }),
      },
    ];

    for (const done of results) {
      history.push({
        role: 'tool',
        msgId: history.length,
        text: '',
        calls: [],
        caller: assistant.msgId,
        tool: done.tool,
        answer: done.answer,
      });
    }
    const edits = results.flatMap(({ deletes }) => (deletes === undefined ? [] : [deletes]));
    if (edits.length > 0) {
      run.snapshots.push({
        history: history.length,
        deleted: [...deleted],
        mask: [...mask],
        context: [...context],
      });
      fileSnapshots.push({
        prompt_ids: [...context],
        response_ids: emission,
        response_mask: [...mask],
        response_logprobs: [...logprobs],
        deleted_msg_ids: [...deleted],
        // As many as the loop has, but empty: they are those of the whole file, and copies of copies grow large.
        emission_views: run.prompts.map(() => []),
        assistant_turn_boundaries: [...boundaries],
      });
      mask = mask.map(() => 0);
      for (const id of edits.flat()) deleted.add(id);
      if (!isLast || plan.end === 'overflow') render();
    } else if (!isLast) {
      const appended = results.map(({ answer }): Chat => ({ role: 'tool', content: answer.text }));
      const text = appended
        .map((chat) => `<|im_start|>tool\n${String(chat['content'])}<|im_end|>\n`)
        .join('');
      const tokens = toIds(`${text}<|im_start|>assistant\n`);
      context = context.concat(tokens);
      mask = mask.concat(tokens.map(() => 0));
      logprobs = logprobs.concat(tokens.map(() => 0));
      seen = seen.concat(appended);
    }
  }
  run.masks.push([...mask]);
  run.notes.push(notes.lines());
  run.deleted.push([...deleted]);

  const cut = (prompt: number[], ones: number[], isSnapshot: boolean): unknown => ({
    // Python: a negative end counts from the back, and [-0:] is everything.
    prompt_ids: prompt.slice(0, prompt.length - ones.length),
    response_ids: ones.length === 0 ? prompt : prompt.slice(-ones.length),
    response_mask: ones,
    response_logprobs: logprobs.slice(0, ones.length),
    num_turns: plan.turns.length,
    extra_fields: { turn_scores: [], tool_rewards: [], is_snapshot: isSnapshot },
  });
  run.text = dumps({
    request_id: 'r',
    config: { response_length: 100_000, max_model_length: 200_000 },
    full_history: [{ role: 'user', content: question }, ...fileHistory(history)],
    deleted_msg_ids: [...deleted],
    msg_id_counter: history.length,
    prompt_ids: context,
    response_mask: mask,
    response_logprobs: logprobs,
    emission_views: run.prompts,
    assistant_turn_boundaries: boundaries,
    trajectory_snapshots: fileSnapshots,
    had_delete_operation: fileSnapshots.length > 0,
    metrics: {},
    turn_scores: [],
    tool_rewards: [],
    trajectories: [
      ...run.snapshots.map((snapshot) => cut(snapshot.context, snapshot.mask, true)),
      cut(context, mask, false),
    ],
  });
  return run;
}

function chatCalls(message: Kept): Chat[] {
  return message.calls.map(({ id, name, args }) => ({
    id,
    type: 'function',
    function: { name, arguments: args },
  }));
}

function isArgs(args: string): boolean {
  return args.startsWith('{') && args.endsWith('}');
}

interface Done {
  tool: string;
  args: string;
  answer: Answer;
  /** The ids it deleted; undefined where it was no delete, or failed. */
  deletes?: number[];
}

function runCall(call: PlannedCall, resultId: number, notes: Notes): Done {
  if (call.tool === 'read') {
    const answer = roughAnswers[call.answer % roughAnswers.length] ?? plainAnswer('{}');
    return { tool: 'readChunk', args: dumps({ chunk_id: call.answer }), answer };
  }
  if (call.tool !== 'delete') {
    const { tool, args, result } = notes.run(call);
    return { tool, args, answer: plainAnswer(result) };
  }
  if (call.broken) {
    return {
      tool: 'deleteContext',
      args: '{"message_ids": [',
      answer: plainAnswer('Error when executing tool: broken'),
    };
  }
  const asked = call.back.map((back) => resultId - back);
  return {
    tool: 'deleteContext',
    args: dumps({ message_ids: asked.length === 1 ? asked[0] : asked }),
    answer: plainAnswer(`Successfully deleted ${asked.length} message(s) from context.`),
    deletes: asked,
  };
}

function fileHistory(history: readonly Kept[]): unknown[] {
  return history.map((message) => {
    if (message.role === 'user') return { role: 'user', content: message.text, msg_id: message.msgId };
    if (message.role === 'assistant') {
      return {
        role: 'assistant',
        content: [{ text: message.text }],
        tool_calls: chatCalls(message),
        msg_id: message.msgId,
      };
    }
    return {
      role: 'tool',
      content: message.answer?.text ?? '',
      tool_name: message.tool,
      msg_id: message.msgId,
      'msg_id(invoking_assistant)': message.caller,
    };
  });
}

/** What the inference loop did with a plan. */
export interface InferenceRun {
  /** `inference_result.json` and `api_calls.json`, as JSON text. */
  result: string;
  calls: string;
  /** What was sent call by call, and what would have been sent next. */
  views: Chat[][];
}

export function runInference(plan: Plan): InferenceRun {
  const question = 'Who lit it?';
  const notes = new Notes();
  const deleted = new Set<number>();
  const history: Kept[] = [];
  const views: Chat[][] = [];
  const outputs: Chat[] = [];

  const render = (): Chat[] => [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: question + notes.block(false) },
    ...history.map((message): Chat => {
      if (message.role === 'tool') {
        return { role: 'tool', content: toolContent(message, deleted), tool_call_id: message.calls[0]?.id };
      }
      const gone = deleted.has(message.msgId);
      const text = strip(message.text);
      if (message.calls.length === 0)
        return { role: 'assistant', content: gone ? stub : text === '' ? null : text };
      if (!gone)
        return { role: 'assistant', content: text === '' ? null : text, tool_calls: sdkCalls(message) };
      return {
        role: 'assistant',
        content: plan.keepsDeletedText ? text : stub,
        tool_calls: stubCalls(message),
      };
    }),
  ];

  for (const [step, turn] of plan.turns.entries()) {
    views.push(render());
    const msgId = history.length + 1;
    const assistant: Kept = {
      role: 'assistant',
      msgId,
      text: turn.text,
      calls: [],
      caller: -1,
      tool: '',
      answer: undefined,
    };
    const [first, ...others] = turn.calls;
    if (first !== undefined) {
      const done = callOnce(first, msgId, history, notes, deleted);
      assistant.calls.push({ id: `call_${step}`, name: done.tool, args: done.args });
      // More calls may be emitted, but only the first is run.
      for (const [index] of others.entries()) {
        assistant.calls.push({ id: `more_${step}_${index}`, name: 'readChunk', args: '{}' });
      }
      history.push(assistant, {
        role: 'tool',
        msgId: msgId + 1,
        text: '',
        calls: [{ id: `call_${step}`, name: '', args: '' }],
        caller: msgId,
        tool: done.tool,
        answer: done.answer,
      });
    } else history.push(assistant);
    outputs.push({
      choices: [{ message: { role: 'assistant', content: turn.text, tool_calls: sdkCalls(assistant) } }],
    });
    if (first === undefined) break;
  }
  views.push(render());
  const sent = views.slice(0, -1);
  return {
    views,
    result: dumps({
      timestamp: 't',
      session_id: 's',
      system_prompt: 'Be brief.',
      query: question,
      result_info: { final_answer: 'x', message_count: history.length, last_payload: views.at(-1) },
      full_history: [
        { role: 'user', content: question },
        ...history.map((message) =>
          message.role === 'assistant'
            ? {
                role: 'assistant',
                content: [{ type: 'text', text: message.text }],
                tool_calls: message.calls.length === 0 ? null : sdkCalls(message),
                msg_id: message.msgId,
              }
            : {
                role: 'tool',
                content: new Raw(message.answer?.text ?? '{}'),
                msg_id: message.msgId,
                'msg_id(invoking_assistant)': message.caller,
                tool_use_id: message.calls[0]?.id,
                tool_name: message.tool,
              },
        ),
      ],
    }),
    calls: dumps(
      sent.map((messages, index) => ({
        timestamp: 't',
        call_index: index + 1,
        session_id: 's',
        api_input: { model: 'StateLM-8B', messages, tools: [] },
        api_output: outputs[index],
      })),
    ),
  };
}

/** In the order in which the client library writes a call. */
function sdkCalls(message: Kept): Chat[] {
  return message.calls.map(({ id, name, args }) => ({
    id,
    function: { arguments: args, name },
    type: 'function',
  }));
}

function callOnce(
  call: PlannedCall,
  msgId: number,
  history: readonly Kept[],
  notes: Notes,
  deleted: Set<number>,
): Done {
  if (call.tool === 'read') {
    const answer = answers[call.answer % answers.length] ?? plainAnswer('{}');
    return { tool: 'readChunk', args: dumps({ chunk_id: call.answer }), answer };
  }
  if (call.tool !== 'delete') {
    const { tool, args, result } = notes.run(call);
    return { tool, args, answer: plainAnswer(result) };
  }
  const [back] = call.back;
  if (back === undefined) {
    return { tool: 'deleteContext', args: '{}', answer: plainAnswer(dumps({ error: 'msg_id is required' })) };
  }
  const id = msgId + 1 - back;
  const args = dumps({ msg_id: call.broken ? String(id) : id });
  const role = id === msgId ? 'assistant' : history.find((message) => message.msgId === id)?.role;
  if (role === undefined) {
    return { tool: 'deleteContext', args, answer: plainAnswer(dumps({ error: `msg_id ${id} not found` })) };
  }
  deleted.add(id);
  const result = dumps({ status: 'success', deleted_msg_id: id, deleted_role: role });
  return { tool: 'deleteContext', args, answer: plainAnswer(result) };
}
