import type { Gap, Message } from '../model';

/** A gap that stands at an item of the source, which is part of a message once there are messages. */
export type PlacedGap = Omit<Gap, 'msgId'> & { at?: string };

export function gapsIn(messages: readonly Message[], gaps: readonly PlacedGap[]): Gap[] {
  const holders = gaps.some(({ at }) => at !== undefined) ? holdersOf(messages) : undefined;
  return gaps.map(({ at, ...gap }) => {
    const holder = at === undefined ? undefined : holders?.get(at);
    if (holder === undefined) return gap;
    const step = holder.bornAtStep < 0 ? {} : { step: holder.bornAtStep };
    return { ...gap, ...step, msgId: holder.msgId };
  });
}

/** The message each item of the source became part of, by the item's pointer. */
export function holdersOf(messages: readonly Message[]): Map<string, Message> {
  const holders = new Map<string, Message>();
  for (const message of messages) for (const raw of message.raw) holders.set(raw, message);
  return holders;
}

export const noTokenIds: Gap = {
  about: 'tokens',
  reason: 'This file has no token ids: masks cannot be shown.',
};

/** `1 step`, `3 steps`; `plural` where it is not just an s more. */
export function many(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}
