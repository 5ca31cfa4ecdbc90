import { excerpt } from '../model';

/** A question's first line, as a title. */
export function titleFrom(question: string | undefined, otherwise: string): string {
  const line = question?.split('\n', 1)[0]?.trim() ?? '';
  return line === '' ? otherwise : shortTitle(line);
}

/** No longer than 80 characters, which fits a table cell. */
export function shortTitle(line: string): string {
  return excerpt(line, 79);
}
