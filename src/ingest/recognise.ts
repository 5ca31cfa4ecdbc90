import { picksOf, type Fields, type Format, type Picks, type Sketch, type SourceRecord } from '../formats';
import { once } from '../model/once';
import { fallbackId, settled, surest, surestClaim, type Claim } from './detect';

/** Where a record's bytes stand in its source. */
export interface Place {
  byteStart: number;
  byteEnd: number;
  /** 1-based line it starts on. */
  line: number;
}

export interface Recognised {
  record: SourceRecord;
  place: Place;
  format: Format | undefined;
}

/** Looked at before a source's format is settled, unless two agree earlier. */
const maxFirstRecords = 8;
const maxFirstBytes = 1024 * 1024;

/** All records of such a source are in memory together. */
export const maxGatheredBytes = 256 * 1024 * 1024;

export class TooBigToGather extends Error {}

/**
 * Gives each record its format. The first records settle the format of the source; later ones are only asked
 * whether they fit, and looked at on their own where they do not. Where the format makes one episode of a
 * whole source, its records are gathered into one.
 */
export class Recogniser {
  format: Format | undefined;
  /** Its records have settled it, and not that there were no more of them. */
  settled = false;
  /** What summaries of that format need, once it is settled; the shorter way to them, where it has one. */
  picks: Picks | undefined;
  shorter: { picks: Picks; sketch: Sketch } | undefined;
  private readonly formats: readonly Format[];
  private readonly recordFormats: readonly Format[];
  private first: { record: SourceRecord; place: Place; claim: Claim | undefined }[] | undefined = [];
  private gathered: { record: SourceRecord; place: Place }[] = [];
  private gatheredBytes = 0;

  /** `known` is the format that records before these have settled, if they have. */
  constructor(formats: readonly Format[], known?: { format: Format | undefined }) {
    this.formats = formats;
    this.recordFormats = formats.filter((format) => format.unit === 'record');
    if (known === undefined) return;
    this.settled = true;
    this.first = undefined;
    this.use(known.format);
  }

  /** The records that are settled by this one. */
  add(record: SourceRecord, place: Place): Recognised[] {
    if (this.first === undefined) return this.recognise(record, place);
    this.first.push({ record, place, claim: surest(this.formats, record.value) });
    const bytes = this.first.reduce((sum, { place }) => sum + place.byteEnd - place.byteStart, 0);
    const enough =
      settled(this.first.map(({ claim }) => claim)) ||
      this.first.length >= maxFirstRecords ||
      (this.first.length >= 2 && bytes >= maxFirstBytes);
    if (!enough) return [];
    this.settled = true;
    return this.settle();
  }

  /** The rest, when there are no more records. */
  end(): Recognised[] {
    const rest = this.first === undefined ? [] : this.settle();
    const whole = this.gather();
    return whole === undefined ? rest : [...rest, whole];
  }

  private settle(): Recognised[] {
    const first = this.first ?? [];
    this.first = undefined;
    this.use(surestClaim(first.flatMap(({ claim }) => claim ?? []))?.format);
    return first.flatMap(({ record, place }) => this.recognise(record, place));
  }

  private use(format: Format | undefined): void {
    this.format = format;
    const { fields, sketch, unit } = format ?? {};
    if (fields !== undefined && unit === 'record') this.picks = knownPicks(fields);
    if (sketch !== undefined && unit === 'record') {
      this.shorter = { picks: knownPicks(sketch.fields), sketch };
    }
  }

  private recognise(record: SourceRecord, place: Place): Recognised[] {
    const { format } = this;
    if (format?.unit === 'source') {
      this.gatheredBytes += place.byteEnd - place.byteStart;
      if (this.gatheredBytes > maxGatheredBytes) throw new TooBigToGather(format.name);
      this.gathered.push({ record, place });
      return [];
    }
    const fits = format !== undefined && format.id !== fallbackId && format.confidence(record.value) > 0;
    return [{ record, place, format: fits ? format : surest(this.recordFormats, record.value)?.format }];
  }

  private gather(): Recognised | undefined {
    const { format, gathered } = this;
    const first = gathered[0];
    const last = gathered.at(-1);
    this.gathered = [];
    if (format === undefined || first === undefined || last === undefined) return undefined;
    const only: unknown = gathered.length === 1 ? first.record.value : undefined;
    // A source that is one array is the array of its values already.
    const value = Array.isArray(only) ? only : gathered.map(({ record }) => record.value);
    const text = gathered.map(({ record }) => record.text).join('\n');
    return {
      record: { value, text, index: 0, line: first.place.line },
      place: { byteStart: first.place.byteStart, byteEnd: last.place.byteEnd, line: first.place.line },
      format,
    };
  }
}

const picksOfObject = once((fields: Exclude<Fields, string>) => picksOf(fields));

/** Made once for all sources: an archive may hold thousands of small texts, and the tables of picks are large. */
function knownPicks(fields: Fields): Picks {
  return typeof fields === 'object' ? picksOfObject(fields) : picksOf(fields);
}
