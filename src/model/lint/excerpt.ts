/** Rollout text for use within one line: control characters become spaces, and a long text its beginning. */
export function excerpt(text: string, length = 60): string {
  // Sliced first, so that a text of 10 MB costs no more than a short one; by code points, so that no pair is cut.
  const points = Array.from(text.slice(0, 2 * length + 2));
  const short = points.length > length ? `${points.slice(0, length).join('')}…` : text;
  return short.replaceAll(/\p{Cc}+/gu, ' ');
}
