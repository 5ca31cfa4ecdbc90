import * as fc from 'fast-check';
import type { Fixture } from '../harness.fixtures';

/** Trajectories as SWE-agent and mini-swe-agent write them. */

const system = { role: 'system', content: 'You fix code.', agent: 'main', message_type: 'system_prompt' };
const issue = {
  role: 'user',
  content: 'The parser drops commas.\nFix it.',
  agent: 'main',
  message_type: 'observation',
};

function step(response: string, observation: string, more: object = {}): object {
  return { action: 'ls', observation, response, thought: response, state: { open_file: 'n/a' }, ...more };
}

function call(id: string): object {
  return { id, type: 'function', function: { name: 'bash', arguments: '{"command": "ls"}' } };
}

const replayConfig = {
  agent: { model: { name: 'model-s' }, history_processor: { type: 'last_n_observations', n: 5 } },
  problem_statement: { id: 'comma-1', text: 'The parser drops commas.' },
};

/** Actions in the text, observations from a user, the state as a string. */
export const thoughtAction = {
  environment: 'swe_main',
  trajectory: [
    step('Look.\n```\nls\n```', 'a.py', { state: '{"open_file": "n/a"}' }),
    step('Done.\n```\nsubmit\n```', ''),
  ],
  history: [
    { ...system, message_type: undefined },
    { role: 'user', content: 'A demonstration.', agent: 'main', is_demo: true },
    { role: 'assistant', content: 'As shown.', agent: 'main', is_demo: true },
    issue,
    { role: 'assistant', content: 'Look.\n```\nls\n```', thought: 'Look.', action: 'ls', agent: 'main' },
    { role: 'user', content: 'a.py', agent: 'main' },
    { role: 'assistant', content: 'Done.\n```\nsubmit\n```', thought: 'Done.', agent: 'main' },
  ],
  info: { exit_status: 'submitted', submission: 'diff', model_stats: { api_calls: 2, instance_cost: 0.5 } },
  replay_config: JSON.stringify(replayConfig),
};

/** Tool calls, and the first observation shortened in the second query. */
export const functionCalling = {
  trajectory: [
    step('Look.', 'a.py', { query: [system, issue], execution_time: 0.2 }),
    step('And there.', 'b.py', {
      query: [system, issue, { role: 'assistant', content: 'Look.' }, { role: 'tool', content: 'a.py' }],
    }),
    step('Done.', '', {
      query: [
        system,
        { role: 'user', content: [{ type: 'text', text: issue.content }] },
        { role: 'assistant', content: 'Look.' },
        { role: 'tool', content: 'Old output: (1 line omitted)' },
        { role: 'assistant', content: 'And there.' },
        { role: 'tool', content: 'b.py' },
      ],
    }),
  ],
  history: [
    system,
    issue,
    {
      role: 'assistant',
      content: 'Look.',
      agent: 'main',
      tool_calls: [call('c1')],
      thinking_blocks: [
        { type: 'thinking', thinking: 'ls first', signature: 'x' },
        { type: 'redacted_thinking', data: 'abcd' },
      ],
    },
    { role: 'tool', content: 'a.py', agent: 'main', tool_call_ids: ['c1'] },
    { role: 'assistant', content: 'And there.', agent: 'main', tool_calls: [call('c2')] },
    { role: 'tool', content: 'b.py', agent: 'main', tool_call_ids: ['c2'] },
    { role: 'assistant', content: 'Done.', agent: 'main', tool_calls: [call('c3')] },
  ],
  info: { exit_status: 'submitted' },
};

export const historyOnly = { history: functionCalling.history };
export const stepsOnly = { trajectory: thoughtAction.trajectory };
const twoTurns = [issue, { role: 'assistant', content: 'Look.', agent: 'main' }];
export const retried = {
  attempts: [
    { history: twoTurns, trajectory: [], info: { exit_status: 'exit_cost' } },
    { history: twoTurns, trajectory: [step('Look.', '')], info: { exit_status: 'submitted' } },
  ],
  history: twoTurns,
  info: { best_attempt_idx: 1 },
  replay_config: replayConfig,
};

const info = {
  exit_status: 'Submitted',
  submission: 'diff',
  model_stats: { instance_cost: 0.03, api_calls: 2 },
  config: { model: { model_name: 'model-s' } },
  mini_version: '2.2.7',
};

export const mini = {
  info,
  instance_id: 'comma-1',
  messages: [
    { role: 'system', content: 'You fix code.' },
    { role: 'user', content: 'Fix it.' },
    {
      role: 'assistant',
      content: 'Look.',
      reasoning_content: 'ls first',
      tool_calls: [call('c1')],
      extra: {
        actions: [{ command: 'ls', tool_call_id: 'c1' }],
        response: { choices: [{ finish_reason: 'length' }] },
      },
    },
    { role: 'tool', tool_call_id: 'c1', content: '<returncode>0</returncode>', extra: { returncode: 0 } },
    { role: 'exit', content: '', extra: { exit_status: 'Submitted' } },
  ],
  trajectory_format: 'mini-swe-agent-1.1',
};

export const miniResponses = {
  info,
  messages: [
    { role: 'user', content: 'Fix it.' },
    {
      object: 'response',
      output: [
        { type: 'reasoning', summary: [{ type: 'summary_text', text: 'ls first' }] },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Look.' }] },
        { type: 'function_call', call_id: 'c1', name: 'bash', arguments: '{}' },
      ],
      extra: { actions: [] },
    },
    { type: 'function_call_output', call_id: 'c1', output: 'a.py', extra: { returncode: 0 } },
    { object: 'response', output: [] },
  ],
  trajectory_format: 'mini-swe-agent-1.1',
};

export const bare = [
  { role: 'system', content: 'You fix code.' },
  { role: 'user', content: 'Fix it.' },
  { role: 'assistant', content: 'Look.\n```bash\nls\n```' },
  { role: 'user', content: '<returncode>0</returncode>' },
  { role: 'assistant', content: 'Done.' },
];

export const sweAgentFixtures: Fixture[] = [
  { name: 'actions in the text', format: 'swe_agent_traj', value: thoughtAction },
  { name: 'tool calls and queries', format: 'swe_agent_traj', value: functionCalling },
  { name: 'only a history', format: 'swe_agent_traj', value: historyOnly },
  { name: 'only steps', format: 'swe_agent_traj', value: stepsOnly },
  { name: 'several attempts', format: 'swe_agent_traj', value: retried },
  { name: 'version 2', format: 'mini_swe_agent', value: mini },
  { name: 'the Responses API', format: 'mini_swe_agent', value: miniResponses },
  { name: 'a bare array', format: 'bare_message_array', value: bare },
];

/**
 * Runs in which observations are shortened in what is sent once `keep` newer ones are there, as `last_n_observations`
 * does it; `queries` are what was really sent.
 */
export const shortenedRuns: fc.Arbitrary<{ run: object; queries: { role: string; content: string }[][] }> = fc
  .record({ steps: fc.integer({ min: 1, max: 8 }), keep: fc.integer({ min: 1, max: 4 }) })
  .map(({ steps, keep }) => {
    const history = [
      { role: 'system', content: 'You fix code.' },
      { role: 'user', content: 'Fix it.' },
    ];
    const queries: { role: string; content: string }[][] = [];
    const trajectory: object[] = [];
    for (let each = 0; each < steps; each++) {
      const observations = history.filter(({ role }) => role === 'tool');
      const old = new Set(observations.slice(0, Math.max(observations.length - keep, 0)));
      const query = history.map((message) =>
        old.has(message) ? { ...message, content: `${message.content.length} characters left out` } : message,
      );
      queries.push(query);
      trajectory.push(step(`turn ${each}`, `seen ${each}`, { query }));
      history.push({ role: 'assistant', content: `turn ${each}` }, { role: 'tool', content: `seen ${each}` });
    }
    return { run: { trajectory, history, info: {} }, queries };
  });
