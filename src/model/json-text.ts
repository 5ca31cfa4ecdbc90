import { afterSpace, isWhole, stringEnd, walk } from './json-walk';

/**
 * JSON as text. `JSON.parse` loses what a rebuilt view must keep: `1.0`, `5e-07`, integers beyond 2^53, the order
 * of keys such as `"10"` before `"2"`. Here a value stays the text it was and is taken apart one level at a time.
 */

export interface JsonEntry {
  key: string;
  /** The value as it stands in the text. */
  value: string;
}

export function isJson(text: string): boolean {
  return isWhole(text, walk(text, 0));
}

/** The entries of an object in order, each key once, or undefined where the text is no JSON object. */
export function entriesOf(text: string): JsonEntry[] | undefined {
  const values = new Map<string, string>();
  let at = afterSpace(text, 0);
  if (text[at] !== '{') return undefined;
  at = afterSpace(text, at + 1);
  while (text[at] !== '}' || values.size > 0) {
    const keyEnd = text[at] === '"' ? stringEnd(text, at) : -1;
    if (keyEnd < 0) return undefined;
    const colon = afterSpace(text, keyEnd);
    if (text[colon] !== ':') return undefined;
    const start = afterSpace(text, colon + 1);
    const end = walk(text, start);
    if (end < 0) return undefined;
    values.set(stringValue(text.slice(at, keyEnd)), text.slice(start, end));
    at = afterSpace(text, end);
    if (text[at] === '}') break;
    if (text[at] !== ',') return undefined;
    at = afterSpace(text, at + 1);
  }
  if (!isWhole(text, at + 1)) return undefined;
  return Array.from(values, ([key, value]) => ({ key, value }));
}

/** The items of an array as they stand in the text, or undefined where it is no JSON array. */
export function itemsOf(text: string): string[] | undefined {
  const items: string[] = [];
  let at = afterSpace(text, 0);
  if (text[at] !== '[') return undefined;
  at = afterSpace(text, at + 1);
  while (text[at] !== ']' || items.length > 0) {
    const end = walk(text, at);
    if (end < 0) return undefined;
    items.push(text.slice(at, end));
    at = afterSpace(text, end);
    if (text[at] === ']') break;
    if (text[at] !== ',') return undefined;
    at = afterSpace(text, at + 1);
  }
  return isWhole(text, at + 1) ? items : undefined;
}

/** The text of the value at a path: `valueText('{"a": [1.0]}', ['a', 0])` is `1.0`. */
export function valueText(text: string, path: readonly (string | number)[]): string | undefined {
  let value: string | undefined = text;
  for (const key of path) {
    if (value === undefined) return undefined;
    value =
      typeof key === 'number'
        ? itemsOf(value)?.[key]
        : entriesOf(value)?.find((entry) => entry.key === key)?.value;
  }
  return value;
}

/** The string that a JSON string stands for; lone surrogates and all. */
export function stringValue(raw: string): string {
  const parsed: unknown = JSON.parse(raw);
  return typeof parsed === 'string' ? parsed : '';
}
