import { at, isObject, stringAt, stringValue, valueText, type Part, type ToolCall } from '../../model';
import { splitThoughts } from '../think';
import { blocksIn, insideOf, type Block } from './blocks';

/** What a policy's turn is made of: thoughts, text, and calls. */
export interface PolicyParts {
  parts: Part[];
  /** One per `<tool_call>`, in order; undefined where what stands in it is no call. */
  calls: (ToolCall | undefined)[];
}

/**
 * `<think>…</think>`, text, and `<tool_call>\n{"name": …, "arguments": …}\n</tool_call>` told apart. A call that cannot be
 * read stays text, tags and all, and so does one within a thought. Calls have no ids: they are numbered within `turn`.
 */
export function policyParts(text: string, turn: string): PolicyParts {
  const parts: Part[] = [];
  const calls: PolicyParts['calls'] = [];
  let from = 0;
  for (const block of callBlocks(text)) {
    const call = callFrom(insideOf(text, block), `${turn}.${calls.length}`);
    calls.push(call);
    if (call === undefined) continue;
    pushText(parts, text.slice(from, block.start));
    parts.push({ kind: 'call', call });
    from = block.end;
  }
  pushText(parts, text.slice(from));
  return { parts, calls };
}

/** Thoughts keep what stands in them; one that the template opened has no opening tag. */
function callBlocks(text: string): Block[] {
  const thoughtEnd = text.indexOf('</think>');
  const opensWithThought = thoughtEnd >= 0 && !text.slice(0, thoughtEnd).includes('<think>');
  return blocksIn(text).filter(
    ({ tag, start }) => tag === 'tool_call' && !(opensWithThought && start < thoughtEnd),
  );
}

/** Line breaks between calls are the template's. */
function pushText(parts: Part[], text: string): void {
  if (text.trim() === '') return;
  for (const part of splitThoughts(text)) {
    if (part.kind !== 'text' || part.text.trim() !== '') parts.push(part);
  }
}

function callFrom(json: string, callId: string): ToolCall | undefined {
  const name = valueText(json, ['name']);
  const args = valueText(json, ['arguments']);
  if (name?.startsWith('"') !== true || args === undefined) return undefined;
  return {
    callId,
    name: stringValue(name),
    arguments: args.startsWith('"') ? stringValue(args) : args,
  };
}

/** The answers in a turn, each with the end of its block, if the turn is nothing but answers. */
export function answersIn(text: string): { text: string; end: number }[] {
  const answers: { text: string; end: number }[] = [];
  let from = 0;
  for (const block of blocksIn(text)) {
    if (block.tag !== 'tool_response' || text.slice(from, block.start).trim() !== '') break;
    answers.push({ text: insideOf(text, block), end: block.end });
    from = block.end;
  }
  const rest = text.slice(from);
  if (rest.trim() === '') return answers;
  // Cut off within the last answer.
  const open = /^\s*<tool_response>\n?/.exec(rest);
  return open === null ? [] : [...answers, { text: rest.slice(open[0].length), end: text.length }];
}

/** The tools that a system prompt lists: `<tools>`, a JSON object per line, `</tools>`. */
export function toolsIn(text: string): unknown[] {
  return blocksIn(text)
    .filter(({ tag }) => tag === 'tools')
    .flatMap((block) => insideOf(text, block).split('\n'))
    .flatMap((line) => {
      const tool = parsed(line);
      const spec = at(tool, 'function') ?? tool;
      return isObject(spec) && stringAt(spec, 'name') !== undefined ? [tool] : [];
    });
}

function parsed(line: string): unknown {
  if (!line.trimStart().startsWith('{')) return undefined;
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
