import {
  arrayAt,
  at,
  isObject,
  stringAt,
  type Episode,
  type Gap,
  type Metrics,
  type TaskRef,
} from '../../model';
import { countChat } from '../chat-entry';
import type { Format } from '../format';
import { metricsOf } from '../metrics';
import { userText } from '../model-calls';
import { summaryOf } from '../episodes';
import { titleFrom } from '../title';
import { toolSpecs } from '../tool-specs';
import { readBranches, tokenState, type TokenState } from './branch-tokens';
import { leavesOf, readGraph, type Graph } from './graph';
import { rewardGaps, traceOutcome, weightedScores } from './rewards';

/**
 * `traces.jsonl` of verifiers v1 (https://github.com/PrimeIntellect-ai/verifiers, `verifiers/v1/episode.py`): one line
 * per run of an environment, which holds a trace for every agent that took part.
 *
 *     {
 *       id: 'e1', env: { id: 'weather' }, task: { type: 'WeatherTask', data: {...}, key: 'k' }, group: { id: 'g1' },
 *       run: { type: 'train', work: { step: 7 } }, ok: true, errors: [],
 *       traces: [{
 *         agent: { name: 'solver', trainable: true }, nodes: [...], calls: [{ node: 2, finish_reason: 'stop' }],
 *         rewards: { correct: { score: 1.0, weight: 0.5 }, judge: null }, metrics: { turns: 2.0 },
 *         stop_condition: null, errors: [], timing: {...}
 *       }]
 *     }
 *
 * `nodes` is a graph, see `graph.ts`. The reward is not stored: it is the sum of each score times its weight. Keys whose
 * value would be null may be missing. Each trace is an episode here; a line that is a trace alone is read as well.
 */
export const verifiersV1Episode: Format = {
  id: 'verifiers_v1_episode',
  name: 'verifiers v1 trace',
  unit: 'record',
  confidence(value) {
    const traces = arrayAt(value, 'traces');
    if (traces !== undefined && isObject(at(value, 'task')) && isObject(at(value, 'env'))) return 0.95;
    return isTrace(value) ? 0.9 : 0;
  },
  summarise: ({ value, index }) =>
    placesOf(value).map((place) => {
      const { episode, graph } = draftOf(value, index, place);
      const counts = countChat(graph.nodes.map((node) => at(node, 'message')));
      return { ...summaryOf(episode, counts), samples: leavesOf(graph).length };
    }),
  episode({ value, index }, nth) {
    const { episode, graph } = draftOf(value, index, placesOf(value)[nth] ?? nowhere);
    const { samples, steps } = readBranches(graph);
    return {
      ...episode,
      samples,
      steps: episode.steps.map((step) => {
        const tokens = steps.get(step.index);
        return tokens === undefined ? step : { ...step, tokens };
      }),
    };
  },
};

function isTrace(value: unknown): boolean {
  const [first] = arrayAt(value, 'nodes') ?? [];
  return isObject(at(first, 'message')) && isObject(at(value, 'rewards')) && isObject(at(value, 'agent'));
}

/** A trace where it stands in the record, and what the episodes of one record are told apart by. */
interface Place {
  trace: unknown;
  base: string;
  suffix: string;
}

const nowhere: Place = { trace: undefined, base: '', suffix: '' };

/** A run that ended before an agent began has no trace, and is one episode without a history. */
function placesOf(value: unknown): Place[] {
  const traces = arrayAt(value, 'traces');
  if (traces === undefined) return [{ ...nowhere, trace: value }];
  if (traces.length === 0) return [nowhere];
  return traces.map((trace, nth) => ({
    trace,
    base: `/traces/${nth}`,
    suffix: traces.length === 1 ? '' : `.${nth}`,
  }));
}

/** All of the episode but its tokens, which the table does not need. */
function draftOf(value: unknown, index: number, place: Place): { episode: Episode; graph: Graph } {
  const { trace, base, suffix } = place;
  const graph = readGraph(trace, base);
  const { nodes, messages, steps } = graph;
  const task = taskOf(value, trace);
  const agent = stringAt(at(trace, 'agent'), 'name');
  const model = modelOf(trace);
  const outcome = traceOutcome(value, trace);
  const said = nodes.map((node) => ({ value: at(node, 'message'), raw: '' }));
  const title = titleFrom(userText(said), task === undefined ? `Episode ${index}` : `Task ${task.key}`);
  const episode: Episode = {
    id: `${index}${suffix}`,
    format: 'verifiers_v1_episode',
    title: suffix === '' || agent === undefined ? title : `${agent}: ${title}`,
    ...(task === undefined ? {} : { task }),
    ...(model === undefined ? {} : { model }),
    tools: toolSpecs(toolsOf(trace, nodes)),
    messages,
    steps,
    edits: [],
    samples: [],
    outcome,
    metrics: traceMetrics(value, trace, leavesOf(graph).length),
    gaps: [
      ...(trace === undefined ? [noTrace] : []),
      ...(nodes.length > 0 && steps.length === 0 ? [nothingSampled] : []),
      ...graph.gaps,
      ...(steps.length === 0 ? [] : tokenGaps(tokenState(graph))),
      ...rewardGaps(outcome),
      { about: 'timing', reason: 'When messages and calls were made is shown in the raw record only.' },
    ],
  };
  return { episode, graph };
}

const noTrace: Gap = {
  about: 'messages',
  reason: 'This run has no trace: it ended before an agent made a model call.',
};
const nothingSampled: Gap = {
  about: 'messages',
  reason: 'No message of this trace was sampled from a model.',
};

const tokenReasons: Record<Exclude<TokenState, 'readable'>, string> = {
  none: 'This trace has no token ids: masks cannot be shown.',
  broken: 'Token ids are there that are not all whole numbers, or whose masks are of another length.',
  'too many':
    'The branches of this trace have so many tokens together that they are not shown. Each of them starts with all the tokens before it.',
};

function tokenGaps(state: TokenState): Gap[] {
  return state === 'readable' ? [] : [{ about: 'tokens', reason: tokenReasons[state] }];
}

function taskOf(value: unknown, trace: unknown): TaskRef | undefined {
  for (const task of [at(trace, 'task'), at(value, 'task')]) {
    const key = stringAt(task, 'key') ?? stringAt(task, 'hash');
    if (key !== undefined && key !== '') return { key };
  }
  const group = stringAt(at(value, 'group'), 'id');
  return group === undefined ? undefined : { key: group };
}

function modelOf(trace: unknown): string | undefined {
  const calls = arrayAt(trace, 'calls') ?? [];
  return calls.map((call) => stringAt(call, 'model')).find((model) => model !== undefined && model !== '');
}

/** The trace lists them, or in some versions the first node of a conversation. */
function toolsOf(trace: unknown, nodes: readonly unknown[]): readonly unknown[] {
  const listed = [arrayAt(trace, 'tools'), ...nodes.slice(0, 8).map((node) => arrayAt(node, 'tools'))];
  return listed.find((tools) => tools !== undefined && tools.length > 0) ?? [];
}

function traceMetrics(episode: unknown, trace: unknown, branches: number): Metrics {
  const metrics = metricsOf(at(trace, 'metrics'));
  const add = (more: Metrics): void => {
    for (const [name, metric] of Object.entries(more)) metrics[name] ??= metric;
  };
  add(weightedScores(trace));
  add(
    metricsOf({
      agent: at(at(trace, 'agent'), 'name'),
      trainable: at(at(trace, 'agent'), 'trainable'),
      env: at(at(episode, 'env'), 'id'),
      group: at(at(episode, 'group'), 'id'),
      training_step: at(at(at(episode, 'run'), 'work'), 'step'),
      ok: at(trace, 'ok') ?? at(episode, 'ok'),
      is_completed: at(trace, 'is_completed'),
      branches,
    }),
  );
  return metrics;
}
