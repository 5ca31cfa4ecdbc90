import { at, isObject, stringAt, type Part } from '../../model';
import { jsonText } from '../bounded';
import { partsOf, unknownPart } from '../content';
import { splitThoughts } from '../think';

/**
 * Parts of a message's content in the two dialects that put calls and results there:
 *
 *     { type: 'text', text } · { type: 'thinking', thinking } · { type: 'tool_use', id, name, input }     Anthropic
 *     { type: 'text', value } · { type: 'reasoning', value } · { type: 'tool_call', value: '{"name":…}' } LLaMA-Factory
 *
 * What is neither is read as OpenAI's. `place`: a pointer to the block, which names a call that has no id.
 */
export function blockParts(block: unknown, isAssistant: boolean, place: string): Part[] {
  const type = stringAt(block, 'type') ?? '';
  const value = stringAt(block, 'value');
  if (value !== undefined && valueTypes.has(type)) return valueParts(type, value, isAssistant, place);
  switch (type) {
    case 'thinking': {
      const thought = stringAt(block, 'thinking') ?? '';
      return [
        thought === '' ? sealed(at(block, 'signature')) : { kind: 'reasoning', form: 'full', text: thought },
      ];
    }
    case 'redacted_thinking':
      return [sealed(at(block, 'data'))];
    case 'tool_use':
    case 'server_tool_use':
      return [
        {
          kind: 'call',
          call: {
            callId: stringAt(block, 'id') ?? place,
            name: stringAt(block, 'name') ?? '',
            arguments: jsonText(at(block, 'input') ?? {}),
          },
        },
      ];
    case 'image':
      return [imagePart(block) ?? unknownPart(block)];
    default:
      return partsOf([block], isAssistant);
  }
}

function sealed(content: unknown): Part {
  return { kind: 'sealed', bytes: typeof content === 'string' ? content.length : 0 };
}

/** `{ type: 'image', source: { type: 'base64', media_type: 'image/png', data } }`, or with a `url`. */
function imagePart(block: unknown): Part | undefined {
  const source = at(block, 'source');
  const url = stringAt(source, 'url') ?? stringAt(block, 'url') ?? stringAt(at(block, 'image_url'), 'url');
  if (url !== undefined) return { kind: 'image', url };
  const data = stringAt(source, 'data');
  if (data === undefined) return undefined;
  return { kind: 'image', url: `data:${stringAt(source, 'media_type') ?? 'image/png'};base64,${data}` };
}

const valueTypes = new Set(['text', 'reasoning', 'tool_call']);

function valueParts(type: string, value: string, isAssistant: boolean, place: string): Part[] {
  if (type === 'reasoning') return [{ kind: 'reasoning', form: 'full', text: value }];
  if (type === 'tool_call') return [calledPart(value, place)];
  return isAssistant ? splitThoughts(value) : [{ kind: 'text', text: value }];
}

/** A call that was written out: `{"name": "add", "arguments": {"n": 1}}`. */
export function calledPart(text: string, place: string): Part {
  const call = parsed(text);
  const name = stringAt(call, 'name');
  if (!isObject(call) || name === undefined) return { kind: 'text', text };
  const given = at(call, 'arguments') ?? at(call, 'parameters') ?? {};
  return {
    kind: 'call',
    call: { callId: place, name, arguments: typeof given === 'string' ? given : jsonText(given) },
  };
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether the content of a message is in a dialect of its own. */
export function isBlock(part: unknown): boolean {
  const type = stringAt(part, 'type') ?? '';
  return blockTypes.has(type) || (valueTypes.has(type) && stringAt(part, 'value') !== undefined);
}

const blockTypes = new Set([
  'thinking',
  'redacted_thinking',
  'tool_use',
  'server_tool_use',
  'tool_result',
  'image',
  'document',
]);
