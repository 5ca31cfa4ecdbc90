import {
  arrayAt,
  at,
  isObject,
  noCounts,
  numberAt,
  stringAt,
  type Counts,
  type JsonObject,
} from '../../model';

/** A line of a session and where it stands among all lines of the file. */
export interface Line {
  value: JsonObject;
  /** JSON pointer into the array of all lines. */
  raw: string;
}

/** Kinds of lines that are about the session and not part of the conversation. */
const sideKinds = new Set([
  'system',
  'progress',
  'attachment',
  'file-history-snapshot',
  'queue-operation',
  'custom-title',
  'ai-title',
  'agent-name',
  'last-prompt',
  'permission-mode',
  'mode',
  'pr-link',
  'tag',
]);

/** How surely a value is a line of a session, from 0 to 1. */
export function lineConfidence(value: unknown): number {
  if (!isObject(value)) return 0;
  const type = stringAt(value, 'type');
  if (type === undefined) return 0;
  const inSession = stringAt(value, 'sessionId') !== undefined;
  const isNode = stringAt(value, 'uuid') !== undefined && at(value, 'parentUuid') !== undefined;
  if (isNode && inSession) return 0.95;
  if (type === 'summary' && stringAt(value, 'leafUuid') !== undefined) return 0.9;
  if (type === 'file-history-snapshot' && isObject(at(value, 'snapshot'))) return 0.9;
  return sideKinds.has(type) && inSession ? 0.6 : 0;
}

/** What was said, if anything was: an entry without a message is not part of the conversation. */
export function messageOf(line: Line): JsonObject | undefined {
  const message = at(line.value, 'message');
  if (!isSpoken(line) || !isObject(message)) return undefined;
  const content = at(message, 'content');
  return typeof content === 'string' || Array.isArray(content) ? message : undefined;
}

function isSpoken({ value }: Line): boolean {
  const type = stringAt(value, 'type');
  return type === 'user' || type === 'assistant';
}

export function isSidechain({ value }: Line): boolean {
  return at(value, 'isSidechain') === true;
}

/** Lines that have text, calls, results, and thoughts. */
export function countLines(lines: readonly Line[]): Counts {
  const counts = noCounts();
  for (const line of lines) {
    const message = messageOf(line);
    if (message === undefined) continue;
    const blocks = arrayAt(message, 'content') ?? [{ type: 'text', text: at(message, 'content') }];
    const ofType = (type: string): number => blocks.filter((block) => at(block, 'type') === type).length;
    if (blocks.some((block) => at(block, 'type') === 'text' && at(block, 'text') !== ''))
      counts.messages += 1;
    counts.toolCalls += ofType('tool_use');
    counts.toolResults += ofType('tool_result');
    counts.reasoning += ofType('thinking') + ofType('redacted_thinking');
  }
  return counts;
}

export interface Session {
  id: string;
  lines: Line[];
  /** Lines that nothing could be made of: no objects, without a type, or a message without content. */
  strange: number;
  /** What the whole conversation is called, where the file says it. */
  title?: string;
}

/**
 * The sessions of a file in the order they begin; nearly always one. Lines that name no session belong to the one they
 * stand in.
 */
export function sessionsIn(values: readonly unknown[]): Session[] {
  const sessions = new Map<string, Session>();
  const homes = new Map<string, Session>();
  let current: Session | undefined;
  let strange = 0;
  values.forEach((value, index) => {
    if (!isObject(value) || stringAt(value, 'type') === undefined) {
      strange += 1;
      return;
    }
    const id = stringAt(value, 'sessionId');
    if (id !== undefined) {
      current = sessions.get(id) ?? { id, lines: [], strange: 0 };
      sessions.set(id, current);
    }
    if (current === undefined) {
      current = { id: '', lines: [], strange: 0 };
      sessions.set('', current);
    }
    const line = { value, raw: `/${index}` };
    current.lines.push(line);
    if (isSpoken(line) && messageOf(line) === undefined) strange += 1;
    const uuid = stringAt(value, 'uuid');
    if (uuid !== undefined) homes.set(uuid, current);
    const title = stringAt(value, 'summary') ?? stringAt(value, 'customTitle') ?? stringAt(value, 'aiTitle');
    const home = homes.get(stringAt(value, 'leafUuid') ?? '') ?? current;
    if (title !== undefined && stringAt(value, 'type') !== 'user') home.title = title;
  });
  const found = [...sessions.values()];
  // Lines before the first that names a session are that session's.
  const [first, second] = found;
  if (first?.id === '' && second !== undefined) {
    second.lines = [...first.lines, ...second.lines];
    if (second.title === undefined && first.title !== undefined) second.title = first.title;
    found.shift();
  }
  if (found[0] !== undefined) found[0].strange = strange;
  return found;
}

/** Tokens as the provider counted them: what all calls emitted, and the context of the last. */
export function usageOf(lines: readonly Line[]): Record<string, number> {
  const usages = new Map<string, unknown>();
  for (const line of lines) {
    const message = messageOf(line);
    const usage = at(message, 'usage');
    // One call is written over several lines, each with the usage so far.
    if (isObject(usage)) usages.set(stringAt(message, 'id') ?? line.raw, usage);
  }
  if (usages.size === 0) return {};
  const total = [...usages.values()].reduce<number>(
    (sum, usage) => sum + (numberAt(usage, 'output_tokens') ?? 0),
    0,
  );
  const last = [...usages.values()].at(-1);
  const context = ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens'].reduce(
    (sum, key) => sum + (numberAt(last, key) ?? 0),
    0,
  );
  return { output_tokens: total, last_context_tokens: context };
}
