import { diffLines, diffWordsWithSpace } from 'diff';

export interface Piece {
  text: string;
  /** `a` stands on the left only, `b` on the right only. */
  side: 'both' | 'a' | 'b';
}

/** Beyond this a comparison word by word takes too long for a person to wait for, and lines are compared. */
const MOST_FOR_WORDS = 20_000;
const MOST_EDITS = 2_000;

/** What two texts share and what each has alone, in order: the pieces of one side put together are its text. */
export function piecesOf(a: string, b: string): Piece[] {
  if (a === b) return a === '' ? [] : [{ text: a, side: 'both' }];
  const words = a.length + b.length <= MOST_FOR_WORDS;
  const changes = words
    ? diffWordsWithSpace(a, b, { maxEditLength: MOST_EDITS })
    : diffLines(a, b, { maxEditLength: MOST_EDITS });
  const whole: Piece[] = [
    { text: a, side: 'a' },
    { text: b, side: 'b' },
  ];
  const pieces =
    changes?.map(({ value, added, removed }): Piece => ({
      text: value,
      side: added ? 'b' : removed ? 'a' : 'both',
    })) ?? whole;
  return pieces.filter(({ text }) => text !== '');
}

/** The pieces that stand on one side, up to so many characters. */
export function sideOfPieces(
  pieces: readonly Piece[],
  side: 'a' | 'b',
  most: number,
): { shown: Piece[]; whole: boolean } {
  const shown: Piece[] = [];
  let rest = most;
  for (const piece of pieces) {
    if (piece.side !== 'both' && piece.side !== side) continue;
    if (piece.text.length > rest) {
      shown.push({ ...piece, text: piece.text.slice(0, rest) });
      return { shown, whole: false };
    }
    shown.push(piece);
    rest -= piece.text.length;
  }
  return { shown, whole: true };
}
