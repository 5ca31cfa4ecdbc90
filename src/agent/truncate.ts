import type { TruncateSide } from './config';

/** A tool's answer cut to a number of characters, as the training code cuts it. Characters are code points, as in Python. */
export function truncated(text: string, most: number, side: TruncateSide): string {
  if (text.length <= most) return text;
  const characters = Array.from(text);
  if (characters.length <= most) return text;
  const head = (count: number): string => characters.slice(0, count).join('');
  const tail = (count: number): string => characters.slice(characters.length - count).join('');
  if (side === 'left') return `${head(most)}...(truncated)`;
  if (side === 'right') return `(truncated)...${tail(most)}`;
  const half = Math.floor(most / 2);
  return `${head(half)}...(truncated)...${tail(half)}`;
}
