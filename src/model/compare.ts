import { alignSteps, type Act } from './align-steps';
import { answersIn } from './answers';
import type { Episode, ToolCall } from './episode';
import { broughtBy, toolCallsOf } from './history';
import { sameValue } from './json-value';
import { once } from './once';
import { stateAt } from './state';
import { messageText, partText } from './text';

/**
 * Two episodes side by side: a run and its fork, two rollouts of one task, the same script on two servers. Steps stand in
 * a row where they correspond, and each row says what is different in it.
 */
export interface EpisodeComparison {
  /** In order. Every step of both episodes stands in exactly one row. */
  rows: StepRow[];
  /** How many rows from the first are the same in everything. */
  same: number;
  /** The first difference, the prompt and the seeded state (step -1) included; undefined where the two are the same. */
  first?: FirstDifference;
  rewards: { a?: number; b?: number };
}

export type StepRow =
  | { kind: 'both'; a: number; b: number; differences: StepDifference[] }
  | { kind: 'a'; a: number }
  | { kind: 'b'; b: number };

export interface StepDifference {
  what: 'prompt' | 'text' | 'tool' | 'arguments' | 'result' | 'state' | 'reward';
  /** Which of the step's calls, from 0, where it is about one. */
  call?: number;
  /** What stands there; undefined where one has nothing in this place. JSON for a state, else text. */
  a: unknown;
  b: unknown;
}

export interface FirstDifference extends Omit<StepDifference, 'what'> {
  /** `step`: one of the episodes has a step here that the other has not. */
  what: StepDifference['what'] | 'step';
  /** Index of its row; -1 before the first. */
  row: number;
  /** The step in each; undefined where that episode has none in the row. */
  steps: { a?: number; b?: number };
  /** `Step 3: the result of increment_counter differs.` */
  sentence: string;
}

export function compareEpisodes(a: Episode, b: Episode): EpisodeComparison {
  const left = actsOf(a);
  const right = actsOf(b);
  const rows = alignSteps(left, right).map((row): StepRow =>
    row.kind === 'both' ? { ...row, differences: differencesAt(a, b, row.a, row.b) } : row,
  );
  const rewards = {
    ...(a.outcome.reward === undefined ? {} : { a: a.outcome.reward }),
    ...(b.outcome.reward === undefined ? {} : { b: b.outcome.reward }),
  };
  const differs = rows.findIndex((row) => row.kind !== 'both' || row.differences.length > 0);
  const first = firstOf(a, b, rows, differs);
  return {
    rows,
    same: differs < 0 ? rows.length : differs,
    ...(first === undefined ? {} : { first }),
    rewards,
  };
}

const actsOf = once((episode: Episode): Act[] =>
  episode.steps.map(({ index }) => {
    const calls = callsAt(episode, index);
    const tools = JSON.stringify(calls.map(({ name }) => name));
    const made = JSON.stringify(calls.map(({ name, arguments: args }) => [name, compact(args)]));
    return { tools, calls: made, whole: `${made}\n${spokenAt(episode, index)}` };
  }),
);

function callsAt(episode: Episode, step: number): ToolCall[] {
  return broughtBy(episode, step).emitted.flatMap(toolCallsOf);
}

/** What was said and thought, without the calls. */
function spokenAt(episode: Episode, step: number): string {
  return broughtBy(episode, step)
    .emitted.flatMap(({ parts }) => parts)
    .flatMap((part) => (part.kind === 'call' ? [] : [partText(part)]))
    .join('\n');
}

/** `{"a": 1}` and `{"a":1}` are the same arguments. What is no JSON, or too deep to be written again, stays as it is. */
function compact(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text)) ?? text;
  } catch {
    return text;
  }
}

function differencesAt(a: Episode, b: Episode, stepA: number, stepB: number): StepDifference[] {
  const found: StepDifference[] = [];
  const spoken = [spokenAt(a, stepA), spokenAt(b, stepB)] as const;
  if (spoken[0] !== spoken[1]) found.push({ what: 'text', a: spoken[0], b: spoken[1] });
  const calls = [callsAt(a, stepA), callsAt(b, stepB)] as const;
  for (let call = 0; call < Math.max(calls[0].length, calls[1].length); call++) {
    const one = calls[0][call];
    const other = calls[1][call];
    if (one?.name !== other?.name) found.push({ what: 'tool', call, a: one?.name, b: other?.name });
    if (one === undefined || other === undefined) continue;
    if (!sameText(one.arguments, other.arguments)) {
      found.push({ what: 'arguments', call, a: one.arguments, b: other.arguments });
    }
    const results = [resultOf(a, one), resultOf(b, other)] as const;
    if (!sameText(results[0], results[1])) found.push({ what: 'result', call, a: results[0], b: results[1] });
  }
  // What the environment said that is no result of a call: a user's turn.
  const said = [saidAt(a, stepA), saidAt(b, stepB)] as const;
  if (said[0] !== said[1]) found.push({ what: 'result', a: said[0], b: said[1] });
  const state = stateDifference(a, b, stepA, stepB);
  if (state !== undefined) found.push(state);
  return found;
}

/** Only where both are known: one that came without states is not different for it. */
function stateDifference(a: Episode, b: Episode, stepA: number, stepB: number): StepDifference | undefined {
  const states = [stateAt(a, stepA), stateAt(b, stepB)] as const;
  if (states[0] === undefined || states[1] === undefined) return undefined;
  if (sameValue(states[0].value, states[1].value)) return undefined;
  return { what: 'state', a: states[0].value, b: states[1].value };
}

/** As JSON where both are JSON. */
export function sameText(a: string | undefined, b: string | undefined): boolean {
  if (a === b) return true;
  if (a === undefined || b === undefined) return false;
  try {
    return sameValue(JSON.parse(a), JSON.parse(b));
  } catch {
    return false;
  }
}

function resultOf(episode: Episode, call: ToolCall): string | undefined {
  return answersIn(episode).resultsOf.get(call)?.map(messageText).join('\n');
}

function saidAt(episode: Episode, step: number): string {
  const said = broughtBy(episode, step).answered.filter(
    ({ toolResultFor, role }) => role !== 'tool' || (toolResultFor ?? []).length === 0,
  );
  return said.map(messageText).join('\n');
}

function promptOf({ messages }: Episode): string {
  return messages
    .filter(({ bornAtStep }) => bornAtStep < 0)
    .map((message) => `${message.role}: ${messageText(message)}`)
    .join('\n');
}

function firstOf(
  a: Episode,
  b: Episode,
  rows: readonly StepRow[],
  differs: number,
): FirstDifference | undefined {
  const prompts = [promptOf(a), promptOf(b)] as const;
  const before: StepDifference | undefined =
    prompts[0] === prompts[1]
      ? stateDifference(a, b, -1, -1)
      : { what: 'prompt', a: prompts[0], b: prompts[1] };
  if (before !== undefined) {
    const sentence = before.what === 'prompt' ? 'The prompts differ.' : 'The state after seeding differs.';
    return { ...before, row: -1, steps: { a: -1, b: -1 }, sentence };
  }
  const row = rows[differs];
  if (row !== undefined) return inRow(a, b, row, differs);
  if (Object.is(a.outcome.reward, b.outcome.reward)) return undefined;
  return {
    what: 'reward',
    a: a.outcome.reward,
    b: b.outcome.reward,
    row: rows.length - 1,
    steps: { a: a.steps.length - 1, b: b.steps.length - 1 },
    sentence: `The rewards differ: ${a.outcome.reward ?? 'none'} and ${b.outcome.reward ?? 'none'}.`,
  };
}

function inRow(a: Episode, b: Episode, row: StepRow, index: number): FirstDifference {
  if (row.kind !== 'both') {
    const [episode, step] = row.kind === 'a' ? [a, row.a] : [b, row.b];
    const side = row.kind === 'a' ? 'first' : 'second';
    const text = spokenAt(episode, step);
    return {
      what: 'step',
      a: row.kind === 'a' ? text : undefined,
      b: row.kind === 'b' ? text : undefined,
      row: index,
      steps: row.kind === 'a' ? { a: step } : { b: step },
      sentence: `Step ${step} is in the ${side} episode only.`,
    };
  }
  const [difference] = row.differences;
  if (difference === undefined) throw new Error('A row that differs says in what.');
  const steps = row.a === row.b ? `Step ${row.a}` : `Step ${row.a}, step ${row.b} of the other`;
  const name = difference.call === undefined ? undefined : callsAt(a, row.a)[difference.call]?.name;
  return {
    ...difference,
    row: index,
    steps: { a: row.a, b: row.b },
    sentence: `${steps}: ${phraseOf(difference, name ?? 'a call')}.`,
  };
}

function phraseOf({ what, a, b }: StepDifference, tool: string): string {
  switch (what) {
    case 'text':
      return 'what the policy said differs';
    case 'tool':
      return a === undefined || b === undefined
        ? `one calls ${nameIn(a ?? b)}, the other does not`
        : `one calls ${nameIn(a)}, the other ${nameIn(b)}`;
    case 'arguments':
      return `the arguments of ${tool} differ`;
    case 'result':
      return tool === 'a call' ? 'what the environment said differs' : `the result of ${tool} differs`;
    case 'state':
      return 'the session state after it differs';
    case 'prompt':
    case 'reward':
      return `the ${what} differs`;
  }
}

function nameIn(value: unknown): string {
  return typeof value === 'string' ? value : 'nothing';
}
