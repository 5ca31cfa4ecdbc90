/** A text as lines of at most so many characters, by where they start. */

export interface Lines {
  text: string;
  /** Where each line starts; a line ends where the next begins, its break included. */
  starts: Uint32Array;
}

export function linesOf(text: string, columns: number): Lines {
  const width = Math.max(8, columns);
  const starts: number[] = [0];
  let start = 0;
  while (start < text.length) {
    const found = text.indexOf('\n', start);
    const lineEnd = found === -1 ? text.length : found;
    let cut = start;
    while (lineEnd - cut > width) {
      cut = breakBefore(text, cut, cut + width);
      starts.push(cut);
    }
    if (found === -1) break;
    start = found + 1;
    starts.push(start);
  }
  return { text, starts: Uint32Array.from(starts) };
}

/** How far back a space is looked for. */
const reach = 24;

/** Where a line from `start` is best broken: after the last space near `end`, else at `end` itself. */
function breakBefore(text: string, start: number, end: number): number {
  for (let at = end; at > Math.max(start + 1, end - reach); at -= 1) {
    if (text.charCodeAt(at - 1) === 32) return at;
  }
  // A pair of surrogates is one character.
  return isLow(text.charCodeAt(end)) && isHigh(text.charCodeAt(end - 1)) ? end - 1 : end;
}

const isHigh = (code: number) => code >= 0xd800 && code < 0xdc00;
const isLow = (code: number) => code >= 0xdc00 && code < 0xe000;

export function lineAt({ text, starts }: Lines, index: number): string {
  const line = text.slice(starts[index] ?? text.length, starts[index + 1] ?? text.length);
  return line.endsWith('\n') ? line.slice(0, -1) : line;
}
