/** Above either of these a text is folded. */
export const LINES = 20;
export const CHARACTERS = 4_000;
/** Folding that hides less than this many lines, or a tenth of the characters, saves nobody anything. */
export const SLACK = 4;

/** The head that is shown of a folded text, or undefined where it is short enough to be shown whole. */
export function headOf(text: string, lines = LINES, characters = CHARACTERS): string | undefined {
  const lineEnd = endOfLine(text, lines);
  const short = endOfLine(text, lines + SLACK) === text.length && text.length <= characters * 1.1;
  if (short) return undefined;
  return text.slice(0, wholeEnd(text, Math.min(lineEnd, characters)));
}

/** Where the nth line ends, or the length of the text. */
function endOfLine(text: string, lines: number): number {
  let end = -1;
  for (let line = 0; line < lines; line++) {
    end = text.indexOf('\n', end + 1);
    if (end < 0) return text.length;
  }
  return end;
}

/** An end near `end`, but never between the two halves of a character. */
export function wholeEnd(text: string, end: number): number {
  return /[\ud800-\udbff]/.test(text.charAt(end - 1)) && /[\udc00-\udfff]/.test(text.charAt(end))
    ? end - 1
    : end;
}

/** A name as it fits into a line: names come out of files, too, and can be of any length. */
export function shortName(name: string, most = 120): string {
  return name.length <= most ? name : `${name.slice(0, wholeEnd(name, most))}…`;
}

/**
 * A long text in blocks that the browser can lay out one by one. Blocks end at line ends, which they do not contain;
 * a line longer than a block is broken.
 */
export function blocksOf(text: string, size = 20_000): string[] {
  const blocks: string[] = [];
  let start = 0;
  while (text.length - start > size) {
    const lineEnd = text.lastIndexOf('\n', start + size);
    const end = lineEnd > start ? lineEnd : wholeEnd(text, start + size);
    blocks.push(text.slice(start, end));
    start = lineEnd > start ? end + 1 : end;
  }
  blocks.push(text.slice(start));
  return blocks;
}

/** Parts of a message drawn before more are asked for, and then at a time. There can be thousands of calls in one. */
export const FIRST_PARTS = 50;
export const MORE_PARTS = 250;

/** Lines of reasoning shown before it is asked for. */
export const REASONING_LINES = 8;

/** JSON longer than this would take more than a frame to set for reading; the person can still ask for it. */
export const SET_AT_ONCE = 60_000;

/** How much of an opened text is drawn at a time. */
export const PAGE = 1_000_000;
