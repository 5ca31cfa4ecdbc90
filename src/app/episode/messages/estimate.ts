import { partText, type Message } from '../../../model';
import { FIRST_PARTS } from '../fold';
import { FEW } from './few';
import type { Row } from './rows';

const LINE = 19;
const PER_LINE = 84;
const FOLDED_LINES = 22;

const known = new WeakMap<Message, number>();

/** About how high a row will be; the list measures it once it is drawn. */
export function estimateHeight(row: Row | undefined): number {
  switch (row?.kind) {
    case 'message':
      return row.as.state === 'stub' ? 68 : messageHeight(row.message);
    case 'gone':
      return 36;
    case 'note':
      return 44 + 20 * Math.min(FEW, row.reasons.length);
    default:
      return 28;
  }
}

function messageHeight(message: Message): number {
  const seen = known.get(message);
  if (seen !== undefined) return seen;
  let height = 18;
  for (const part of message.parts.slice(0, FIRST_PARTS)) {
    const length = part.kind === 'unknown' ? 400 : partText(part).length;
    height +=
      Math.min(FOLDED_LINES, Math.ceil(length / PER_LINE) || 1) * LINE + (part.kind === 'call' ? 16 : 4);
  }
  known.set(message, height);
  return height;
}
