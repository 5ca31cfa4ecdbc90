import type { Fixture } from '../harness.fixtures';

/** Small records, one for each thing that real files have. */

type Item = Record<string, unknown>;

export const user = (content: unknown): Item => ({ type: 'message', role: 'user', content });
export const said = (text: string): Item => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text, annotations: [] }],
});
export const call = (id: string, name = 'add', args = '{"n":1}'): Item => ({
  type: 'function_call',
  id: null,
  call_id: id,
  name,
  arguments: args,
});
export const result = (id: string, output: unknown = 'ok'): Item => ({
  type: 'function_call_output',
  call_id: id,
  output,
});
export const thought = (...texts: string[]): Item => ({
  type: 'reasoning',
  id: 'rs_1',
  summary: texts.map((text) => ({ type: 'summary_text', text })),
  encrypted_content: null,
});

export function rollout(input: unknown, output: unknown, more: Item = {}, response: Item = {}): Item {
  return {
    responses_create_params: { input, tools: [], metadata: null },
    response: { id: 'resp_1', model: 'policy', object: 'response', output, status: null, ...response },
    reward: 1,
    ...more,
  };
}

const counter = {
  type: 'function',
  name: 'add',
  description: 'Adds to the counter.',
  parameters: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
  strict: true,
};

const hidden = '[Previous environment state - hidden]';
const state = (n: number): Item => ({ ...user(`state ${n}`), is_env_state: true });
const png = 'data:image/png;base64,iVBORw0KGgo=';

const rollouts = {
  'a tool call and its result': rollout(
    [{ role: 'developer', content: 'Count.' }, user('Add 1.')],
    [thought('One more.'), call('c1'), result('c1', '{"count":1}'), said('It is 1.')],
    {
      _ng_task_index: 17,
      _ng_rollout_index: 3,
      agent_ref: { name: 'simple_agent' },
      hit: true,
      'OCR/Regular Text': 0.5,
    },
    {
      tools: [counter],
      status: 'completed',
      usage: { input_tokens: 5, output_tokens: 7, total_tokens: 12 },
    },
  ),
  'a string as input': rollout('Add 1.', [said('2')]),
  'an empty input': rollout([], [said('2')]),
  'items without a type': rollout(
    [{ role: 'user', content: 'Add 1.' }],
    [{ role: 'assistant', content: '2' }],
  ),
  'instructions beside the input': {
    ...rollout([], [said('2')]),
    responses_create_params: { input: 'Add 1.', instructions: 'Count.' },
  },
  'turns of the environment in the output': rollout(
    [{ type: 'message', role: 'system', content: 'Blackjack.' }, user('hand: 8 5')],
    [said('hit'), user('hand: 8 5 3'), said('hit'), { role: 'system', content: 'bust' }],
    { reward: -1, terminated: true, truncated: false },
  ),
  'the conversation so far in the input': rollout(
    [
      user('Cancel it.'),
      thought('Look.'),
      call('c0', 'find'),
      result('c0'),
      said('Which one?'),
      user('That.'),
    ],
    [call('c1', 'cancel'), result('c1'), said('Done.')],
  ),
  'parallel calls': rollout('Add 2.', [call('c1'), call('c2'), result('c1'), result('c2'), said('2')]),
  'reasoning after its call': rollout('Add 1.', [call('c1'), thought('I add.'), result('c1'), said('1')]),
  'one result for several calls': rollout('List.', [
    said('Two commands.'),
    call('call_0_1', 'bash'),
    call('call_0_2', 'bash'),
    result('call_0_1', '$ ls\n$ pwd'),
    said('Done.'),
  ]),
  'calls that were never answered': rollout('Add.', [
    call('c1'),
    said('and'),
    call('c2'),
    call('c3'),
    result('c3'),
  ]),
  'a result that nothing called': rollout('Finish.', [
    said('{"done":true}'),
    result('call_87', 'Are you sure?'),
  ]),
  'reasoning in all its forms': rollout('Think.', [
    thought('First.', 'Second.'),
    thought(),
    { type: 'reasoning', summary: [], content: [{ type: 'reasoning_text', text: 'All of it.' }] },
    { type: 'reasoning', summary: [], encrypted_content: 'gAAAAABo' },
    said('4'),
  ]),
  'thoughts in the text': rollout('2+2?', [
    said('<think>\nTwo and two.\n</think>\n\n4'),
    user('3+3?'),
    said('three and three</think>6'),
    user('4+4?'),
    said('<think>it was cut o'),
  ]),
  'images and other parts': rollout(
    [
      user([
        { type: 'input_text', text: 'What is it?' },
        { type: 'input_image', detail: 'auto', image_url: png },
        { type: 'image_url', image_url: { url: png, detail: 'low' } },
        { type: 'input_file', file_id: 'file_1' },
        { type: 'input_audio', input_audio: { data: 'AA==', format: 'wav' } },
      ]),
    ],
    [
      call('c1', 'look'),
      result('c1', [
        { type: 'input_text', text: 'seen' },
        { type: 'input_image', image_url: png },
      ]),
      { type: 'message', role: 'assistant', content: [{ type: 'refusal', refusal: 'I will not say.' }] },
    ],
  ),
  'items of a provider': rollout('Search.', [
    { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { query: 'x' } },
    { type: 'custom_tool_call', call_id: 'c1', name: 'python', input: 'print(1)' },
    { type: 'custom_tool_call_output', call_id: 'c1', output: '1' },
    { type: 'computer_call', call_id: 'c2', action: { type: 'click' } },
    { type: 'computer_call_output', call_id: 'c2', output: { type: 'computer_screenshot' } },
    said('Found.'),
  ]),
  'an empty output': rollout([user('Fix it.')], [], {
    model_patch: 'diff --git a/x b/x',
    resolved: false,
    reward: 0,
  }),
  'a cut-off answer': rollout(
    'Write.',
    [thought('Long.')],
    {},
    { incomplete_details: { reason: 'max_output_tokens' } },
  ),
  'an error of the provider': rollout(
    'Write.',
    [said('Wr')],
    {},
    {
      status: 'failed',
      error: { code: 'server_error', message: 'overloaded' },
    },
  ),
  'token ids': rollout('Add 1.', [
    thought('One.'),
    {
      ...call('c1'),
      prompt_token_ids: [1, 2],
      generation_token_ids: [3, 4],
      generation_log_probs: [-0.5, null],
    },
    result('c1'),
    {
      ...said('1'),
      prompt_token_ids: [1, 2, 3, 4, 5],
      generation_token_ids: [6],
      generation_log_probs: [-1],
    },
  ]),
  'empty token ids': rollout('Add 1.', [
    { ...said('1'), prompt_token_ids: [], generation_token_ids: [], generation_log_probs: [] },
  ]),
  'token ids that are none': rollout('Add 1.', [
    { ...said('1'), prompt_token_ids: [1], generation_token_ids: ['x'] },
  ]),
  'a reward of several components': rollout('Add 1.', [said('1')], {
    reward: 1.5,
    reward_components: { correctness: 1, format: 0.5, note: 'n/a' },
    reward_style: 0,
    correctness: 1,
  }),
  'breakdowns elsewhere': rollout('Add 1.', [said('1')], {
    result: { reward_info: { reward_breakdown: { DB: 1 } }, termination_reason: 'user_stop' },
    info: { reward_terms: { speed: 0.25 } },
    all_attempts: [{ reward: 0 }, { reward: 1 }],
    verifier_metadata: { osworld_steps: [{ reward: 0.1 }] },
  }),
  'no reward': { ...rollout('Add 1.', [said('1')]), reward: undefined },
  'a reward that is none': rollout('Add 1.', [said('1')], { reward: null }),
  'snapshots that grow': rollout(
    [],
    [
      [user('2+3?'), call('c1'), call('c2'), result('c1'), result('c2')],
      [user('2+3?'), call('c1'), call('c2'), result('c1'), result('c2'), call('c3'), result('c3')],
      [user('2+3?'), call('c1'), call('c2'), result('c1'), result('c2'), call('c3'), result('c3'), said('5')],
    ],
    { task_idx: 4 },
    { contains_transitions: true, tools: [counter] },
  ),
  'snapshots that start with the request': rollout(
    [{ role: 'system', content: 'Count.' }],
    [
      [{ type: 'message', role: 'system', content: 'Count.' }, user('go'), call('c1'), result('c1')],
      [
        { type: 'message', role: 'system', content: 'Count.' },
        user('go'),
        call('c1'),
        result('c1'),
        said('1'),
      ],
    ],
    {},
    { contains_transitions: true },
  ),
  'snapshots that hide old states': rollout(
    [],
    [
      [user(hidden), call('c1'), result('c1'), state(1)],
      [user(hidden), call('c1'), result('c1'), user(hidden), call('c2'), result('c2'), state(2)],
      [
        user(hidden),
        call('c1'),
        result('c1'),
        user(hidden),
        call('c2'),
        result('c2'),
        user(hidden),
        call('c3'),
        result('c3'),
        state(3),
      ],
    ],
    {},
    { contains_transitions: true },
  ),
  'snapshots that leave old turns out': rollout(
    [user('Click.')],
    [
      [user('Click.'), state(0), thought('a'), call('c1'), result('c1', 'one')],
      [user('Click.'), state(0), user('[omitted]'), call('c2'), result('c2', 'two')],
      [user('Click.'), state(0), user('[omitted]'), call('c3'), result('c3', 'three')],
    ],
    {},
    { contains_transitions: true },
  ),
  'snapshots without old reasoning': rollout(
    [],
    [
      [user('go'), thought('first'), call('c1'), result('c1')],
      [user('go'), call('c1'), result('c1'), thought('then'), call('c2'), result('c2')],
    ],
    {},
    { contains_transitions: true },
  ),
  'hostile keys': JSON.parse(
    JSON.stringify(rollout('Add 1.', [said('1')])).replace(
      '"reward":1',
      '"reward":1,"__proto__":7,"constructor":true',
    ),
  ),
} satisfies Record<string, unknown>;

export type RolloutName = keyof typeof rollouts;

/** As a reader would hand it over: what JSON cannot say is gone. */
export function rolloutNamed(name: RolloutName): unknown {
  return JSON.parse(JSON.stringify(rollouts[name]));
}

const others: Fixture[] = [
  {
    name: 'a failed attempt',
    format: 'nemo_gym_failure',
    value: {
      responses_create_params: { input: 'Add 1.' },
      _ng_task_index: 2,
      _ng_rollout_index: 0,
      _ng_attempt_index: 1,
      _ng_failure_class: 'timeout_exceeded',
      _ng_failure_terminal: false,
    },
  },
  {
    name: 'a task',
    format: 'nemo_gym_task_input',
    value: {
      responses_create_params: { input: [{ role: 'user', content: 'Add 1.' }], tools: [counter] },
      expected_count: 6,
      initial_count: 3,
      id: 9,
    },
  },
  {
    name: 'a planned rollout',
    format: 'nemo_gym_task_input',
    value: { responses_create_params: { input: 'Add 1.' }, _ng_task_index: 0, _ng_rollout_index: 4 },
  },
  {
    name: 'a reward profile',
    format: 'nemo_gym_reward_profiling',
    value: {
      _ng_task_index: 28,
      'mean/reward': 0.5,
      'std/reward': 0.5,
      sample: { responses_create_params: { input: [user('Add 1.')] }, agent_ref: { name: 'simple_agent' } },
      rollout_infos: [
        { rollout_id: '28:0', reward: 1 },
        { rollout_id: '28:1', reward: 0 },
      ],
    },
  },
  {
    name: 'aggregate metrics',
    format: 'nemo_gym_aggregate_metrics',
    value: {
      agent_ref: { name: 'simple_agent' },
      agent_metrics: { 'mean/reward': 0.2, 'pass@1/reward': 0.2 },
      key_metrics: { 'mean/reward': 0.2 },
      group_level_metrics: [{ _ng_task_index: 0, 'mean/reward': 0.2 }],
    },
  },
  {
    name: 'agent metrics',
    format: 'nemo_gym_agent_metrics',
    value: { 'mean/reward': 0.4, 'max/hit': 1, agent_ref: { name: 'simple_agent' } },
  },
  {
    name: "a row of the environment's own",
    format: 'nemo_gym_custom_row',
    value: {
      provenance_id: 'age-1',
      policy_response: 'The older one.',
      reward_answer: 1,
      reward_style: 0.5,
      reward: 0.5,
    },
  },
  {
    name: 'a row without an answer',
    format: 'nemo_gym_custom_row',
    value: { question: 'Who?', agent_ref: { name: 'a' }, reward: 0.5 },
  },
];

/** One exchange with the model server, as `<rollout_id>.capture.jsonl` has it. */
export function exchange(nth: number, dialect: string, request: Item, response: Item | null): Item {
  return {
    model_call_id: `call-${nth}`,
    dialect,
    model_ref: { type: 'responses_api_models', name: 'policy_model' },
    started_at: 1000 + nth,
    completed_at: 1000.5 + nth,
    latency_ms: 500,
    latency_ttft_ms: 80,
    status_code: response === null ? 503 : 200,
    error_category: response === null ? 'upstream_error' : null,
    request,
    response,
  };
}

const turn1 = [thought('One more.'), call('c1')];
const turn2 = [said('It is 1.')];
export const captures: Record<string, Item[]> = {
  'captured responses': [
    exchange(
      0,
      'responses',
      { instructions: 'Count.', input: [user('Add 1.')], tools: [counter] },
      {
        id: 'resp_0',
        model: 'policy',
        output: [
          ...turn1.slice(0, 1),
          {
            ...call('c1'),
            prompt_token_ids: [1, 2],
            generation_token_ids: [3],
            generation_log_probs: [-0.5],
          },
        ],
        usage: { input_tokens: 2, output_tokens: 1 },
      },
    ),
    exchange(
      1,
      'responses',
      { instructions: 'Count.', input: [user('Add 1.'), ...turn1, result('c1', '1')] },
      {
        id: 'resp_1',
        output: turn2,
        incomplete_details: { reason: 'max_output_tokens' },
      },
    ),
  ],
  'captured chat completions': [
    exchange(
      0,
      'chat',
      { messages: [{ role: 'user', content: 'Add 1.' }] },
      {
        choices: [
          {
            finish_reason: 'tool_calls',
            message: {
              role: 'assistant',
              content: null,
              reasoning_content: 'One more.',
              tool_calls: [{ id: 'c1', type: 'function', function: { name: 'add', arguments: '{"n":1}' } }],
            },
          },
        ],
        usage: { prompt_tokens: 2, completion_tokens: 1 },
      },
    ),
    exchange(1, 'chat', { messages: [{ role: 'user', content: 'Add 1.' }] }, null),
  ],
  'captured messages': [
    exchange(
      0,
      'messages',
      { system: 'Count.', messages: [{ role: 'user', content: 'Add 1.' }] },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'One more.' },
          { type: 'tool_use', id: 'c1', name: 'add', input: { n: 1 } },
        ],
        stop_reason: 'tool_use',
      },
    ),
  ],
};

/** A rollout with all that those who watched it attached. */
export const watched: Item = rollout(
  [user('Add 1.')],
  [
    thought('One more.'),
    call('c1'),
    result('c1', '1'),
    call('c2'),
    result('c2', '2'),
    { ...said('It is 2.'), id: 'msg_9' },
  ],
  {
    _ng_task_index: 3,
    _ng_rollout_index: 0,
    ng_model_call_capture: {
      rollout_id: '3-0',
      metrics: { num_calls: 4, latency_total_ms: 1500, tokens_in: 20, tokens_reasoning: null },
      calls: [
        {
          model_call_id: 'm1',
          call_index: 0,
          tool_calls: [{ call_id: 'c1', name: 'add' }],
          started_at: 10,
          completed_at: 11,
          latency_total_ms: 900,
          latency_ttft_ms: 50,
        },
        {
          model_call_id: 'm2',
          call_index: 1,
          tool_calls: [{ call_id: 'c2', name: 'add' }],
          started_at: 20,
          completed_at: 21,
        },
        { model_call_id: 'sum', call_index: 2, tool_calls: [], started_at: 22, completed_at: 23 },
        {
          model_call_id: 'm3',
          call_index: 3,
          response_id: 'resp_3',
          tool_calls: [],
          started_at: 30,
          completed_at: 31,
        },
      ],
    },
    ng_agent_observations: {
      source: 'simple_agent',
      records: [
        { kind: 'agent_invocation', invocation_id: 'root', status: 'completed' },
        {
          kind: 'tool_call',
          invocation_id: 'root',
          tool_call_id: 'c1',
          tool_name: 'add',
          started_at: 11,
          completed_at: 11.25,
        },
        {
          kind: 'context_compaction',
          invocation_id: 'root',
          outcome: 'failed',
          before_model_call: { model_call_id: 'm1' },
        },
        {
          kind: 'context_compaction',
          invocation_id: 'root',
          outcome: 'completed',
          tokens_before: 900,
          tokens_after: 100,
          summary: 'So far: counted to 2.',
          before_model_call: { model_call_id: 'm2' },
          model_calls: [{ model_call_id: 'sum' }],
          after_model_call: { model_call_id: 'm3' },
        },
        { kind: 'sandbox', role: 'agent', outcome: 'completed', wall_time_s: 12.5, peak_memory_mib: 300 },
      ],
      gaps: [{ code: 'tool_timing_unavailable', detail: 'c2' }],
    },
    ng_trajectory: {
      schema_version: '1.0',
      task_id: '3',
      rollout_id: '3-0',
      invocations: [
        { kind: 'agent_invocation', invocation_id: 'root', conversation: [] },
        { kind: 'agent_invocation', invocation_id: 'helper', parent_invocation_id: 'root', conversation: [] },
      ],
      turns: [],
      model_calls: [{ model_call_id: 'm1', started_at: 10, completed_at: 11, duration_ms: 900 }],
      tool_calls: [],
      gaps: [],
    },
  },
);

export const nemoGymFixtures: Fixture[] = [
  ...Object.entries(captures).map(([name, value]) => ({ name, format: 'nemo_gym_capture', value })),
  ...Object.entries(rollouts).map(([name, value]) => ({
    name,
    format: 'nemo_gym_rollout',
    value: JSON.parse(JSON.stringify(value)) as unknown,
  })),
  ...others,
  { name: 'a rollout that was watched', format: 'nemo_gym_rollout', value: watched },
];
