import * as fc from 'fast-check';
import type { Fixture } from '../harness.fixtures';

/** Events as OpenHands wrote them before its SDK, and as the SDK writes them. */

const asked = { id: 0, source: 'user', action: 'message', args: { content: 'Fix it.', image_urls: null } };
const state = (name: string, id: number): object => ({
  id,
  source: 'environment',
  observation: 'agent_state_changed',
  content: '',
  extras: { agent_state: name },
});

interface FixtureCall {
  id: string;
  name?: string;
}

function response(id: string, calls: readonly FixtureCall[], more: object = {}): object {
  const message = {
    role: 'assistant',
    content: `thought of ${id}`,
    tool_calls: calls.map((call) => ({
      id: call.id,
      type: 'function',
      function: { name: call.name ?? 'execute_bash', arguments: '{"command": "ls"}' },
    })),
    ...more,
  };
  return { id, model: 'model-s', choices: [{ finish_reason: 'tool_calls', message }] };
}

function metadata(callId: string, model_response: object): object {
  return { function_name: 'execute_bash', tool_call_id: callId, model_response, total_calls_in_response: 1 };
}

function run(id: number, tool_call_metadata?: object): object {
  const args = { command: 'ls', thought: 'Let me look.' };
  return { id, source: 'agent', action: 'run', args, ...(tool_call_metadata && { tool_call_metadata }) };
}

function ran(id: number, cause: number, tool_call_metadata?: object): object {
  const content = `files ${id}`;
  const common = { id, source: 'agent', observation: 'run', cause, content, extras: {} };
  return { ...common, ...(tool_call_metadata && { tool_call_metadata }) };
}

const both = response('r1', [{ id: 'c1' }, { id: 'c2' }], { reasoning_content: 'hm' });
const third = response('r2', [{ id: 'c3' }]);

/** Two calls of one response, run one after the other, and a third of the next. */
export const parallel = [
  {
    id: 90,
    source: 'agent',
    action: 'system',
    args: { content: 'You fix.', tools: [{ function: { name: 'execute_bash' } }] },
  },
  asked,
  state('running', 1),
  run(2, metadata('c1', both)),
  ran(3, 2, metadata('c1', both)),
  run(4, metadata('c2', both)),
  ran(5, 4, metadata('c2', both)),
  run(6, metadata('c3', third)),
  ran(7, 6, metadata('c3', third)),
  { id: 8, source: 'agent', action: 'message', args: { content: 'Fixed.' } },
  state('finished', 9),
];

/** Without function calling: an observation names its action. */
export const plainActions = [
  asked,
  run(1),
  ran(2, 1),
  { id: 3, source: 'environment', observation: 'error', content: 'It broke.', extras: {} },
  { id: 4, source: 'environment', observation: 'recall', content: 'Added.', extras: { repo_name: 'r' } },
  run(5),
  {
    id: 6,
    source: 'agent',
    action: 'condensation',
    args: { forgotten_events_start_id: 1, forgotten_events_end_id: 2, summary: 'It looked.' },
  },
  run(7),
  state('error', 8),
];

export const evaluation = {
  instance_id: 'comma-1',
  history: [
    [asked, { id: 1, source: 'user', observation: 'null', content: '' }],
    [run(2), ran(3, 2)],
  ],
  metadata: { llm_config: { model: 'model-e' } },
  metrics: { accumulated_cost: 0.25 },
  test_result: { git_patch: 'diff', report: { resolved: true } },
  error: null,
};

const text = (said: string): object => ({ type: 'text', text: said });
const action = (id: string, call: string, llm_response_id: string, more: object = {}): object => ({
  id,
  kind: 'ActionEvent',
  source: 'agent',
  thought: [],
  tool_name: 'terminal',
  tool_call_id: call,
  tool_call: { id: call, name: 'terminal', arguments: '{"command": "ls"}', origin: 'completion' },
  llm_response_id,
  ...more,
});
const observation = (id: string, call: string): object => ({
  id,
  kind: 'ObservationEvent',
  source: 'environment',
  tool_name: 'terminal',
  tool_call_id: call,
  observation: { kind: 'TerminalObservation', content: [text(`files ${call}`)] },
});

export const sdkEvents = [
  {
    id: 'a',
    kind: 'SystemPromptEvent',
    source: 'agent',
    system_prompt: text('You fix.'),
    tools: [{ name: 'terminal' }],
  },
  {
    id: 'b',
    kind: 'MessageEvent',
    source: 'user',
    llm_message: {
      role: 'user',
      content: [text('Fix it.'), { type: 'image', image_urls: ['data:image/png;base64,AA=='] }],
    },
    extended_content: [text('Be careful.')],
  },
  action('c', 'c1', 'r1', { thought: [text('Look.')], thinking_blocks: [{ thinking: 'hm' }] }),
  action('d', 'c2', 'r1'),
  observation('e', 'c1'),
  {
    id: 'f',
    kind: 'AgentErrorEvent',
    source: 'agent',
    tool_name: 'terminal',
    tool_call_id: 'c2',
    error: 'no such tool',
  },
  { id: 'g', kind: 'TokenEvent', source: 'agent', prompt_token_ids: [1, 2], response_token_ids: [3] },
  {
    id: 'h',
    kind: 'Condensation',
    source: 'environment',
    forgotten_event_ids: ['c', 'd', 'e', 'f'],
    summary: 'It looked.',
  },
  {
    id: 'i',
    kind: 'MessageEvent',
    source: 'agent',
    llm_message: { role: 'assistant', content: [text('Fixed.')], reasoning_content: 'done' },
    llm_response_id: 'r2',
  },
  {
    id: 'j',
    kind: 'ConversationStateUpdateEvent',
    source: 'environment',
    key: 'execution_status',
    value: 'finished',
  },
];

export const openhandsFixtures: Fixture[] = [
  { name: 'calls of one response', format: 'openhands_events', value: parallel },
  { name: 'without function calling', format: 'openhands_events', value: plainActions },
  { name: 'the SDK', format: 'openhands_events', value: sdkEvents },
  { name: 'an evaluation of pairs', format: 'openhands_output', value: evaluation },
  { name: 'entries', format: 'openhands_output', value: { entries: sdkEvents.slice(0, 3) } },
];

/** Responses with as many calls as it says, each run by itself. */
export const plannedResponses: fc.Arbitrary<number[]> = fc.array(fc.integer({ min: 1, max: 3 }), {
  minLength: 1,
  maxLength: 6,
});

export function eventsOf(plan: readonly number[]): object[] {
  const events: object[] = [asked];
  plan.forEach((calls, step) => {
    const ids = Array.from({ length: calls }, (_, nth) => ({ id: `call ${step}.${nth}` }));
    const whole = response(`response ${step}`, ids);
    for (const { id } of ids) {
      const made = events.length;
      events.push(run(made, metadata(id, whole)), ran(made + 1, made, metadata(id, whole)));
    }
  });
  return events;
}
