import * as fc from 'fast-check';
import type { Fixture } from '../harness.fixtures';

/** Simulations as tau2-bench writes them. */

const greeting = { role: 'assistant', content: 'Hi! How can I help you today?', cost: 0, usage: null };
const usage = { prompt_tokens: 9, completion_tokens: 3 };

function call(id: string, requestor: 'assistant' | 'user'): object {
  return { id, name: `${requestor}_tool`, arguments: { at: 1 }, requestor };
}

function result(id: string, requestor: 'assistant' | 'user'): object {
  return { id, role: 'tool', content: `result of ${id}`, requestor, error: false };
}

/** The user looks at their own phone before answering, which the policy does not see. */
export const messages = [
  greeting,
  { role: 'user', content: 'No signal.' },
  {
    role: 'assistant',
    content: null,
    tool_calls: [call('a1', 'assistant')],
    usage,
    raw_data: { finish_reason: 'length', message: { reasoning_content: 'look it up' } },
  },
  result('a1', 'assistant'),
  { role: 'assistant', content: 'Check your phone.', usage, context_truncation: { messages_dropped: 1 } },
  { role: 'user', content: null, tool_calls: [call('u1', 'user')] },
  { role: 'tool', tool_messages: [result('u1', 'user')] },
  { role: 'user', content: 'It is in flight mode.' },
  { role: 'assistant', content: 'Turn that off.', usage },
];

export const simulation = {
  id: 'sim-1',
  task_id: '7',
  trial: 2,
  termination_reason: 'user_stop',
  duration: 12.5,
  agent_cost: 0.1,
  reward_info: {
    reward: 0,
    db_check: { db_match: false },
    action_checks: [{ action_match: true }, { action_match: false }],
    nl_assertions: [],
    reward_breakdown: { DB: 0, ACTION: 1 },
  },
  messages,
};

export const spoken = {
  id: 'sim-2',
  task_id: 8,
  termination_reason: 'agent_stop',
  reward_info: null,
  messages: null,
  ticks: [
    { tick_id: 0, agent_chunk: { content: 'Let me', utterance_ids: ['1'] }, user_chunk: null },
    {
      tick_id: 1,
      agent_chunk: { content: ' look.', utterance_ids: ['1'] },
      user_chunk: { is_audio: true, content: 'UklGRg==' },
    },
    {
      tick_id: 2,
      agent_tool_calls: [call('a1', 'assistant')],
      agent_tool_results: [result('a1', 'assistant')],
    },
    { tick_id: 3, user_chunk: { is_audio: true, content: 'UklGRg==', audio_script_gold: 'Well?' } },
    {
      tick_id: 4,
      agent_chunk: { content: 'Done.' },
      user_tool_calls: [call('u1', 'user')],
      user_tool_results: [result('u1', 'user')],
    },
  ],
};

const info = {
  agent_info: { llm: 'model-s' },
  environment_info: {
    domain_name: 'telecom',
    policy: 'Be kind.',
    tool_defs: { look: { name: 'look', description: 'Looks.' } },
  },
};

export const results = {
  timestamp: '2026-01-01',
  info,
  tasks: [{ id: '7' }],
  simulations: [
    simulation,
    { ...simulation, trial: 0, reward_info: { reward: 1 }, messages: messages.slice(0, 2) },
  ],
};
export const indexed = {
  info,
  tasks: [],
  simulation_index: [{ id: 'sim-9', task_id: 3, trial: 0, reward: 0.5, termination_reason: 'user_stop' }],
};

export const tau2Fixtures: Fixture[] = [
  { name: 'results', format: 'tau2_results', value: results },
  { name: 'an index', format: 'tau2_results', value: indexed },
  { name: 'nothing', format: 'tau2_results', value: { info, tasks: [], simulations: [] } },
  { name: 'a simulation', format: 'tau2_simulation', value: simulation },
  { name: 'a spoken one', format: 'tau2_simulation', value: spoken },
];

export type Act = 'says' | 'calls';

export interface PlannedTurn {
  who: 'assistant' | 'user';
  act: Act;
}

export const plannedTurns: fc.Arbitrary<PlannedTurn[]> = fc.array(
  fc.record({
    who: fc.constantFrom<PlannedTurn['who']>('assistant', 'user'),
    act: fc.constantFrom<Act>('says', 'calls'),
  }),
  { maxLength: 12 },
);

/** Every turn says its number, and every call is answered at once. */
export function messagesOf(plan: readonly PlannedTurn[]): object[] {
  return plan.flatMap(({ who, act }, turn) => {
    const asked = who === 'assistant' ? { usage } : {};
    if (act === 'says') return [{ role: who, content: `turn ${turn}`, ...asked }];
    const id = `call ${turn}`;
    return [{ role: who, content: null, tool_calls: [call(id, who)], ...asked }, result(id, who)];
  });
}
