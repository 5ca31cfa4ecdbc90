import { partText, type Episode, type Message, type Part } from '../model';
import { same } from './same';

/**
 * What an episode had before it was written in another format, and has no more when that is read again. Full sentences:
 * `3 context edits are left out.` Where in a file things stood, their ids within it and what it cannot show are no loss.
 */
export function lossesBetween(before: Episode, after: Episode): string[] {
  return [
    ...messageLosses(before.messages, after.messages),
    ...stepLosses(before, after),
    ...listLosses(before, after),
    ...outcomeLosses(before, after),
  ];
}

/** `1 message`, `3 messages` */
function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function are(count: number): string {
  return count === 1 ? 'is' : 'are';
}

function messageLosses(before: readonly Message[], after: readonly Message[]): string[] {
  if (before.length !== after.length) {
    return [
      `${counted(before.length, 'message')} ${before.length === 1 ? 'becomes' : 'become'} ${after.length}: the target divides the history in another way.`,
    ];
  }
  const changed = new Map<string, Message[]>();
  before.forEach((message, index) => {
    const again = after[index];
    if (again === undefined) return;
    for (const what of differencesOf(message, again)) {
      const messages = changed.get(what);
      if (messages === undefined) changed.set(what, [message]);
      else messages.push(message);
    }
  });
  return [...changed].map(([what, messages]) => {
    const [first] = messages;
    return `${what}: not the same in ${counted(messages.length, 'message')}, first in message ${first?.msgId}.`;
  });
}

const partNames: Record<Part['kind'], string> = {
  text: 'Text',
  reasoning: 'Thoughts',
  sealed: 'Encrypted thoughts',
  call: 'Tool calls',
  image: 'Images',
  refusal: 'Refusals',
  json: 'JSON',
  unknown: 'Parts of unknown kinds',
};

function differencesOf(before: Message, after: Message): string[] {
  const differences: string[] = [];
  const kinds = new Set([...before.parts, ...after.parts].map(({ kind }) => kind));
  for (const kind of kinds) {
    if (!same(ofKind(before, kind).map(essence), ofKind(after, kind).map(essence))) {
      differences.push(partNames[kind]);
    }
  }
  if (differences.length === 0 && !same(before.parts, after.parts)) {
    differences.push('The order of parts, or in which form thoughts are');
  }
  if (!same([before.role, before.roleLabel], [after.role, after.roleLabel])) differences.push('Roles');
  if (before.timing !== undefined && !same(before.timing, after.timing)) {
    differences.push('How long a tool took');
  }
  if (before.origin !== after.origin) differences.push('Whose message it is');
  if (!same(before.toolResultFor, after.toolResultFor)) differences.push('Which calls a result answers');
  if (before.toolName !== undefined && before.toolName !== after.toolName) {
    differences.push('The name of the tool that answered');
  }
  if (before.inferredFrom !== undefined && after.inferredFrom === undefined) {
    differences.push('That roles were inferred, and from which text');
  }
  if (!same(before.follows, after.follows)) differences.push('Where the history branches');
  return differences;
}

function ofKind({ parts }: Message, kind: Part['kind']): Part[] {
  return parts.filter((part) => part.kind === kind);
}

/** Of thoughts, what they say. */
function essence(part: Part): unknown {
  return part.kind === 'reasoning' ? partText(part) : part;
}

function stepLosses(before: Episode, after: Episode): string[] {
  if (before.steps.length !== after.steps.length) {
    return [
      `${counted(before.steps.length, 'step')} ${before.steps.length === 1 ? 'becomes' : 'become'} ${after.steps.length}: the target marks model calls in another way, or not at all.`,
    ];
  }
  const lost = (read: (step: Episode['steps'][number]) => unknown): number =>
    before.steps.filter((step, index) => {
      const again = after.steps[index];
      return read(step) !== undefined && (again === undefined || !same(read(step), read(again)));
    }).length;
  const tokens = lost(({ tokens }) => tokens && [tokens.promptIds, tokens.generationIds]);
  const logprobs = lost(({ tokens }) => tokens?.logprobs);
  const unfinished = lost((step) => step.unfinished);
  const timing = lost((step) => step.timing);
  return [
    ...(tokens === 0 ? [] : [`The token ids of ${counted(tokens, 'step')} are left out.`]),
    ...(logprobs === 0 || tokens > 0
      ? []
      : [`Log probabilities are not the same in ${counted(logprobs, 'step')}.`]),
    ...(unfinished === 0 ? [] : [`Why ${counted(unfinished, 'step')} did not finish is left out.`]),
    ...(timing === 0 ? [] : [`When ${counted(timing, 'step')} ran, and how long, is left out.`]),
  ];
}

/** By position: ids are given anew. */
function editsOf({ edits, messages }: Episode): unknown {
  const positions = new Map(messages.map(({ msgId }, position) => [msgId, position]));
  return edits.map(({ msgIds, by, summary, ...edit }) => ({
    ...edit,
    targets: msgIds.map((msgId) => positions.get(msgId)),
    by: by === undefined ? undefined : positions.get(by),
    summary: summary === undefined ? undefined : positions.get(summary),
  }));
}

function notesOf({ notes, messages }: Episode): unknown {
  const positions = new Map(messages.map(({ msgId }, position) => [msgId, position]));
  return notes?.map((note) => ({ ...note, by: note.by === undefined ? undefined : positions.get(note.by) }));
}

function listLosses(before: Episode, after: Episode): string[] {
  const losses: string[] = [];
  const left = (count: number, noun: string): number =>
    losses.push(`${counted(count, noun)} ${are(count)} left out, or not the same.`);
  if (before.edits.length > 0 && !same(editsOf(before), editsOf(after)))
    left(before.edits.length, 'context edit');
  const notes = before.notes?.length ?? 0;
  if (notes > 0 && !same(notesOf(before), notesOf(after))) left(notes, 'change of the notes');
  const samples = before.samples?.length ?? 0;
  if (samples > 0 && !same(before.samples, after.samples)) left(samples, 'recorded training sample');
  const views = before.recordedViews?.length ?? 0;
  if (views > 0 && !same(before.recordedViews, after.recordedViews)) left(views, 'recorded view');
  const exchanges = before.exchanges?.length ?? 0;
  if (exchanges > 0 && !same(before.exchanges, after.exchanges)) left(exchanges, 'exchange with the server');
  const states = before.states?.length ?? 0;
  if (states > 0 && !same(before.states, after.states)) left(states, 'state of the session');
  if (before.tools.length > 0 && !same(before.tools, after.tools))
    left(before.tools.length, 'tool description');
  return losses;
}

function outcomeLosses(before: Episode, after: Episode): string[] {
  const losses: string[] = [];
  const { outcome } = before;
  for (const [what, was, is] of [
    ['The reward', outcome.reward, after.outcome.reward],
    ['The verdict', outcome.verdict, after.outcome.verdict],
    ['How the episode ended', outcome.termination, after.outcome.termination],
    ['The error', outcome.error, after.outcome.error],
    ['The task', before.task, after.task],
    ["The model's name", before.model, after.model],
    ['The limits of the context', before.limits, after.limits],
    ['The episode it was forked from', before.fork, after.fork],
    ["How StateLM's loop renders its views", before.statelm?.dialect, after.statelm?.dialect],
  ] as const) {
    if (was !== undefined && !same(was, is)) losses.push(`${what} is left out, or not the same.`);
  }
  const components = missing(outcome.components, after.outcome.components);
  if (components.length > 0) losses.push(`Components of the reward are left out: ${listed(components)}.`);
  const metrics = missing(before.metrics, after.metrics);
  if (metrics.length > 0) losses.push(`Metrics are left out: ${listed(metrics)}.`);
  return losses;
}

function missing(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): string[] {
  return Object.keys(before).filter((key) => !Object.hasOwn(after, key) || !same(before[key], after[key]));
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, 8).join(', ');
  return names.length <= 8 ? shown : `${shown} and ${names.length - 8} more`;
}
