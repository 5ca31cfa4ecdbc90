import { at, noCounts, numberAt, stringAt, type Counts, type EpisodeSummary } from '../../model';
import { distinctTools } from '../called-tools';
import { ItemTable, wordOf } from '../item-table';
import { taskOf, titleOf } from './identity';
import { isByModel, kindOf, type ItemKind } from './items';
import { rolloutMetrics } from './metrics';
import { componentsOf } from './outcome';
import { placeOf } from './summary-fields';

/**
 * The summary of a rollout from tables of its items, in one pass and without an object per item. It says what the
 * summary of the whole record says; undefined where that takes more than the tables have.
 */
export function sketchOf(value: unknown, index: number): EpisodeSummary | undefined {
  const params = at(value, 'responses_create_params');
  const pass = new Pass();
  if (stringAt(params, 'instructions') !== undefined) pass.given();
  if (!pass.input(at(params, 'input')) || !pass.output(at(at(value, 'response'), 'output'))) return undefined;
  const task = taskOf(value);
  const reward = numberAt(value, 'reward');
  const { counts, steps } = pass;
  const tools = pass.tools();
  const summary: EpisodeSummary = {
    title: titleOf(value, index),
    counts,
    steps,
    edits: 0,
    samples: steps === 0 ? 0 : 1,
    metrics: rolloutMetrics(value, componentsOf(value)),
    gaps: pass.gaps(reward !== undefined),
  };
  if (task !== undefined) summary.task = task;
  if (reward !== undefined) summary.reward = reward;
  if (tools.length > 0) summary.tools = tools;
  return summary;
}

const type = placeOf('type');
const role = placeOf('role');
const name = placeOf('name');
const ownId = placeOf('id');
const callId = placeOf('call_id');
const toolCallId = placeOf('tool_call_id');
const content = placeOf('content');
const summary = placeOf('summary');

class Pass {
  readonly counts: Counts = noCounts();
  steps = 0;
  private entries = 0;
  private firstIsPolicy = false;
  private lastIsPolicy = false;
  private isAnswered = false;
  private givenByModel = false;
  private sealed = false;
  private readonly toolCodes: number[] = [];
  private readonly callIds: number[] = [];
  private readonly resultIds: number[] = [];

  /** A message of the request that is not among its items. */
  given(): void {
    this.entries += 1;
  }

  input(input: unknown): boolean {
    if (typeof input === 'string') {
      this.given();
      this.counts.inputMessages += 1;
      return true;
    }
    if (input === null || input === undefined) return true;
    return input instanceof ItemTable && this.items(input, true);
  }

  output(output: unknown): boolean {
    if (typeof output === 'string') {
      this.made(true);
      this.counts.messages += 1;
      return true;
    }
    return output instanceof ItemTable ? this.items(output, false) : true;
  }

  private items(table: ItemTable, isInput: boolean): boolean {
    for (let row = 0; row < table.length; row++) {
      const { kind, byModel } = natureOf(table.at(row, type), table.at(row, role));
      count(this.counts, kind, isInput);
      if (isInput) {
        this.given();
        if (byModel) this.givenByModel = true;
      } else {
        this.made(byModel);
      }
      if (kind === 'call' && !this.call(table, row, isInput)) return false;
      if (kind === 'result') this.result(table, row);
      if (kind === 'reasoning' && table.at(row, summary) === 0 && table.at(row, content) === 0) {
        this.sealed = true;
      }
    }
    return true;
  }

  private made(byModel: boolean): void {
    if (this.entries === 0) this.firstIsPolicy = byModel;
    this.entries += 1;
    this.isAnswered = true;
    if (byModel && !this.lastIsPolicy) this.steps += 1;
    this.lastIsPolicy = byModel;
  }

  /** False for a call without an id, which is named by its place. */
  private call(table: ItemTable, row: number, isInput: boolean): boolean {
    const named = table.at(row, callId);
    const id = named < 0 ? table.at(row, ownId) : named;
    if (id < 0) return false;
    this.callIds.push(id);
    const tool = table.at(row, name);
    if (!isInput && tool >= 0 && !this.toolCodes.includes(tool)) this.toolCodes.push(tool);
    return true;
  }

  private result(table: ItemTable, row: number): void {
    const named = table.at(row, callId);
    this.resultIds.push(named < 0 ? table.at(row, toolCallId) : named);
  }

  tools(): string[] {
    return distinctTools(this.toolCodes.map(wordOf));
  }

  private get isPaired(): boolean {
    const { callIds, resultIds } = this;
    // Mostly each call is followed by its result.
    if (callIds.length === resultIds.length && callIds.every((id, nth) => id === resultIds[nth])) return true;
    const [called, answered] = [new Set(callIds), new Set(resultIds)];
    return callIds.every((id) => answered.has(id)) && resultIds.every((id) => called.has(id));
  }

  /** In the order in which they are found in a whole record. */
  gaps(hasReward: boolean): EpisodeSummary['gaps'] {
    const gaps: EpisodeSummary['gaps'] = [];
    if (this.entries === 0 || this.firstIsPolicy || !this.isAnswered || this.givenByModel)
      gaps.push('messages');
    if (this.sealed) gaps.push('reasoning');
    if (this.steps > 0) gaps.push('tokens');
    gaps.push('state', 'timing');
    if (!hasReward) gaps.push('reward');
    if (!this.isPaired) gaps.push('results');
    return gaps;
  }
}

interface Nature {
  kind: ItemKind;
  byModel: boolean;
}

/** By the code of the type, or, where there is none, of the role; a row each for messages, whose role matters. */
const natures: Nature[][] = [];

function natureOf(type: number, role: number): Nature {
  const row = (natures[type + 1] ??= []);
  return (row[role + 1] ??= judge(wordOf(type), wordOf(role)));
}

function judge(type: string | undefined, role: string | undefined): Nature {
  const item = { ...(type === undefined ? {} : { type }), ...(role === undefined ? {} : { role }) };
  const kind = kindOf(item);
  return { kind, byModel: isByModel({ item, kind }) };
}

function count(counts: Counts, kind: ItemKind, isInput: boolean): void {
  switch (kind) {
    case 'message':
      if (isInput) counts.inputMessages += 1;
      else counts.messages += 1;
      break;
    case 'call':
      if (isInput) counts.inputToolCalls += 1;
      else counts.toolCalls += 1;
      break;
    case 'result':
      if (isInput) counts.inputToolResults += 1;
      else counts.toolResults += 1;
      break;
    case 'reasoning':
      if (isInput) counts.inputReasoning += 1;
      else counts.reasoning += 1;
      break;
    case 'other':
  }
}
