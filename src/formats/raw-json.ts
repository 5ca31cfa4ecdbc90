/** JSON that is put into a text as it stands: numbers such as `1.0` and the order of keys stay as they are. */
export class RawJson {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** As `JSON.stringify` has it, but for `RawJson`, which stands for its text, and for -0, which stays what it is. */
export function stringify(value: unknown): string {
  if (value instanceof RawJson) return value.text;
  if (Object.is(value, -0)) return '-0';
  if (value instanceof Int32Array || value instanceof Uint8Array) return `[${value.join(',')}]`;
  if (Array.isArray(value)) return `[${value.map((each: unknown) => stringify(each)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).flatMap(([key, each]) =>
    each === undefined ? [] : [`${JSON.stringify(key)}:${stringify(each)}`],
  );
  return `{${entries.join(',')}}`;
}
