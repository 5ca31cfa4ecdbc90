import type { Format } from '../formats';
import { decode } from './bytes';
import { claimsWhole } from './detect';
import { byteOrderMark, LineSplitter } from './lines';
import { parseJson } from './parse';
import { isSpace, type Span, type Splitter } from './span';
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

  const splitter = new ValueSplitter({ elements: true });
  const spans = splitter.push(head);
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

/** Reads the head both ways and takes the one that understands more of it. Undefined: it is one line so far. */
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
  if (inValues > inLines) return 'values';
  // The only value of the file, and an array.
  if (startsArray && complete.length + rest.length === 1) return 'values';
  // A value that starts on the first line and goes on past the head: pretty-printed, unless most lines make sense.
  const longValue = found.length === 0 && open?.defect !== undefined && lines[0] !== undefined;
  return longValue && understood(lines.slice(0, 1)) === 0 && inLines < head.length / 2 ? 'values' : 'lines';
}

/** Bytes of those spans that are objects or arrays. */
function understood(spans: readonly Span[]): number {
  let bytes = 0;
  for (const span of spans) {
    if (span.defect === undefined && isContainer(span.bytes) && parseJson(decode(span.bytes)).ok) {
      bytes += span.bytes.length;
    }
  }
  return bytes;
}

function isContainer(bytes: Uint8Array): boolean {
  return bytes[0] === 0x7b || bytes[0] === 0x5b;
}

function firstByte(head: Uint8Array): number | undefined {
  let at: number = byteOrderMark(head);
  while (isSpace(head[at])) at++;
  return head[at];
}
