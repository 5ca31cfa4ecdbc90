import { entriesOf, stringValue, valueText } from '../json-text';
import { pythonJson } from '../python-json';

/** One turn of a decoded context, with the calls taken out of the text. */
export interface ChatmlTurn {
  role: string;
  content: string;
  calls: { name: string; arguments: string }[];
}

const START = '<|im_start|>';
const END = '<|im_end|>';

/**
 * The turns of a decoded ChatML context: `<|im_start|>user\nHello<|im_end|>\n`. A turn the policy emitted may lack its
 * end mark; a header with nothing after it is the cue for the next emission and no turn. Tool results that a template
 * wraps into a user turn are tool turns. Undefined where the text is not ChatML.
 */
export function readChatml(text: string): ChatmlTurn[] | undefined {
  const [before, ...blocks] = text.split(START);
  if (blocks.length === 0 || before?.trim() !== '') return undefined;
  return blocks.flatMap((block, index) => {
    const line = block.indexOf('\n');
    const role = line < 0 ? block : block.slice(0, line);
    const body = line < 0 ? '' : block.slice(line + 1);
    const end = body.lastIndexOf(END);
    const content = end < 0 ? body : body.slice(0, end);
    if (index === blocks.length - 1 && end < 0 && content === '') return [];
    return turnsFrom(role.trim(), content);
  });
}

function turnsFrom(role: string, content: string): ChatmlTurn[] {
  if (role === 'assistant') return [{ role, ...withoutCalls(content) }];
  const responses = role === 'user' ? between(content, '<tool_response>', '</tool_response>') : undefined;
  if (responses === undefined || responses.rest.trim() !== '' || responses.inside.length === 0) {
    return [{ role, content, calls: [] }];
  }
  return responses.inside.map((inside) => ({ role: 'tool', content: trimLine(inside), calls: [] }));
}

function withoutCalls(content: string): Pick<ChatmlTurn, 'content' | 'calls'> {
  const { inside, rest } = between(content, '<tool_call>', '</tool_call>');
  if (inside.length > 0) return { content: rest, calls: inside.flatMap(callFrom) };
  // Some templates print the list of calls behind the text, which rarely has the same beginning in it.
  let at = content.indexOf('{"id": ');
  for (let tries = 0; at >= 0 && tries < 2 && content.trimEnd().endsWith('}'); tries++) {
    const calls = callsFrom(content.slice(at));
    if (calls !== undefined) return { content: content.slice(0, at), calls };
    at = content.indexOf('{"id": ', at + 1);
  }
  return { content, calls: [] };
}

/** Calls written one behind the other, if the text is nothing else. */
function callsFrom(text: string): ChatmlTurn['calls'] | undefined {
  const objects = text.split(/(?<=\})\s*(?=\{"id": )/);
  const calls = objects.map(callFrom);
  return calls.every((call) => call.length === 1) ? calls.flat() : undefined;
}

/** `{"name": "note", "arguments": {...}}`, or a call in the shape of a chat message. Arguments in Python's style. */
function callFrom(text: string): ChatmlTurn['calls'] {
  const json = pythonJson(text);
  if (json === undefined || entriesOf(json) === undefined) return [];
  const call = valueText(json, ['function']) ?? json;
  const name = valueText(call, ['name']);
  const args = valueText(call, ['arguments']);
  if (name?.startsWith('"') !== true || args === undefined) return [];
  return [{ name: stringValue(name), arguments: args.startsWith('"') ? stringValue(args) : args }];
}

/** What stands between the marks, and the text without it. */
function between(text: string, open: string, close: string): { inside: string[]; rest: string } {
  const inside: string[] = [];
  let rest = '';
  let at = 0;
  for (;;) {
    const start = text.indexOf(open, at);
    const end = start < 0 ? -1 : text.indexOf(close, start);
    if (end < 0) return { inside, rest: rest + text.slice(at) };
    rest += text.slice(at, start);
    inside.push(text.slice(start + open.length, end));
    at = end + close.length;
  }
}

/** Templates set what they wrap on lines of its own. */
function trimLine(text: string): string {
  return text.replace(/^\n/, '').replace(/\n$/, '');
}
