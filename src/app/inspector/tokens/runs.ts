import { levelOf, type Scale } from './scale';
import { glyphsOf, longestGlyphs, type Rows } from './rows';
import { fateIndex, type Fate, type Track } from './track';

/** Tokens of a row that are drawn alike, as one element. */
export interface Run {
  start: number;
  end: number;
  fate: Fate;
  /** Step of the scale; -1 for none. */
  level: number;
  text: string;
  cursor: boolean;
}

export interface Colouring {
  values: Float32Array;
  scale: Scale;
}

export function runsOf(
  track: Track,
  { starts }: Rows,
  row: number,
  cursor: number | undefined,
  colouring?: Colouring,
): Run[] {
  const runs: Run[] = [];
  const end = starts[row + 1] ?? track.length;
  let position = starts[row] ?? end;
  let nth = fateIndex(track.fates, position);
  for (; position < end; position++) {
    while ((track.fates[nth]?.end ?? Infinity) <= position) nth += 1;
    const fate = track.fates[nth]?.fate ?? 'masked';
    const level = colouring === undefined ? -1 : levelAt(colouring, position - track.promptLength);
    const text = glyphsOf(track, position).slice(0, longestGlyphs);
    const last = runs.at(-1);
    const here = position === cursor;
    if (last !== undefined && !here && !last.cursor && last.fate === fate && last.level === level) {
      last.end = position + 1;
      last.text += text;
    } else runs.push({ start: position, end: position + 1, fate, level, text, cursor: here });
  }
  return runs;
}

function levelAt({ values, scale }: Colouring, position: number): number {
  const value = values[position];
  return value === undefined ? -1 : levelOf(scale, value);
}

/** The token that a character of a run's text belongs to. */
export function tokenIn(track: Track, start: number, end: number, offset: number): number {
  let before = 0;
  for (let position = start; position < end; position++) {
    before += Math.min(glyphsOf(track, position).length, longestGlyphs);
    if (offset < before) return position;
  }
  return Math.max(end - 1, start);
}
