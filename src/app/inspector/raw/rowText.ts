import { counted, formatBytes } from '../../words/format';
import { kindAt, membersOf, type Span } from './scan';

/** What a row shows of a value. */

/** As much of a value's text as a row can show. */
const previewLength = 160;
/** Containers up to this size are looked through for how many members they have; of larger ones the size is said. */
const countable = 20_000;

export function previewOf(text: string, { start, end }: Span): string {
  const cut = end - start > previewLength;
  return text.slice(start, cut ? start + previewLength : end) + (cut ? '…' : '');
}

/** `5 keys`, `40 items`, `1.2 MB`: how much there is in what a row cannot show. */
export function sizeOf(text: string, { start, end }: Span, members?: number): string | undefined {
  const kind = kindAt(text, start);
  if (kind === 'other' || (kind === 'string' && end - start <= previewLength)) return undefined;
  if (kind === 'string' || (members === undefined && end - start > countable))
    return formatBytes(end - start);
  const count = members ?? membersOf(text, start).count;
  if (count === 0) return undefined;
  return kind === 'object' ? counted(count, 'key') : counted(count, 'item');
}
