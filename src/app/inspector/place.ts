import type { Episode } from '../../model';

/** Where something stands in an episode. */
export interface EpisodePlace {
  step?: number;
  msgId?: number;
}

/** `step 3 · message 7`; undefined for what concerns the whole episode. */
export function placeText({
  step,
  msgId,
}: {
  step?: number | undefined;
  msgId?: number | undefined;
}): string | undefined {
  const parts = [
    ...(step === undefined ? [] : [`step ${step}`]),
    ...(msgId === undefined ? [] : [`message ${msgId}`]),
  ];
  return parts.length === 0 ? undefined : parts.join(' · ');
}

/** The place with its step: a message alone is found at the step that brought it. */
export function withStep({ messages }: Pick<Episode, 'messages'>, place: EpisodePlace): EpisodePlace {
  if (place.step !== undefined || place.msgId === undefined) return place;
  const message = messages.find(({ msgId }) => msgId === place.msgId);
  return message === undefined ? place : { ...place, step: Math.max(0, message.bornAtStep) };
}
