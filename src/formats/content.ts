import { at, isObject, stringAt, type Part } from '../model';
import { bounded } from './bounded';
import { splitThoughts } from './think';

const textTypes = new Set(['input_text', 'output_text', 'text', 'summary_text', 'reasoning_text']);
const imageTypes = new Set(['input_image', 'output_image', 'image_url', 'image']);

/**
 * The content of a message or of a tool's output: a string, or a list of typed parts, e.g.
 * `[{ type: 'input_text', text: '…' }, { type: 'input_image', image_url: 'data:image/png;base64,…' }]`.
 * In an assistant's text thoughts are told from the rest.
 */
export function partsOf(content: unknown, isAssistant: boolean): Part[] {
  if (content === null || content === undefined) return [];
  if (Array.isArray(content)) return content.flatMap((part: unknown) => contentPart(part, isAssistant));
  return contentPart(content, isAssistant);
}

function contentPart(part: unknown, isAssistant: boolean): Part[] {
  const text = textOfPart(part);
  if (text !== undefined) return isAssistant ? splitThoughts(text) : [{ kind: 'text', text }];

  const type = stringAt(part, 'type') ?? '';
  const refusal = stringAt(part, 'refusal');
  if (type === 'refusal' && refusal !== undefined) return [{ kind: 'refusal', text: refusal }];

  const url = imageTypes.has(type) ? imageUrl(part) : undefined;
  if (url !== undefined) {
    const detail = stringAt(part, 'detail') ?? stringAt(at(part, 'image_url'), 'detail');
    return [{ kind: 'image', url, ...(detail === undefined ? {} : { detail }) }];
  }
  return [unknownPart(part)];
}

/** Responses give `image_url` as a string, chat completions as `{ url }`. */
function imageUrl(part: unknown): string | undefined {
  return stringAt(part, 'image_url') ?? stringAt(at(part, 'image_url'), 'url') ?? stringAt(part, 'url');
}

function textOfPart(part: unknown): string | undefined {
  if (typeof part === 'string') return part;
  return textTypes.has(stringAt(part, 'type') ?? '') ? stringAt(part, 'text') : undefined;
}

/** What is not known is shown as it is. */
export function unknownPart(value: unknown): Part {
  const type = stringAt(value, 'type') ?? (isObject(value) ? 'object' : typeof value);
  return { kind: 'unknown', type, value: bounded(value) };
}

/** The text of a content without thoughts told apart, images or the like. */
export function plainText(content: unknown): string {
  if (!Array.isArray(content)) return textOfPart(content) ?? '';
  return content.map((part: unknown) => textOfPart(part) ?? '').join('');
}
