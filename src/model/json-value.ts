/** Comparing JSON values and finding places in them. Nothing recurses: what a server keeps may be nested very deep. */

/** Same JSON value; the order of an object's keys does not count. */
export function sameValue(a: unknown, b: unknown): boolean {
  const pairs: [unknown, unknown][] = [[a, b]];
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [left, right] = pair;
    // In JSON -0 is a number like 0.
    if (left === right || Object.is(left, right)) continue;
    if (!isContainer(left) || !isContainer(right) || Array.isArray(left) !== Array.isArray(right))
      return false;
    const ours = Object.entries(left);
    if (ours.length !== Object.keys(right).length) return false;
    const theirs = new Map<string, unknown>(Object.entries(right));
    for (const [key, value] of ours) {
      if (!theirs.has(key)) return false;
      pairs.push([value, theirs.get(key)]);
    }
  }
  return true;
}

export function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** The keys of a JSON pointer: `/notes/0/a~1b` is `notes`, `0`, `a/b`. Undefined where it is none. */
export function pointerKeys(pointer: string): string[] | undefined {
  if (pointer === '') return [];
  if (!pointer.startsWith('/') || /~(?![01])/.test(pointer)) return undefined;
  return pointer
    .slice(1)
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The value at a JSON pointer, undefined where there is none: `valueAtPointer({ a: [5] }, '/a/0')` is 5. */
export function valueAtPointer(value: unknown, pointer: string): unknown {
  let found = value;
  for (const key of pointerKeys(pointer) ?? [undefined]) {
    if (key === undefined || !isContainer(found)) return undefined;
    if (Array.isArray(found) ? !/^(0|[1-9]\d*)$/.test(key) : !Object.hasOwn(found, key)) return undefined;
    const next: unknown = Reflect.get(found, key);
    found = next;
  }
  return found;
}

/**
 * Numbers for JSON values, so that two values are the same exactly where their numbers are: comparing parts of large
 * values again and again then costs nothing. Every part is looked at once.
 */
export class ValueNumbers {
  readonly #scalars = new Map<unknown, number>();
  readonly #shapes = new Map<string, number>();
  readonly #containers = new Map<object, number>();
  #next = 0;

  numberOf(value: unknown): number {
    if (!isContainer(value)) return this.#scalar(value);
    const open: { value: object; visited: boolean }[] = [{ value, visited: false }];
    for (let top = open.pop(); top !== undefined; top = open.pop()) {
      if (this.#containers.has(top.value)) continue;
      if (top.visited) {
        this.#containers.set(top.value, this.#shape(top.value));
        continue;
      }
      open.push({ value: top.value, visited: true });
      for (const child of Object.values(top.value)) {
        if (isContainer(child) && !this.#containers.has(child)) open.push({ value: child, visited: false });
      }
    }
    return this.#containers.get(value) ?? -1;
  }

  #scalar(value: unknown): number {
    const known = this.#scalars.get(value);
    if (known !== undefined) return known;
    this.#scalars.set(value, this.#next);
    return this.#next++;
  }

  /** The numbers of its parts, whose containers have theirs already. */
  #shape(container: object): number {
    const part = (value: unknown): number =>
      isContainer(value) ? (this.#containers.get(value) ?? -1) : this.#scalar(value);
    const shape = Array.isArray(container)
      ? `[${container.map(part).join()}`
      : `{${Object.entries(container)
          .map(([key, value]) => `${this.#scalar(key)}:${part(value)}`)
          .sort()
          .join()}`;
    const known = this.#shapes.get(shape);
    if (known !== undefined) return known;
    this.#shapes.set(shape, this.#next);
    return this.#next++;
  }
}
