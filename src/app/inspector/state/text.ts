import { oneLine } from '../../words/format';

/** A JSON pointer as it is read: `/notes/2/text` is `notes.2.text`, the whole value `(state)`. */
export function pathText(pointer: string): string {
  if (pointer === '') return '(state)';
  return oneLine(
    pointer
      .split('/')
      .slice(1)
      .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
      .join('.'),
    120,
  );
}

/** A value on one line: `5`, `"dark"`, `[3]`, `{2}`; what stands in it is for the tree. */
export function shown(value: unknown): string {
  if (value === undefined) return 'none';
  if (Array.isArray(value)) return value.length === 0 ? '[]' : `[${value.length}]`;
  if (typeof value === 'object' && value !== null) {
    const size = Object.keys(value).length;
    return size === 0 ? '{}' : `{${size}}`;
  }
  return oneLine(JSON.stringify(value) ?? '', 200);
}
