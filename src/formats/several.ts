import { type Counts, type Episode, type Gap, type Message } from '../model';
import type { Format, SourceRecord } from './format';
import { summaryOf } from './statelm/episode';

/** A format whose records hold any number of episodes: the samples of a log, a trajectory and its subagents'. */
export interface Several<Part> extends Pick<Format, 'id' | 'name' | 'unit' | 'confidence'> {
  /** What the episodes of a record are made from, one each. */
  parts: (value: unknown) => readonly Part[];
  /** The record's text is empty where only the summary is wanted. */
  read: (record: SourceRecord, part: Part, nth: number) => Episode;
  counts: (part: Part) => Counts;
}

/** Summaries are told from the episodes, so that the two agree. */
export function severalEpisodes<Part>(several: Several<Part>): Format {
  const { parts, read, counts, ...about } = several;
  return {
    ...about,
    summarise({ value, index, line }) {
      const record: SourceRecord = { value, text: '', index, line };
      return parts(value).map((part, nth) => summaryOf(read(record, part, nth), counts(part)));
    },
    episode(record, nth) {
      const found = parts(record.value);
      const part = found[nth];
      if (part === undefined) throw new RangeError(`episode ${nth} of a record that has ${found.length}`);
      return read(record, part, nth);
    },
  };
}

/** The id of the nth episode of a record. */
export function episodeId({ index }: SourceRecord, nth: number): string {
  return nth === 0 ? String(index) : `${index}.${nth}`;
}

/** A gap that stands at an item of the source, which is part of a message once there are messages. */
export type PlacedGap = Omit<Gap, 'msgId' | 'step'> & { at?: string };

export function gapsIn(messages: readonly Message[], gaps: readonly PlacedGap[]): Gap[] {
  if (gaps.every(({ at }) => at === undefined)) return gaps.map(({ about, reason }) => ({ about, reason }));
  const holders = new Map<string, Message>();
  for (const message of messages) for (const raw of message.raw) holders.set(raw, message);
  return gaps.map(({ about, reason, at }) => {
    const holder = at === undefined ? undefined : holders.get(at);
    if (holder === undefined) return { about, reason };
    const step = holder.bornAtStep < 0 ? {} : { step: holder.bornAtStep };
    return { about, reason, ...step, msgId: holder.msgId };
  });
}

export const noTokenIds: Gap = {
  about: 'tokens',
  reason: 'This file has no token ids: masks cannot be shown.',
};

/** `1 step`, `3 steps`; `plural` where it is not just an s more. */
export function many(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}
