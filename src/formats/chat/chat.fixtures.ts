import type { Fixture } from '../harness.fixtures';

/** Conversations as the files of their formats have them. */

const add = {
  type: 'function',
  function: {
    name: 'add',
    description: 'Adds numbers.',
    parameters: { type: 'object', properties: { a: { type: 'number' } } },
  },
};

const call = { id: 'call_1', type: 'function', function: { name: 'add', arguments: '{"a": 1.0}' } };

export const openaiRecords = {
  'questions and answers': {
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'One and one?' },
      { role: 'assistant', content: 'Two.', weight: 0 },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'And this?' },
          { type: 'image_url', image_url: { url: 'data:,x', detail: 'low' } },
        ],
      },
      { role: 'assistant', content: '<think>A picture.</think>A picture.' },
    ],
  },
  'calls and results': {
    messages: [
      { role: 'developer', content: 'Count.' },
      { role: 'user', content: 'Add 1.' },
      {
        role: 'assistant',
        content: null,
        reasoning_content: 'The tool.',
        tool_calls: [call, { ...call, id: 'call_2' }],
      },
      { role: 'tool', tool_call_id: 'call_1', name: 'add', content: '1' },
      { role: 'tool', tool_call_id: 'call_2', content: [{ type: 'text', text: '2' }] },
      { role: 'assistant', content: 'It is 2.', refusal: null },
    ],
    tools: [add],
    parallel_tool_calls: true,
  },
  'function calls of the old kind': {
    messages: [
      { role: 'user', content: 'Add 1.' },
      { role: 'assistant', content: '', function_call: { name: 'add', arguments: '{}' } },
      { role: 'function', name: 'add', content: '1' },
      { role: 'assistant', content: [{ type: 'refusal', refusal: 'No more.' }] },
    ],
    functions: [add.function],
  },
} as const;

export const chatRecords = {
  'with images beside them': {
    messages: [
      { role: 'user', content: '<image>What is this?' },
      { role: 'assistant', content: 'A cat.' },
    ],
    images: ['cats/1.jpg'],
    id: 7,
    reward: 0.5,
  },
  "with Anthropic's blocks": {
    system: 'Be brief.',
    messages: [
      { role: 'user', content: 'Read a.txt' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'A file.', signature: 'abc' },
          { type: 'redacted_thinking', data: 'c2VhbGVk' },
          { type: 'text', text: 'Reading.' },
          { type: 'tool_use', id: 'toolu_1', name: 'Read', input: { path: 'a.txt' } },
          { type: 'tool_use', id: 'toolu_2', name: 'Read', input: { path: 'b.txt' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'toolu_1', content: 'A' },
          {
            type: 'tool_result',
            tool_use_id: 'toolu_2',
            is_error: true,
            content: [
              { type: 'text', text: 'none' },
              { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } },
            ],
          },
          { type: 'text', text: 'Go on.' },
        ],
      },
      { role: 'assistant', content: [{ type: 'text', text: 'A.' }] },
    ],
  },
  "with LLaMA-Factory's parts": {
    messages: [
      { role: 'system', content: [{ type: 'text', value: 'Be brief.' }], loss_weight: 0 },
      { role: 'user', content: [{ type: 'text', value: 'Add 1.' }], loss_weight: 0 },
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', value: 'The tool.' },
          { type: 'tool_call', value: '{"name": "add", "arguments": {"a": 1}}' },
          { type: 'tool_call', value: 'not a call' },
        ],
        loss_weight: 1,
      },
      { role: 'tool', content: [{ type: 'text', value: '1' }], loss_weight: 0 },
    ],
  },
  'under conversations': {
    conversations: [
      { role: 'user', content: 'Hello.' },
      { role: 'assistant', content: 'Hi.' },
    ],
  },
};

export const sharegptRecords = {
  'people and a model': {
    conversations: [
      { from: 'system', value: 'Be brief.' },
      { from: 'human', value: 'One and one?' },
      { from: 'gpt', value: 'Two.' },
      { from: 'critic', value: 'Right.' },
    ],
  },
  'calls and observations': {
    system: 'Count.',
    conversations: [
      { from: 'human', value: 'Add 1.' },
      {
        from: 'function_call',
        value: '[{"name": "add", "arguments": {"a": 1}}, {"name": "add", "arguments": "{}"}]',
      },
      { from: 'observation', value: '2' },
      { from: 'gpt', value: 'It is 2.' },
    ],
    tools: '[{"name": "add", "description": "Adds.", "parameters": {}}]',
  },
};

export const alpacaRecords = {
  'a question': { instruction: 'Add.', input: '1 and 1', output: '2' },
  'a question with what was before': {
    instruction: 'And again?',
    input: '',
    output: '3',
    system: 'Be brief.',
    history: [['Hello.', 'Hi.']],
  },
};

export const promptRecords = {
  texts: { prompt: 'One and one?', completion: ' two' },
  messages: {
    prompt: [{ role: 'user', content: 'One and one?' }],
    completion: [{ role: 'assistant', content: 'Two.' }],
    score: 1,
  },
};

const response = {
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  model: 'm',
  status: 'completed',
  instructions: 'Be brief.',
  output: [
    { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Easy.' }] },
    { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'add', arguments: '{}' },
    {
      type: 'message',
      id: 'msg_1',
      role: 'assistant',
      content: [{ type: 'output_text', text: 'Two.', annotations: [] }],
    },
  ],
  tools: [{ type: 'function', name: 'add', parameters: {} }],
  usage: { input_tokens: 5, output_tokens: 7, total_tokens: 12 },
};

export const responsesRecords = {
  'by itself': response,
  'beside its request': {
    request: { model: 'm', input: [{ role: 'user', content: 'One and one?' }] },
    response: { ...response, status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
  },
};

function fixtures(format: string, records: Readonly<Record<string, unknown>>): Fixture[] {
  return Object.entries(records).map(([name, value]) => ({ name, format, value }));
}

export const chatFixtures: Fixture[] = [
  ...fixtures('openai_chat', openaiRecords),
  ...fixtures('chat_messages_array', chatRecords),
  ...fixtures('sharegpt', sharegptRecords),
  ...fixtures('alpaca', alpacaRecords),
  ...fixtures('prompt_completion', promptRecords),
  ...fixtures('openai_responses', responsesRecords),
];
