import { arrayAt, at, isObject, stringAt, type Gap, type Message, type Step } from '../../model';
import { chatEntry } from '../chat-entry';

/**
 * The message graph of a trace. Each node is one message, whatever number of contexts it stood in, and names the one
 * before it:
 *
 *     nodes: [
 *       { message: { role: 'user', content: 'Weather?' }, sampled: false, token_ids: [1, 2], mask: [false, false] },
 *       { parent: 0, message: { role: 'assistant', content: 'Rain.' }, sampled: true,
 *         token_ids: [3, 4], mask: [false, true], logprobs: [-0.3] },
 *     ]
 *
 * A node that was sampled is a model call, and its context the path to it. What an assistant says in a node that was not
 * sampled was put into its mouth. Several leaves are several conversations: a compacted context, a subagent.
 */
export interface Graph {
  nodes: readonly unknown[];
  /** The node before each, or -1. Always an earlier one. */
  parents: readonly number[];
  /** The step that sampled each node, or -1. */
  sampledAt: readonly number[];
  messages: Message[];
  steps: Step[];
  gaps: Gap[];
}

/** `base`: pointer to the trace. */
export function readGraph(trace: unknown, base: string): Graph {
  const nodes = arrayAt(trace, 'nodes') ?? [];
  const graph = { nodes, parents: [] as number[], sampledAt: [] as number[], messages: [] as Message[] };
  const steps: Step[] = [];
  let lost = 0;
  nodes.forEach((node, index) => {
    const parent = parentOf(node, index);
    if (parent === undefined) lost += 1;
    const isSampled = at(node, 'sampled') === true;
    if (isSampled) steps.push({ index: steps.length });
    graph.parents.push(parent ?? -1);
    graph.sampledAt.push(isSampled ? steps.length - 1 : -1);
    graph.messages.push(messageFrom(node, index, parent ?? -1, steps.length - 1, `${base}/nodes/${index}`));
  });
  const gaps: Gap[] = [];
  if (lost > 0) {
    gaps.push({
      about: 'views',
      reason: `${lost === 1 ? 'One message names' : `${lost} messages name`} one that does not come before it as the one it follows, and ${lost === 1 ? 'is' : 'are'} shown as the start of a conversation.`,
    });
  }
  markUnfinished(steps, graph.sampledAt, arrayAt(trace, 'calls') ?? []);
  return { ...graph, steps, gaps };
}

/** -1 for a root, undefined for what cannot be. */
function parentOf(node: unknown, index: number): number | undefined {
  const parent = at(node, 'parent');
  if (parent === null || parent === undefined) return -1;
  const isEarlier = typeof parent === 'number' && Number.isInteger(parent) && parent >= 0 && parent < index;
  return isEarlier ? parent : undefined;
}

function messageFrom(node: unknown, index: number, parent: number, step: number, raw: string): Message {
  const entry = chatEntry(at(node, 'message'), `${raw}/message`);
  const isSampled = at(node, 'sampled') === true;
  return {
    msgId: index,
    ...entry,
    origin: isSampled ? 'policy' : step < 0 || parent < 0 ? 'prompt' : 'environment',
    bornAtStep: step,
    ...(parent === index - 1 ? {} : { follows: parent < 0 ? null : parent }),
    raw: [raw],
  };
}

/** A call says how the node ended that it made: `{ node: 2, finish_reason: 'length' }`. */
function markUnfinished(steps: Step[], sampledAt: readonly number[], calls: readonly unknown[]): void {
  for (const call of calls) {
    const node = at(call, 'node');
    const step = typeof node === 'number' ? steps[sampledAt[node] ?? -1] : undefined;
    if (step === undefined) continue;
    const error = at(call, 'error');
    if (stringAt(call, 'finish_reason') === 'length') step.unfinished = 'length';
    else if (isObject(error)) step.unfinished = stringAt(error, 'type') ?? 'error';
  }
}

export function leavesOf({ parents }: Pick<Graph, 'parents'>): number[] {
  const isInner = new Set(parents);
  return [...parents.keys()].filter((node) => !isInner.has(node));
}

/** The paths from a root to each leaf, in the order of the leaves: one per training sample. */
export function branchesOf(graph: Pick<Graph, 'parents'>): number[][] {
  return leavesOf(graph).map((leaf) => {
    const path: number[] = [];
    for (let node = leaf; node >= 0; node = graph.parents[node] ?? -1) path.push(node);
    return path.reverse();
  });
}
