import type { Span } from '../../model';
import { blocksIn } from './blocks';

/**
 * Turns of a text that a tokenizer decoded without its special tokens. Of ChatML only the role's own line is left:
 *
 *     system
 *     You are a math expert.
 *     user
 *     What is 48 + 24?
 *     assistant
 *
 * A line that reads `user` can as well be something that was said. So a line counts only where a template could have
 * put it, and where that leaves a doubt the text stays whole. Whatever is decided, the turns are slices of the text, one
 * behind the other: nothing is lost.
 */

export type TurnRole = 'system' | 'user' | 'assistant' | 'tool';

export interface Turn {
  role: TurnRole;
  /** The slice it takes up, with the line that names its role and the line break before the next one. */
  whole: Span;
  /** What was said. */
  content: Span;
}

export interface SplitInput {
  turns: Turn[];
  /** Where the text starts that cues the policy's first turn: `assistant\n`, or `assistant\n<think>\n`. */
  cue: number;
  /** Whether lines were found that name roles. Otherwise all of it is one turn of a user. */
  isSplit: boolean;
}

interface Header {
  role: TurnRole;
  start: number;
  end: number;
}

/** Whose turn can come after whose. Two turns of the same side in a row are rather one that has such a line in it. */
const next: Record<TurnRole, readonly TurnRole[]> = {
  system: ['user'],
  user: ['assistant'],
  assistant: ['user', 'tool'],
  tool: ['assistant'],
};

/** What a template can set behind the policy's name: nothing, or the start of a thought, or an empty one. */
const afterCue = /^(?:\s*<think>\s*(?:<\/think>\s*)?)?$/;

function cueAt(text: string): number {
  const name = 'assistant\n';
  const start = text.lastIndexOf(name);
  const isLine = start === 0 || text[start - 1] === '\n';
  return start >= 0 && isLine && afterCue.test(text.slice(start + name.length)) ? start : text.length;
}

/** `input` of a dump: the prompt, up to the cue for the policy. */
export function splitInput(text: string): SplitInput {
  const cue = cueAt(text);
  const headers = headersIn(text.slice(0, cue));
  const [first] = headers;
  const opens = first !== undefined && first.start === 0 && ['system', 'user'].includes(first.role);
  const hasUser = headers.some(({ role }) => role === 'user');
  if (!opens || !hasUser) return { turns: wholeAs('user', cue), cue, isSplit: false };

  let taken = headers.filter(inTurn());
  // The policy is not cued after itself: some line read `assistant` and was not one. Then only the sure ones count.
  if (cue < text.length && taken.at(-1)?.role === 'assistant') {
    taken = headers.filter(inTurn()).slice(0, first.role === 'system' ? 2 : 1);
  }
  return { turns: turnsAt(taken, text, cue), cue, isSplit: true };
}

/** A filter that lets pass the headers that can follow the one it let pass before. */
function inTurn(): (header: Header) => boolean {
  let current: TurnRole | undefined;
  return ({ role }) => {
    if (current !== undefined && !next[current].includes(role)) return false;
    current = role;
    return true;
  };
}

/**
 * `output` of a dump: the policy's turns and, where tools or users answered it, theirs.
 *
 * A turn of the environment is taken for one where a tool's answer stands in it, or a call right before it. Any other
 * `user` line may be the policy's own text, or its dream of a conversation: it counts only if `environmentTurns`, from
 * the number of turns that the dump recorded, says that there were more.
 */
export function splitOutput(text: string, environmentTurns = 0): Turn[] {
  const headers = headersIn(text);
  const sure = takeOutput(headers, text, false);
  const found = sure.filter(({ role }) => role !== 'assistant').length;
  const taken = found < environmentTurns ? takeOutput(headers, text, true) : sure;
  // Some versions repeat the cue at the head of the output.
  const opening: Header[] = headers[0]?.start === 0 && headers[0].role === 'assistant' ? [] : [opener];
  const turns = turnsAt([...opening, ...taken], text, text.length);
  const last = turns.at(-1);
  // A cue at the very end, which nothing followed, is the end of the turn before it.
  if (turns.length > 1 && last !== undefined && last.content[0] === last.content[1]) {
    turns.pop();
    const before = turns.at(-1);
    if (before !== undefined) before.whole = [before.whole[0], last.whole[1]];
  }
  return turns;
}

const opener: Header = { role: 'assistant', start: 0, end: 0 };

function takeOutput(headers: readonly Header[], text: string, isLenient: boolean): Header[] {
  const lastCue = headers.findLast(({ role }) => role === 'assistant')?.start ?? -1;
  const taken: Header[] = [];
  let policySpeaks = true;
  for (const header of headers) {
    const { role, start, end } = header;
    if (role === 'assistant') {
      if (!policySpeaks || start === 0) taken.push(header);
      policySpeaks = true;
    } else if (policySpeaks && role !== 'system') {
      const isAnswer = text.startsWith('<tool_response>', end);
      const afterCall = text
        .slice(Math.max(start - 20, 0), start)
        .trimEnd()
        .endsWith('</tool_call>');
      if (!isAnswer && !afterCall && !(isLenient && start < lastCue)) continue;
      taken.push(header);
      policySpeaks = false;
      // Cut off within the answer: what follows is still that answer.
      if (isAnswer && !text.includes('</tool_response>', end)) break;
    }
  }
  return taken;
}

/** Lines that read as a role and do not stand within a thought, a call, an answer or a list of tools. */
function headersIn(text: string): Header[] {
  const blocks = blocksIn(text);
  let block = 0;
  const headers: Header[] = [];
  for (const { role, start, end } of roleLines(text)) {
    while ((blocks[block]?.end ?? Infinity) <= start) block += 1;
    if ((blocks[block]?.start ?? Infinity) >= start) headers.push({ role, start, end });
  }
  return headers;
}

/** Led by a line break, so that the search is one for that character; the first line has none. */
const roleLine = /\n(system|user|assistant|tool)(?=\n|$)/g;
const firstLine = /^(system|user|assistant|tool)(?=\n|$)/;

function* roleLines(text: string): Generator<Header> {
  const first = firstLine.exec(text)?.[1];
  if (first !== undefined) yield headerAt(first, 0);
  for (const { index, 1: name = '' } of text.matchAll(roleLine)) yield headerAt(name, index + 1);

  function headerAt(name: string, start: number): Header {
    return { role: roleFrom(name), start, end: Math.min(start + name.length + 1, text.length) };
  }
}

function roleFrom(name: string): TurnRole {
  return name === 'system' || name === 'assistant' || name === 'tool' ? name : 'user';
}

function turnsAt(headers: readonly Header[], text: string, end: number): Turn[] {
  return headers.map(({ role, start, end: from }, index) => {
    const to = headers[index + 1]?.start ?? end;
    // The template sets the next role on a line of its own.
    const said = to > from && to < text.length && text[to - 1] === '\n' ? to - 1 : to;
    return { role, whole: [start, to], content: [Math.min(from, to), said] };
  });
}

function wholeAs(role: TurnRole, end: number): Turn[] {
  return end === 0 ? [] : [{ role, whole: [0, end], content: [0, end] }];
}
