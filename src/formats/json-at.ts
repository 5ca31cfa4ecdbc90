import { entriesOf, itemsOf, pythonJson } from '../model';

/**
 * A value by its place in a JSON text, for what `JSON.parse` loses: `new JsonAt('{"a": [1.0]}').at('a').at(0).text()`
 * is `1.0`. Each container on the way is taken apart once, however many of its values are asked for.
 */
export class JsonAt {
  readonly #raw: string | undefined;
  #children: Map<string | number, JsonAt> | undefined;

  constructor(raw: string | undefined) {
    this.#raw = raw === '' ? undefined : raw;
  }

  at(...path: (string | number)[]): JsonAt {
    return path.reduce<JsonAt>((found, key) => found.#child(key), this);
  }

  #child(key: string | number): JsonAt {
    this.#children ??= childrenOf(this.#raw);
    return this.#children.get(key) ?? nothing;
  }

  /** On one line, numbers and the order of keys as they stood. Undefined where nothing is there. */
  text(): string | undefined {
    return this.#raw === undefined ? undefined : pythonJson(this.#raw);
  }
}

const nothing = new JsonAt(undefined);

function childrenOf(raw: string | undefined): Map<string | number, JsonAt> {
  if (raw === undefined) return new Map();
  const items = itemsOf(raw);
  if (items !== undefined) return new Map(items.map((item, index) => [index, new JsonAt(item)]));
  return new Map((entriesOf(raw) ?? []).map(({ key, value }) => [key, new JsonAt(value)]));
}
