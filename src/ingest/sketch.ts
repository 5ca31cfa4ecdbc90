import type { Format, SourceRecord } from '../formats';
import type { EpisodeSummary } from '../model';
import { decode } from './bytes';
import { pick } from './pick';
import type { Recognised, Recogniser } from './recognise';
import type { Span } from './span';

/** A record as far as its summary needs it. That may be known already. */
export interface Sketched extends Recognised {
  summary?: EpisodeSummary | undefined;
}

/**
 * The record, once the format of the source is settled and says how much of it is needed, and its summary where there
 * is a shorter way to it. `index` is its place in what is read, which may have so many records before it.
 */
export function sketchOf(
  span: Span,
  { format, picks, shorter }: Recogniser,
  index: number,
  before = 0,
): Sketched | undefined {
  if (format === undefined || span.defect !== undefined) return undefined;
  if (shorter !== undefined) {
    const left = pick(span.bytes, shorter.picks);
    if (left !== undefined && format.confidence(left.value) > 0) {
      const summary = shorter.sketch.summarise(left.value, index + before);
      if (summary !== undefined) return leftOf(span, left.value, index, format, summary);
    }
  }
  const left = picks === undefined ? undefined : pick(span.bytes, picks);
  if (left === undefined || format.confidence(left.value) === 0) return undefined;
  return leftOf(span, left.value, index, format);
}

function leftOf(
  span: Span,
  value: unknown,
  index: number,
  format: Format,
  summary?: EpisodeSummary,
): Sketched {
  const { start: byteStart, end: byteEnd, line } = span;
  return { record: new LeftRecord(span, value, index), place: { byteStart, byteEnd, line }, format, summary };
}

/** A record of which not everything was read. Its text is, where somebody asks for it. */
class LeftRecord implements SourceRecord {
  value: unknown;
  index: number;
  line: number;
  private readonly bytes: Uint8Array;

  constructor({ bytes, line }: Span, value: unknown, index: number) {
    this.value = value;
    this.index = index;
    this.line = line;
    this.bytes = bytes;
  }

  get text(): string {
    return decode(this.bytes);
  }
}
