import type { Format } from '../formats';
import { decode } from './bytes';
import { claimsWhole } from './detect';
import { byteOrderMark, LineSplitter } from './lines';
import { parseJson } from './parse';
import { isSpace, newline, type Span, type Splitter } from './span';
import { findSyntaxError } from './syntax';
import { ValueSplitter } from './values';

/** How the records of a text stand in it. */
export type Layout =
  /** JSONL. */
  | 'lines'
  /** Values one after another, each over as many lines as it likes: one pretty-printed object, or many. */
  | 'values'
  /** One array whose elements are the records. */
  | 'elements';

/** Read before the layout is decided, unless the text ends earlier. */
export const headBytes = 256 * 1024;

/** Elements that are shown to the formats as the array they may be. */
const sampledElements = 16;

/**
 * Decides from the beginning of a text. `whole` says that there is no more. Undefined: more is needed, because
 * not one element of a big array has been seen in full, or nothing after a first line.
 */
export function layoutOf(head: Uint8Array, whole: boolean, formats: readonly Format[]): Layout | undefined {
  const layout = linesOrValues(head, whole);
  if (layout !== 'values' || firstByte(head) !== 0x5b) return layout;

  const spans = elementsOf(head);
  if (spans.length === 0 && !whole) return undefined;
  const elements = spans.slice(0, sampledElements).flatMap((span) => {
    const parsed = parseJson(decode(span.bytes));
    return parsed.ok ? [parsed.value] : [];
  });
  return claimsWhole(formats, elements) ? 'values' : 'elements';
}

export function splitterFor(layout: Layout, maxRecordBytes: number): Splitter {
  if (layout === 'lines') return new LineSplitter(maxRecordBytes);
  return new ValueSplitter({ elements: layout === 'elements', maxRecordBytes });
}

/** Reads the head both ways and takes the one that understands more of it. Undefined: more is needed to tell. */
function linesOrValues(head: Uint8Array, whole: boolean): 'lines' | 'values' | undefined {
  const startsArray = firstByte(head) === 0x5b;
  const splitter = new LineSplitter();
  const complete = splitter.push(head);
  const rest = splitter.end();
  if (!whole && complete.length === 0) return startsArray ? 'values' : 'lines';
  if (!whole && complete.length === 1 && rest.length === 0) return undefined;

  const values = new ValueSplitter();
  const found = values.push(head);
  const [open] = values.end();
  const lines = whole ? [...complete, ...rest] : complete;
  const inLines = understood(lines);
  const inValues = understood(found);
  if (inValues > inLines && (inLines === 0 || found.some(isSpread) || found.every(isReadable))) {
    return 'values';
  }
  // The only value of the file, and an array.
  if (startsArray && complete.length + rest.length === 1) return 'values';
  // Its elements stand on lines of their own, with commas after them, and one of them is no JSON.
  if (startsArray && whole && closesArray(head) && understood(elementsOf(head)) > inLines) return 'values';
  if (inValues > 0 || (found.length === 0 && open?.defect === undefined)) return 'lines';
  // A first line that is still being written.
  if (complete.length === 0) return 'lines';

  // The first value is spread over lines, or its line was cut off and it swallowed the lines after it.
  if (!whole && found.length === 0 && isBeginning(head)) {
    return complete.length === 1 ? undefined : 'values';
  }
  return lines.slice(1).some((line) => isReadable(line) && indent(head, line) <= indent(head, lines[0]))
    ? 'lines'
    : 'values';
}

/**
 * The lines of what was taken for one value and is none: a line that was cut off swallows those after it. Undefined
 * where no later line is a record, so that it is one broken value. Indented lines are parts of such a value.
 */
export function linesOfBroken(span: Span): Span[] | undefined {
  if (!span.bytes.includes(newline)) return undefined;
  const splitter = new LineSplitter();
  const lines = [...splitter.push(span.bytes), ...splitter.end()];
  if (!lines.slice(1).some((line) => isReadable(line) && indent(span.bytes, line) === 0)) return undefined;
  return lines.map((line) => ({
    ...line,
    start: line.start + span.start,
    end: line.end + span.start,
    line: line.line + span.line - 1,
  }));
}

/** Whether there is nothing wrong with these lines but that they end. The last, which may be torn, is not looked at. */
function isBeginning(head: Uint8Array): boolean {
  const text = decode(head.subarray(byteOrderMark(head), head.lastIndexOf(newline) + 1));
  const fault = findSyntaxError(text);
  return fault === undefined || fault.position >= text.length;
}

function elementsOf(head: Uint8Array): Span[] {
  return new ValueSplitter({ elements: true }).push(head);
}

function closesArray(head: Uint8Array): boolean {
  let last = head.length - 1;
  while (isSpace(head[last])) last--;
  return head[last] === 0x5d;
}

function indent(text: Uint8Array, span: Span | undefined): number {
  if (span === undefined) return 0;
  let at = span.start;
  while (at > 0 && text[at - 1] !== newline) at--;
  return span.start - at - byteOrderMark(text.subarray(at, at + 3));
}

/** Bytes of those spans that are objects or arrays. */
function understood(spans: readonly Span[]): number {
  let bytes = 0;
  for (const span of spans) {
    if (isReadable(span)) bytes += span.bytes.length;
  }
  return bytes;
}

function isReadable({ bytes, defect }: Span): boolean {
  const isContainer = bytes[0] === 0x7b || bytes[0] === 0x5b;
  return defect === undefined && isContainer && parseJson(decode(bytes)).ok;
}

/** A record over several lines. */
function isSpread(span: Span): boolean {
  return span.bytes.includes(newline) && isReadable(span);
}

function firstByte(head: Uint8Array): number | undefined {
  let at: number = byteOrderMark(head);
  while (isSpace(head[at])) at++;
  return head[at];
}
