import type { Fixture } from '../harness.fixtures';
import { contextIdsOf, idsOf, type FixtureCall, type FixtureMessage } from '../model-calls.fixtures';

type Row = Record<string, unknown>;

/** The row of a log of calls, with its `trajectory`. */
export function resultFrom(calls: readonly FixtureCall[], more: Row = {}): Row {
  const [first] = calls;
  const last = calls.at(-1);
  const prompt = first?.context ?? [];
  const whole = last === undefined ? [] : [...last.context, last.emitted];
  return {
    example_id: 4,
    prompt,
    completion: whole.slice(prompt.length),
    reward: 0.5,
    error: null,
    timing: { start_time: 1, generation: { start: 1, end: 2, duration: 1 }, total: 1.5 },
    is_completed: true,
    is_truncated: false,
    stop_condition: 'done',
    metrics: { judge: 0.5 },
    judge: 0.5,
    tool_defs: [{ name: 'look', description: 'Looks.', parameters: { type: 'object' }, strict: null }],
    trajectory: calls.map(({ context, emitted }, nth) => ({
      prompt: context,
      completion: [emitted],
      response: null,
      tokens: {
        prompt_ids: [...contextIdsOf(context), emitted.role.length],
        prompt_mask: [...contextIdsOf(context), emitted.role.length].map(() => 0),
        completion_ids: idsOf(emitted).slice(1),
        completion_mask: idsOf(emitted)
          .slice(1)
          .map(() => 1),
        completion_logprobs: idsOf(emitted)
          .slice(1)
          .map((id) => -id / 1024),
      },
      reward: nth / 2,
      advantage: nth,
      is_truncated: nth === 1,
      trajectory_id: 't',
      extras: {},
    })),
    ...more,
  };
}

/** The episode of a log of calls, put together as verifiers does: a node per message and what it follows. */
export function traceFrom(calls: readonly FixtureCall[], more: Row = {}): Row {
  const nodes: Row[] = [];
  const known = new Map<string, number>();
  for (const { context, emitted } of calls) {
    let parent: number | null = null;
    for (const message of context) {
      const key: string = JSON.stringify([parent, message]);
      const found: number | undefined = known.get(key);
      if (found === undefined) {
        known.set(key, nodes.length);
        nodes.push(nodeOf(message, parent, false));
      }
      parent = found ?? nodes.length - 1;
    }
    known.set(JSON.stringify([parent, emitted]), nodes.length);
    nodes.push(nodeOf(emitted, parent, true));
  }
  return {
    version: 1,
    id: 't1',
    task: { type: 'Task', data: { prompt: 'p' }, key: 'k1', hash: 'h1' },
    agent: { config: {}, name: 'solver', trainable: true },
    tools: [],
    nodes,
    calls: [],
    rewards: { correct: { score: 1, weight: 0.25 }, format: { score: 0.5, weight: 1 }, judge: null },
    metrics: { turns: calls.length },
    is_completed: true,
    ok: true,
    stop_condition: 'done',
    errors: [],
    timing: { start: 1 },
    ...more,
  };
}

function nodeOf(message: FixtureMessage, parent: number | null, sampled: boolean): Row {
  const ids = idsOf(message);
  const { length } = ids;
  return {
    // Some versions leave out what is null.
    ...(parent === null ? {} : { parent }),
    message,
    sampled,
    timestamp: 1,
    token_ids: ids,
    mask: ids.map((_, nth) => sampled && nth > 0),
    is_content: [],
    logprobs: sampled ? ids.slice(1).map((id) => -id / 1024) : [],
    advantages: sampled ? ids.slice(1).map(() => length) : null,
    loss_weights: sampled ? { ce: ids.map((_, nth) => nth / 4) } : null,
  };
}

export function episodeFrom(traces: readonly Row[], more: Row = {}): Row {
  return {
    id: 'e1',
    env: { id: 'weather' },
    task: { type: 'Task', data: { prompt: 'p' }, key: 'k1', hash: 'h1' },
    group: { id: 'g1' },
    run: { type: 'train', id: 'r', work: { type: 'train', step: 7 } },
    ok: true,
    errors: [],
    traces,
    ...more,
  };
}

const user = { role: 'user', content: 'Weather?' };
const calling = {
  role: 'assistant',
  content: '',
  reasoning_content: 'look',
  tool_calls: [{ id: 'c1', name: 'look', arguments: '{}' }],
};
const result = { role: 'tool', tool_call_id: 'c1', content: 'rain' };
const end = { role: 'assistant', content: 'Rain.' };
const aside = { role: 'assistant', content: 'Sun?' };

/** One call, its result, an end; and the same question answered another way. */
export const branchedCalls: FixtureCall[] = [
  { context: [user], emitted: calling },
  { context: [user, calling, result], emitted: end },
  { context: [user], emitted: aside },
];

const results = {
  'two calls with their tokens': resultFrom(branchedCalls.slice(0, 2)),
  'a trajectory that branches': resultFrom(branchedCalls),
  'a result after the last call': resultFrom([{ context: [user], emitted: calling }], {
    completion: [calling, result],
  }),
  'no trajectory': resultFrom(branchedCalls.slice(0, 2), { trajectory: undefined, answer: 'rain' }),
  'a trajectory without tokens': {
    ...resultFrom([]),
    prompt: [user],
    completion: [end],
    trajectory: [{ prompt: [user], completion: [end], tokens: null }],
  },
  'calls as JSON strings': resultFrom([], {
    prompt: [user],
    completion: [{ ...calling, tool_calls: calling.tool_calls.map((call) => JSON.stringify(call)) }, result],
    trajectory: undefined,
  }),
  'calls in a wrapper': resultFrom([], {
    prompt: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Weather?' },
          { type: 'image_url', image_url: { url: 'x' } },
        ],
      },
    ],
    completion: [
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look', arguments: { at: 1 } } }],
      },
    ],
    trajectory: undefined,
  }),
  'texts instead of messages': resultFrom([], {
    prompt: 'Weather?',
    completion: '<think>hm</think>Rain.',
    trajectory: undefined,
  }),
  'a rollout that failed': resultFrom([], {
    prompt: [user],
    completion: null,
    reward: 0,
    error: {
      error: 'InfraError',
      message: 'sandbox died',
      error_chain_repr: 'InfraError()',
      error_chain_str: 'x',
    },
    tool_defs: null,
    trajectory: undefined,
  }),
  'a reward that is none': resultFrom([], {
    prompt: [user],
    completion: [end],
    reward: null,
    trajectory: [],
  }),
};

const traces = {
  'a graph of two branches': episodeFrom([
    traceFrom(branchedCalls, { calls: [{ node: 1, model: 'm', finish_reason: 'length' }] }),
  ]),
  'two agents': episodeFrom([
    traceFrom(branchedCalls.slice(0, 1)),
    traceFrom(branchedCalls, { agent: { name: 'judge', trainable: false } }),
  ]),
  'a run without a trace': episodeFrom([], {
    ok: false,
    errors: [{ type: 'InfraError', message: 'no sandbox' }],
  }),
  'a trace that was not scored': episodeFrom([
    traceFrom(branchedCalls.slice(0, 1), { rewards: { judge: null }, errors: [{ type: 'A', message: 'b' }] }),
  ]),
  'a score that is none': episodeFrom([
    traceFrom(branchedCalls.slice(0, 1), { rewards: { a: { score: null, weight: 1 }, b: { score: 1 } } }),
  ]),
  'a trace alone': traceFrom(branchedCalls),
  'a trace without tokens': episodeFrom([
    traceFrom([], {
      nodes: [
        { message: user, sampled: false },
        { parent: 0, message: end, sampled: true },
      ],
    }),
  ]),
  'a graph that turns back on itself': episodeFrom([
    traceFrom([], {
      nodes: [
        { parent: 1, message: user, sampled: false },
        { parent: 1, message: end, sampled: true },
        { parent: -1, message: end, sampled: true },
      ],
    }),
  ]),
};

export type ResultName = keyof typeof results;
export type TraceName = keyof typeof traces;

export const resultNamed = (name: ResultName): unknown => results[name];
export const traceNamed = (name: TraceName): unknown => traces[name];

export const verifiersFixtures: Fixture[] = [
  ...Object.entries(results).map(([name, value]) => ({ name, format: 'verifiers_results', value })),
  ...Object.entries(traces).map(([name, value]) => ({ name, format: 'verifiers_v1_episode', value })),
];
