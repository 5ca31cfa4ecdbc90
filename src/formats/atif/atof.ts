import {
  arrayAt,
  at,
  excerpt,
  historyFrom,
  isObject,
  stringAt,
  type Episode,
  type Gap,
  type HistoryItem,
  type Metrics,
  type Outcome,
} from '../../model';
import { jsonText } from '../bounded';
import type { SourceRecord } from '../format';
import { historyOfCalls, type LoggedCall, type LoggedHistory, type Placed } from '../model-calls';
import { plainText } from '../content';
import { many, noTokenIds } from '../gaps';
import { oneEpisode } from '../episodes';
import { titleFrom } from '../title';
import { toolSpecs } from '../tool-specs';
import { answeredMessages, cutOffReason, sentMessages } from '../payloads';

/**
 * ATOF, the Agent Trajectory Observability Format of the NeMo Agent Toolkit (https://github.com/NVIDIA/NeMo-Agent-Toolkit,
 * `packages/nvidia_nat_atif/atof-event-format.md`): one event per line, and all lines together one run.
 *
 *     {"kind": "scope", "scope_category": "start", "atof_version": "0.1", "category": "llm", "uuid": "llm-1",
 *      "parent_uuid": "agent-1", "name": "gpt-4.1", "timestamp": "…", "data": {"messages": [{"role": "user", …}]}}
 *     {"kind": "scope", "scope_category": "end", "atof_version": "0.1", "category": "llm", "uuid": "llm-1",
 *      "data": {"choices": [{"message": {"role": "assistant", "content": "Hello."}}]}}
 *
 * Start and end of a scope have the same `uuid`. What is in `data` is up to the provider. Nothing is counted: calls
 * repeat what the calls before them said.
 */
export const atof = oneEpisode(
  {
    id: 'atof',
    name: 'ATOF event stream',
    unit: 'source',
    confidence: (value) => (isEvent(Array.isArray(value) ? value[0] : value) ? 1 : 0),
  },
  read,
);

function isEvent(value: unknown): boolean {
  const kind = stringAt(value, 'kind');
  return stringAt(value, 'atof_version') !== undefined && (kind === 'scope' || kind === 'mark');
}

interface Side {
  event: unknown;
  raw: string;
}

interface Scope {
  category: string;
  name: string;
  start?: Side;
  end?: Side;
}

function read({ value, index }: SourceRecord): Episode {
  const events: readonly unknown[] = Array.isArray(value) ? value : [value];
  const scopes = scopesOf(events);
  const calls = scopes.filter(({ category }) => category === 'llm');
  const tools = scopes.filter(({ category }) => category === 'tool');
  const told = calls.length === 0 ? opaque(scopes) : historyOf(calls, tools);
  const agent = scopes.find(({ category }) => category === 'agent') ?? scopes[0];
  const model = calls.flatMap(({ start, end }) => modelOf(start) ?? modelOf(end) ?? [])[0];
  const offered = calls.map(({ start }) => arrayAt(at(start?.event, 'data'), 'tools'));
  const { messages, steps } = told;
  return {
    id: String(index),
    format: 'atof',
    title: titleFrom(taskText(agent) ?? userText(calls[0]), agent?.name ?? 'Event stream'),
    ...(model === undefined ? {} : { model }),
    tools: toolSpecs(offered.find((list) => (list ?? []).length > 0) ?? []),
    messages,
    steps,
    edits: [],
    outcome: outcomeOf(scopes),
    metrics: metricsIn(events, scopes, agent),
    gaps: [
      ...gapsOf(events, scopes, told),
      ...(steps.length === 0 ? [] : [noTokenIds]),
      rewardGap,
      timingGap,
    ],
  };
}

/** In the order they began. An event without a `uuid` is a scope of its own. */
function scopesOf(events: readonly unknown[]): Scope[] {
  const scopes = new Map<string, Scope>();
  events.forEach((event, position) => {
    if (!isObject(event) || stringAt(event, 'kind') === 'mark') return;
    const key = stringAt(event, 'uuid') ?? ` ${position}`;
    const scope = scopes.get(key) ?? {
      category: stringAt(event, 'category') ?? 'unknown',
      name: stringAt(event, 'name') ?? '',
    };
    const side = stringAt(event, 'scope_category') === 'end' ? 'end' : 'start';
    scope[side] ??= { event, raw: `/${position}` };
    scopes.set(key, scope);
  });
  return [...scopes.values()];
}

function historyOf(calls: readonly Scope[], tools: readonly Scope[]): LoggedHistory {
  const answers = new Map<string, unknown>();
  const logged = calls.map(({ start, end }): LoggedCall => {
    const context = start === undefined ? [] : sentMessages(at(start.event, 'data'), `${start.raw}/data`);
    const emitted = end === undefined ? [] : answeredMessages(at(end.event, 'data'), `${end.raw}/data`);
    const repeated = context.map(({ value, raw }) => ({ value: asAnswered(value, answers), raw }));
    for (const { value } of emitted) for (const id of callIds(value)) answers.set(id, value);
    const unfinished = end === undefined ? 'no end event' : cutOffReason(at(end.event, 'data'));
    return { context: repeated, emitted, ...(unfinished === undefined ? {} : { unfinished }) };
  });
  return historyOfCalls(logged, lateResults(calls, tools));
}

/** Some writers repeat calls in later contexts by id and name alone. They are the ones that were answered then. */
function asAnswered(message: unknown, answers: ReadonlyMap<string, unknown>): unknown {
  const ids = callIds(message);
  const answer = ids[0] === undefined ? undefined : answers.get(ids[0]);
  if (answer === undefined || jsonText(callIds(answer)) !== jsonText(ids)) return message;
  const [was, is] = [at(answer, 'content') ?? '', at(message, 'content') ?? ''];
  return jsonText(was) === jsonText(is) ? answer : message;
}

function callIds(message: unknown): string[] {
  return (arrayAt(message, 'tool_calls') ?? []).flatMap((call) => stringAt(call, 'id') ?? []);
}

/** What tools returned after the last model call, which no context shows. */
function lateResults(calls: readonly Scope[], tools: readonly Scope[]): Placed[] {
  const lastCall = calls.reduce((last, { start, end }) => Math.max(last, lineOf(end ?? start)), -1);
  return tools.flatMap(({ name, end }) => {
    if (end === undefined || lineOf(end) < lastCall) return [];
    const data = at(end.event, 'data');
    const callId = stringAt(at(end.event, 'category_profile'), 'tool_call_id');
    const content = stringAt(data, 'result') ?? stringAt(data, 'output') ?? data;
    return [
      {
        value: { role: 'tool', name, content, ...(callId === undefined ? {} : { tool_call_id: callId }) },
        raw: `${end.raw}/data`,
      },
    ];
  });
}

function lineOf(side: Side | undefined): number {
  return side === undefined ? -1 : Number(side.raw.slice(1));
}

/** Where no scope is said to be a model call, what went in and out of each is all there is to show. */
function opaque(scopes: readonly Scope[]): LoggedHistory {
  const items = scopes.flatMap(({ name, start, end }): HistoryItem[] =>
    [start, end].flatMap((side): HistoryItem[] => {
      const data = at(side?.event, 'data');
      if (side === undefined || data === null || data === undefined) return [];
      const part: HistoryItem['parts'][number] =
        typeof data === 'string' ? { kind: 'text', text: data } : { kind: 'json', text: jsonText(data) };
      return [
        { role: 'tool', origin: 'environment', toolName: name, parts: [part], raw: `${side.raw}/data` },
      ];
    }),
  );
  return { ...historyFrom(items), breaks: [], dropsThoughts: false };
}

function modelOf(side: Side | undefined): string | undefined {
  return (
    stringAt(at(side?.event, 'category_profile'), 'model_name') ?? stringAt(at(side?.event, 'data'), 'model')
  );
}

function taskText(agent: Scope | undefined): string | undefined {
  const data = at(agent?.start?.event, 'data');
  return typeof data === 'string' ? data : (stringAt(data, 'input') ?? stringAt(data, 'query'));
}

function userText(call: Scope | undefined): string | undefined {
  if (call?.start === undefined) return undefined;
  const sent = sentMessages(at(call.start.event, 'data'), '');
  const asked = sent.find(({ value }) => stringAt(value, 'role') === 'user');
  return asked === undefined ? undefined : plainText(at(asked.value, 'content'));
}

function outcomeOf(scopes: readonly Scope[]): Outcome {
  const error = scopes
    .map(({ end }) => stringAt(at(end?.event, 'data'), 'error'))
    .find((each) => each !== undefined && each !== '');
  return { components: {}, noReward: 'never-kept', ...(error === undefined ? {} : { error }) };
}

function metricsIn(events: readonly unknown[], scopes: readonly Scope[], agent: Scope | undefined): Metrics {
  const of = (category: string): number => scopes.filter((scope) => scope.category === category).length;
  return {
    events: events.length,
    llm_scopes: of('llm'),
    tool_scopes: of('tool'),
    ...(agent === undefined || agent.name === '' ? {} : { agent: excerpt(agent.name, 80) }),
  };
}

function gapsOf(events: readonly unknown[], scopes: readonly Scope[], told: LoggedHistory): Gap[] {
  const gaps: Gap[] = [];
  if (told.steps.length === 0) {
    gaps.push({
      about: 'messages',
      reason:
        'No scope of this stream is said to be a model call: what went in and out of its scopes is shown instead.',
    });
  }
  const open = scopes.filter(({ end }) => end === undefined).length;
  if (open > 0)
    gaps.push({ about: 'results', reason: `The end of ${many(open, 'scope')} is not in this stream.` });
  const marks = events.filter((event) => stringAt(event, 'kind') === 'mark').length;
  if (marks > 0) {
    const stand = marks === 1 ? '1 mark is' : `${marks} marks are`;
    gaps.push({ about: 'messages', reason: `${stand} shown in the raw record only.` });
  }
  const [first] = told.breaks;
  if (first !== undefined) {
    gaps.push({
      about: 'views',
      step: first,
      reason: `The context of step ${first} does not go on from what the step before it emitted: another agent was at work, or the context was edited. Views are as recorded.`,
    });
  }
  if (told.dropsThoughts) {
    gaps.push({
      about: 'views',
      reason: 'Contexts of later steps leave out the thoughts of earlier ones; the views still show them.',
    });
  }
  return gaps;
}

const rewardGap: Gap = { about: 'reward', reason: 'ATOF keeps no reward.' };
const timingGap: Gap = {
  about: 'timing',
  reason: 'When scopes began and ended is shown in the raw record only.',
};
