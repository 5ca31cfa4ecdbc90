import * as fc from 'fast-check';
import type { Fixture } from '../harness.fixtures';
import { inOneFile, linear } from './run.fixtures';
import { trajectory } from './trajectory.fixtures';

/** Trajectories and event streams as Harbor and the NeMo Agent Toolkit write them. */

const asked = {
  source: 'user',
  message: 'Count the lines of both files.',
  timestamp: '2026-01-01T00:00:00Z',
};
const counting = {
  source: 'agent',
  message: 'Both at once.',
  reasoning_content: 'wc can do it',
  tool_calls: [
    { tool_call_id: 'c1', function_name: 'bash', arguments: { cmd: 'wc -l a' } },
    { tool_call_id: 'c2', function_name: 'bash', arguments: { cmd: 'wc -l b' } },
  ],
  metrics: { prompt_token_ids: [1, 2, 3], completion_token_ids: [4, 5], logprobs: [-0.5, -0.25] },
  llm_call_count: 1,
};
const told = { source: 'agent', message: '3 and 4.', llm_call_count: 2 };

const subagent = {
  schema_version: 'ATIF-v1.7',
  trajectory_id: 'sub-1',
  agent: { name: 'reader', version: '1' },
  steps: [
    { step_id: 1, source: 'user', message: [{ type: 'text', text: 'Read it.' }, image()] },
    { step_id: 2, source: 'agent', message: '<think>hm</think>Read.' },
  ],
};

function image(): object {
  return { type: 'image', source: { media_type: 'image/png', path: 'images/page.png' } };
}

export const handedOn = trajectory(
  [
    { source: 'system', message: 'You summarise.' },
    { ...asked, is_copied_context: true },
    { ...counting, is_copied_context: true, observation: { results: [{ content: '3\n4' }] } },
    { source: 'agent', message: 'Dispatching.', llm_call_count: 0 },
    told,
    {
      source: 'system',
      message: '',
      observation: {
        results: [
          { content: null, subagent_trajectory_ref: [{ trajectory_id: 'sub-1' }] },
          { content: 'done', subagent_trajectory_ref: [{ trajectory_path: 'sub.json' }] },
        ],
      },
    },
  ],
  {
    continued_trajectory_ref: 'trajectory.cont-1.json',
    subagent_trajectories: [subagent],
    final_metrics: { total_prompt_tokens: 12, total_cost_usd: 0.5 },
  },
);

export const oneScreen = trajectory([
  asked,
  { ...counting, observation: { results: [{ content: '3 a\n4 b' }] } },
  told,
]);

function scope(
  uuid: string,
  category: string,
  side: 'start' | 'end',
  data: unknown,
  profile: object | null = null,
): object {
  return {
    kind: 'scope',
    scope_category: side,
    atof_version: '0.1',
    category,
    category_profile: profile,
    uuid,
    parent_uuid: category === 'agent' ? null : 'agent-1',
    data,
    timestamp: '2026-01-01T00:00:00Z',
    name: category === 'llm' ? 'model-s' : category,
  };
}

const question = { role: 'user', content: 'What is 3 + 4?' };

/** An agent that asks a model, runs the tool it wants, and asks again, in the words of three providers. */
export const streams = {
  openai: [
    scope('agent-1', 'agent', 'start', 'What is 3 + 4?'),
    scope('llm-1', 'llm', 'start', { messages: [question], tools: [{ function: { name: 'add' } }] }),
    scope('llm-1', 'llm', 'end', {
      choices: [
        {
          message: { role: 'assistant', content: null, tool_calls: [call('c1', 'add', '{"a":3,"b":4}')] },
          finish_reason: 'tool_calls',
        },
      ],
    }),
    scope('tool-1', 'tool', 'start', { a: 3, b: 4 }, { tool_call_id: 'c1' }),
    scope('tool-1', 'tool', 'end', { result: 7 }, { tool_call_id: 'c1' }),
    scope('llm-2', 'llm', 'start', {
      messages: [
        question,
        // By id and name alone.
        { role: 'assistant', tool_calls: [{ id: 'c1', name: 'add' }] },
        { role: 'tool', tool_call_id: 'c1', content: '7' },
      ],
    }),
    scope('llm-2', 'llm', 'end', { content: 'It is 7.' }),
    scope('agent-1', 'agent', 'end', 'It is 7.'),
  ],
  anthropic: [
    scope('llm-1', 'llm', 'start', { system: 'Be brief.', messages: [question] }, { model_name: 'model-a' }),
    scope('llm-1', 'llm', 'end', {
      role: 'assistant',
      content: [
        { type: 'text', text: 'Adding.' },
        { type: 'tool_use', id: 'c1', name: 'add', input: { a: 3, b: 4 } },
      ],
      stop_reason: 'tool_use',
    }),
    scope('llm-2', 'llm', 'start', {
      system: 'Be brief.',
      messages: [
        question,
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'Adding.' },
            { type: 'tool_use', id: 'c1', name: 'add', input: { a: 3, b: 4 } },
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: '7' }] },
      ],
    }),
    scope('llm-2', 'llm', 'end', {
      content: [{ type: 'text', text: 'It is 7.' }],
      stop_reason: 'max_tokens',
    }),
    { kind: 'mark', atof_version: '0.1', uuid: 'm', timestamp: '', name: 'checkpoint', data: null },
  ],
  gemini: [
    scope('llm-1', 'llm', 'start', { contents: [{ role: 'user', parts: [{ text: 'What is 3 + 4?' }] }] }),
    scope('llm-1', 'llm', 'end', {
      candidates: [
        { content: { role: 'model', parts: [{ functionCall: { name: 'add', args: { a: 3, b: 4 } } }] } },
      ],
    }),
    scope('llm-2', 'llm', 'start', {
      contents: [
        { role: 'user', parts: [{ text: 'What is 3 + 4?' }] },
        { role: 'model', parts: [{ functionCall: { name: 'add', args: { a: 3, b: 4 } } }] },
        { role: 'user', parts: [{ functionResponse: { name: 'add', response: { result: 7 } } }] },
      ],
    }),
    scope('llm-2', 'llm', 'end', {
      candidates: [{ content: { role: 'model', parts: [{ text: 'It is 7.' }] } }],
    }),
  ],
} as const;

function call(id: string, name: string, args: string): object {
  return { id, type: 'function', function: { name, arguments: args } };
}

/** Without categories, and with one scope that never ended. */
export const opaqueStream = [
  scope('root', 'unknown', 'start', { raw_query: 'What is 3 + 4?' }),
  scope('inner', 'unknown', 'start', null),
  scope('root', 'unknown', 'end', 'seven'),
];

/** The last model call wants a tool, which answers after it. */
export const lateAnswer = streams.openai.slice(0, 5);

export const atifFixtures: Fixture[] = [
  { name: 'a run that goes on in another file', format: 'atif', value: handedOn },
  { name: 'a context that was summed up', format: 'atif', value: inOneFile['trajectory.json'] },
  { name: 'a run that goes on from another file', format: 'atif', value: linear['trajectory.cont-1.json'] },
  { name: 'one screen for two calls', format: 'atif', value: oneScreen },
  {
    name: 'inside an evaluation',
    format: 'atif',
    value: { item_id: 'q1', trajectory: trajectory([asked, told]) },
  },
  ...Object.entries(streams).map(([name, value]) => ({ name, format: 'atof', value })),
  { name: 'opaque', format: 'atof', value: opaqueStream },
  { name: 'late answer', format: 'atof', value: lateAnswer },
];

/** A step of a run that is made up: who speaks, how many calls it makes, and how its results are recorded. */
export interface PlannedStep {
  source: 'system' | 'user' | 'agent';
  calls: number;
  /** `named`: each result names its call; `shared`: one for all; `ordered`: one each, unnamed; `none`. */
  results: 'named' | 'shared' | 'ordered' | 'none';
  isCopied: boolean;
  thinks: boolean;
}

export const plannedRuns: fc.Arbitrary<PlannedStep[]> = fc.array(
  fc.record({
    source: fc.constantFrom<PlannedStep['source']>('system', 'user', 'agent', 'agent'),
    calls: fc.nat(3),
    results: fc.constantFrom<PlannedStep['results']>('named', 'shared', 'ordered', 'none'),
    isCopied: fc.boolean(),
    thinks: fc.boolean(),
  }),
  { maxLength: 12 },
);

/** Texts and ids tell where they stand: `said 3`, `call 3.1`, `result 3.1`. */
export function runOf(plan: readonly PlannedStep[]): object {
  return trajectory(
    plan.map(({ source, calls, results, isCopied, thinks }, step) => {
      if (source !== 'agent') return { source, message: `said ${step}` };
      const ids = Array.from({ length: calls }, (_, nth) => `call ${step}.${nth}`);
      return {
        source,
        message: `said ${step}`,
        ...(thinks ? { reasoning_content: `thought ${step}` } : {}),
        ...(isCopied ? { is_copied_context: true } : {}),
        ...(calls === 0
          ? {}
          : {
              tool_calls: ids.map((id) => ({ tool_call_id: id, function_name: 'f', arguments: { step } })),
              observation: { results: resultsOf(ids, results) },
            }),
      };
    }),
  );
}

function resultsOf(ids: readonly string[], how: PlannedStep['results']): object[] {
  if (how === 'none') return [];
  if (how === 'shared') return [{ content: `result of ${ids.join()}` }];
  return ids.map((id) => ({
    ...(how === 'named' ? { source_call_id: id } : {}),
    content: `result of ${id}`,
  }));
}
