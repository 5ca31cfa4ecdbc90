import { broughtBy, type Episode } from '../../../model';
import type { Track } from './track';

/** What a tokenizer makes of ids. */
export interface Reading {
  /** The tokenizer's name. */
  by: string;
  /** Whether it is the one that made the ids; undefined where nothing in the record can tell. */
  fits: boolean | undefined;
  texts: ReadonlyMap<number, string>;
}

/** The ids of a track that nothing recorded reads, each once. */
export function unreadIds(track: Track): Int32Array {
  const ids = new Set<number>();
  for (let position = 0; position < track.length; position++) {
    const id = track.idAt(position);
    if (id >= 0 && track.textAt(position) === undefined) ids.add(id);
  }
  return Int32Array.from(ids);
}

/** The track with its ids read; what was recorded goes first. */
export function withReading(track: Track, reading: Reading | undefined): Track {
  if (reading === undefined) return track;
  return {
    ...track,
    textAt: (position) => track.textAt(position) ?? reading.texts.get(track.idAt(position)),
  };
}

/** Emissions by their ids and in words: by them one can tell whether a tokenizer made the ids. */
export function evidenceIn(episode: Episode, most = 3): { ids: Int32Array; text: string }[] {
  const evidence: { ids: Int32Array; text: string }[] = [];
  for (const { index, tokens } of episode.steps) {
    if (evidence.length === most) break;
    if (tokens === undefined || tokens.generationIds.length === 0) continue;
    const said = broughtBy(episode, index)
      .emitted.flatMap(({ parts }) => parts)
      .find((part) => part.kind === 'text' && part.text.trim().length >= SHORTEST);
    if (said?.kind === 'text') evidence.push({ ids: tokens.generationIds, text: said.text });
  }
  return evidence;
}

/** A few letters could come out right by chance. */
const SHORTEST = 4;
