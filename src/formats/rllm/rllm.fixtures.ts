import type { Fixture } from '../harness.fixtures';
import { contextIdsOf, idsOf, type FixtureCall, type FixtureMessage } from '../model-calls.fixtures';

type Row = Record<string, unknown>;

/** As chat completions write calls. */
function wrapped({ tool_calls, ...message }: FixtureMessage): Row {
  if (tool_calls === undefined) return message;
  return {
    ...message,
    tool_calls: tool_calls.map(({ id, ...called }) => ({ id, type: 'function', function: called })),
  };
}

function withoutThoughts(message: FixtureMessage): FixtureMessage {
  const rest = { ...message };
  delete rest.reasoning_content;
  return rest;
}

export interface Writing {
  /** Whether contexts keep the thoughts of earlier emissions. */
  keepsThoughts?: boolean;
  withTokens?: boolean;
}

/** The trajectory of a log of calls. */
export function trajectoryFrom(
  calls: readonly FixtureCall[],
  { keepsThoughts = true, withTokens = false }: Writing = {},
  more: Row = {},
): Row {
  return {
    name: 'solver',
    uid: 'u1',
    reward: 1,
    num_steps: calls.length,
    timing: {},
    steps: calls.map(({ context, emitted }, nth) => ({
      observation: context.at(-1)?.content,
      thought: '',
      action: null,
      reward: nth / 4,
      done: nth === calls.length - 1,
      model_response: emitted.content,
      chat_completions: [...(keepsThoughts ? context : context.map(withoutThoughts)), emitted].map(wrapped),
      timing: {},
      ...(withTokens
        ? {
            prompt_ids: [...contextIdsOf(context), emitted.role.length],
            response_ids: idsOf(emitted).slice(1),
            logprobs: idsOf(emitted)
              .slice(1)
              .map((id) => -id / 1024),
          }
        : {}),
    })),
    ...more,
  };
}

export function rllmFrom(trajectories: readonly Row[], more: Row = {}): Row {
  return {
    training_step: 7,
    epoch: 0,
    episode_id: 'task-4:2',
    task: { question: 'Where?' },
    task_hash: '1f6a0b2c',
    is_correct: true,
    termination_reason: 'env_done',
    metrics: { acc: 1 },
    trajectories,
    ...more,
  };
}

const user = { role: 'user', content: 'Where?' };
const calling = {
  role: 'assistant',
  content: 'Look.',
  reasoning_content: 'hm',
  tool_calls: [{ id: 'c1', name: 'look', arguments: '{}' }],
};
const result = { role: 'tool', tool_call_id: 'c1', content: 'here' };
const end = { role: 'assistant', content: 'Here.' };
const summary = { role: 'user', content: 'Summary: here.' };

const calls: FixtureCall[] = [
  { context: [user], emitted: calling },
  { context: [user, calling, result], emitted: end },
];

const played: Row = {
  observation: { door: 'shut' },
  action: 'open',
  reward: 0.5,
  done: false,
  model_response: '<think>a door</think>open',
  chat_completions: [],
};

const episodes = {
  'two steps': rllmFrom([trajectoryFrom(calls)]),
  'thoughts that later steps leave out': rllmFrom([trajectoryFrom(calls, { keepsThoughts: false })]),
  'token ids': rllmFrom([trajectoryFrom(calls, { withTokens: true })], {
    training_step: undefined,
    eval_idx: 3,
  }),
  'a context that was summarised': rllmFrom([
    trajectoryFrom([...calls, { context: [summary], emitted: { role: 'assistant', content: 'Done.' } }]),
  ]),
  'two agents': rllmFrom([
    trajectoryFrom(calls),
    trajectoryFrom(calls.slice(0, 1), {}, { name: 'judge', reward: null, signals: { fit: 0.5 } }),
  ]),
  'no chat': rllmFrom([
    {
      name: 'player',
      reward: 0.5,
      steps: [played, { ...played, observation: 'An open door.', model_response: '', action: { go: 1 } }],
    },
  ]),
  'a chat that ends with the question': rllmFrom([
    { name: 'player', reward: 0, steps: [{ ...played, chat_completions: [user] }] },
  ]),
  'thoughts in the response only': rllmFrom([
    {
      name: 'player',
      reward: 0,
      steps: [{ ...played, chat_completions: [user, { role: 'assistant', content: 'open' }] }],
    },
  ]),
  'a conversation in one step': rllmFrom([trajectoryFrom(calls.slice(1))]),
  'a step that says nothing': rllmFrom([
    { name: 'player', reward: 0, steps: [{ chat_completions: [user] }, {}] },
  ]),
  'no trajectory': rllmFrom([], { is_correct: false, termination_reason: 'error', episode_id: 'task-4:2:1' }),
};

export type EpisodeName = keyof typeof episodes;

export const episodeNamed = (name: EpisodeName): unknown => episodes[name];

export const rllmFixtures: Fixture[] = Object.entries(episodes).map(([name, value]) => ({
  name,
  format: 'rllm_episode',
  value,
}));
