import { at, isObject, stringAt, type Part } from '../../model';
import { jsonText } from '../bounded';
import { unknownPart } from '../content';

/**
 * Content as Gemini's API has it: a text, a part, or a list of them.
 *
 *     'Hi' · { text: 'Hi', thought?: true } · { inlineData: { mimeType: 'image/png', data } } · { functionCall: { id, name, args } }
 *     { functionResponse: { id, name, response: { output: 'text' } } }
 *
 * `place`: a pointer to the content, which names a call that has no id.
 */
export function geminiParts(content: unknown, place: string): Part[] {
  if (content === undefined || content === null || content === '') return [];
  const list: readonly unknown[] = Array.isArray(content) ? content : [content];
  return list.map((part, nth) => geminiPart(part, `${place}/${nth}`));
}

function geminiPart(part: unknown, place: string): Part {
  const text = typeof part === 'string' ? part : stringAt(part, 'text');
  if (text !== undefined) {
    return at(part, 'thought') === true ? { kind: 'reasoning', form: 'full', text } : { kind: 'text', text };
  }
  const called = at(part, 'functionCall');
  if (isObject(called)) return callPart(called, place);
  const data = at(part, 'inlineData');
  const type = stringAt(data, 'mimeType') ?? '';
  const bytes = stringAt(data, 'data');
  if (type.startsWith('image/') && bytes !== undefined) {
    return { kind: 'image', url: `data:${type};base64,${bytes}` };
  }
  const answer = at(at(part, 'functionResponse'), 'response');
  return answer === undefined ? unknownPart(part) : answerPart(answer);
}

export function callPart(call: unknown, place: string): Part & { kind: 'call' } {
  return {
    kind: 'call',
    call: {
      callId: stringAt(call, 'id') ?? place,
      name: stringAt(call, 'name') ?? '',
      arguments: jsonText(at(call, 'args') ?? {}),
    },
  };
}

/** Nearly every tool answers `{ output: 'text' }` or `{ error: 'text' }`. */
function answerPart(answer: unknown): Part {
  const keys = isObject(answer) ? Object.keys(answer) : [];
  const text = stringAt(answer, 'output') ?? stringAt(answer, 'error');
  return keys.length === 1 && text !== undefined
    ? { kind: 'text', text }
    : { kind: 'json', text: jsonText(answer) };
}
