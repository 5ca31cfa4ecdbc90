import { arrayAt, at, isObject, spansOfMask, type Sample, type Span, type StepTokens } from '../../model';
import { tokenIds, tokenMask, tokenNumbers } from '../token-lists';
import { branchesOf, leavesOf, type Graph } from './graph';

/** Streams with one number per token under a 1 of the mask, and the names they have here. */
const sampledStreams: [key: string, name: string][] = [
  ['advantages', 'advantage'],
  ['reference_logprobs', 'refLogprob'],
  ['trainer_logprobs', 'trainerLogprob'],
  ['entropies', 'entropy'],
];

/**
 * Samples are made of as many tokens as their paths have together, and a graph of a few thousand nodes can have paths
 * without end. This many, with their masks and numbers, still fit the memory of a page.
 */
const mostTokens = 32_000_000;

export type TokenState = 'none' | 'readable' | 'broken' | 'too many';

/** Whether the samples of a graph can be made, without making them. */
export function tokenState({ nodes, parents, sampledAt }: Graph): TokenState {
  const sizes = nodes.map(nodeSize);
  if (sizes.includes(undefined)) return 'broken';
  if (!sizes.some((size) => size !== undefined && size > 0)) return 'none';
  const isInner = new Set(parents);
  const upTo: number[] = [];
  let total = 0;
  parents.forEach((parent, node) => {
    const here = (upTo[parent] ?? 0) + (sizes[node] ?? 0) + 1;
    upTo.push(here);
    // A sample also has an entry for every step that it spans.
    if (!isInner.has(node)) total += here + Math.max(sampledAt[node] ?? 0, 0);
  });
  return total > mostTokens ? 'too many' : 'readable';
}

function nodeSize(node: unknown): number | undefined {
  const ids = tokenIds(at(node, 'token_ids') ?? []);
  const mask = tokenMask(at(node, 'mask') ?? []);
  return ids === undefined || mask === undefined || ids.length !== mask.length ? undefined : ids.length;
}

export interface BranchTokens {
  samples: Sample[];
  /** By step. */
  steps: Map<number, StepTokens>;
}

/**
 * A sample per leaf. The tokens of a path, put together, are those the model saw; steps share them with the first sample
 * that they are in.
 */
export function readBranches(graph: Graph): BranchTokens {
  const isReadable = tokenState(graph) === 'readable';
  const steps = new Map<number, StepTokens>();
  const branches = isReadable ? branchesOf(graph) : leavesOf(graph).map((leaf) => [leaf]);
  const samples = branches.map((path, index): Sample => {
    const sampled = path.map((node) => graph.sampledAt[node] ?? -1).filter((step) => step >= 0);
    const sample: Sample = {
      kind: index === branches.length - 1 ? 'final' : 'snapshot',
      index,
      firstStep: sampled[0] ?? 0,
      lastStep: sampled.at(-1) ?? -1,
    };
    const track = isReadable ? new Track(graph, path, sample) : undefined;
    return track === undefined || track.isEmpty ? sample : { ...sample, tokens: track.read(steps) };
  });
  return { samples, steps };
}

class Track {
  readonly #graph: Graph;
  readonly #path: readonly number[];
  readonly #sample: Sample;
  /** Where the tokens of each node of the path start, and one past the end. */
  readonly #starts: number[] = [];
  readonly #ids: Int32Array;
  readonly #mask: Uint8Array;

  constructor(graph: Graph, path: readonly number[], sample: Sample) {
    this.#graph = graph;
    this.#path = path;
    this.#sample = sample;
    const own = path.map((node) => ({
      ids: tokenIds(at(graph.nodes[node], 'token_ids')) ?? new Int32Array(),
      mask: tokenMask(at(graph.nodes[node], 'mask')) ?? new Uint8Array(),
    }));
    let length = 0;
    for (const { ids } of own) {
      this.#starts.push(length);
      length += ids.length;
    }
    this.#starts.push(length);
    this.#ids = new Int32Array(length);
    this.#mask = new Uint8Array(length);
    own.forEach(({ ids, mask }, nth) => {
      this.#ids.set(ids, this.#starts[nth]);
      this.#mask.set(mask, this.#starts[nth]);
    });
  }

  get isEmpty(): boolean {
    return this.#ids.length === 0;
  }

  read(steps: Map<number, StepTokens>): NonNullable<Sample['tokens']> {
    const turns = this.#turns();
    const length = this.#ids.length;
    const prompt = turns[0]?.[0] ?? length;
    const logprobs = this.#spread('logprobs');
    this.#path.forEach((node, nth) => {
      const step = this.#graph.sampledAt[node] ?? -1;
      if (step < 0 || steps.has(step)) return;
      const [start, end] = this.#turnAt(nth);
      const own = logprobs?.subarray(start, end);
      steps.set(step, {
        promptIds: this.#ids.subarray(0, start),
        generationIds: this.#ids.subarray(start, end),
        ...(own === undefined ? {} : { logprobs: own }),
      });
    });
    const values = this.#values(prompt);
    return {
      promptIds: this.#ids.subarray(0, prompt),
      responseIds: this.#ids.subarray(prompt),
      maskLength: length - prompt,
      trained: spansOfMask(this.#mask.subarray(prompt)),
      turns: turns.map(([start, end]) => [start - prompt, end - prompt]),
      ...(logprobs === undefined ? {} : { logprobs: logprobs.subarray(prompt) }),
      ...(Object.keys(values).length === 0 ? {} : { values }),
    };
  }

  /** One per step from the sample's first to its last; empty for those that are on other paths. */
  #turns(): Span[] {
    const { firstStep, lastStep } = this.#sample;
    const turns = new Map<number, Span>();
    this.#path.forEach((node, nth) => turns.set(this.#graph.sampledAt[node] ?? -1, this.#turnAt(nth)));
    const spans: Span[] = [];
    let before = turns.get(firstStep)?.[0] ?? 0;
    for (let step = firstStep; step <= lastStep; step++) {
      const span: Span = turns.get(step) ?? [before, before];
      spans.push(span);
      before = span[1];
    }
    return spans;
  }

  /** What a node's call emitted: from the first token under a 1, or all of it where there is none. */
  #turnAt(nth: number): Span {
    const [start, end] = [this.#starts[nth] ?? 0, this.#starts[nth + 1] ?? 0];
    const first = this.#mask.subarray(start, end).indexOf(1);
    return [first < 0 ? start : start + first, end];
  }

  /** A stream that nodes keep for tokens under a 1 only, laid out over all tokens. */
  #spread(key: string): Float32Array | undefined {
    const spread = new Float32Array(this.#ids.length).fill(NaN);
    let isThere = false;
    this.#path.forEach((node, nth) => {
      const list = tokenNumbers(at(this.#graph.nodes[node], key)) ?? new Float32Array();
      let next = 0;
      const end = this.#starts[nth + 1] ?? 0;
      for (let token = this.#starts[nth] ?? 0; token < end && next < list.length; token++) {
        if (this.#mask[token] === 0) continue;
        spread[token] = list[next] ?? NaN;
        next += 1;
        isThere = true;
      }
    });
    return isThere ? spread : undefined;
  }

  #values(prompt: number): Record<string, Float32Array> {
    const values: Record<string, Float32Array> = {};
    for (const [key, name] of sampledStreams) {
      const spread = this.#spread(key);
      if (spread !== undefined) values[name] = spread.subarray(prompt);
    }
    for (const name of this.#lossWeightNames()) {
      const weights = new Float32Array(this.#ids.length).fill(NaN);
      this.#path.forEach((node, nth) => {
        const list = tokenNumbers(arrayAt(at(this.#graph.nodes[node], 'loss_weights'), name));
        const [start, end] = [this.#starts[nth] ?? 0, this.#starts[nth + 1] ?? 0];
        if (list?.length === end - start) weights.set(list, start);
      });
      values[`lossWeight ${name}`] = weights.subarray(prompt);
    }
    return values;
  }

  #lossWeightNames(): Set<string> {
    const names = new Set<string>();
    for (const node of this.#path) {
      const weights = at(this.#graph.nodes[node], 'loss_weights');
      if (isObject(weights)) for (const name of Object.keys(weights)) names.add(name);
    }
    return names;
  }
}
