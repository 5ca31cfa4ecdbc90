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
