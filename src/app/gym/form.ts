/** A form for a JSON Schema of an object: one field per property, and the body that the filled-in fields make. */
import type { Json, JsonObject } from '../../gym';

export type FieldKind = 'text' | 'integer' | 'number' | 'boolean' | 'choice' | 'json';

export interface Field {
  readonly name: string;
  readonly kind: FieldKind;
  readonly required: boolean;
  readonly description: string | undefined;
  /** Of a choice. */
  readonly options: readonly string[];
}

/** What stands in the fields, by name; a field that is not there is empty. */
export type Filled = ReadonlyMap<string, string>;

export function fieldsOf(schema: JsonObject): Field[] {
  const properties = objectIn(schema, 'properties');
  const required = schema['required'];
  const needed = new Set(Array.isArray(required) ? required : []);
  return Object.entries(properties).map(([name, property]) => {
    const options = optionsOf(property);
    const description = isObject(property) ? property['description'] : undefined;
    return {
      name,
      kind: options.length > 0 ? 'choice' : kindOf(property),
      required: needed.has(name),
      description: typeof description === 'string' ? description : undefined,
      options,
    };
  });
}

/** The fields as a body fills them. What no field can hold is not shown: a form is one way to look at a body, raw JSON the other. */
export function filledFrom(fields: readonly Field[], body: JsonObject): Filled {
  const filled = new Map<string, string>();
  for (const { name, kind } of fields) {
    const value = Object.hasOwn(body, name) ? body[name] : undefined;
    if (value === undefined) continue;
    const plain = kind !== 'json' && typeof value === 'string';
    filled.set(name, plain ? value : JSON.stringify(value));
  }
  return filled;
}

export type Body =
  | { readonly ok: true; readonly body: JsonObject }
  | { readonly ok: false; readonly problems: ReadonlyMap<string, string> };

/** An empty field is left out, except a text that must be there: it is the empty text. */
export function bodyOf(fields: readonly Field[], filled: Filled): Body {
  const entries: [string, Json][] = [];
  const problems = new Map<string, string>();
  for (const field of fields) {
    const text = filled.get(field.name) ?? '';
    if (text.trim() === '' && field.kind !== 'text') {
      if (field.required) problems.set(field.name, 'This is needed.');
      continue;
    }
    if (text === '' && !field.required) continue;
    const value = valueOf(field, text);
    if (value === undefined) problems.set(field.name, WANTED[field.kind]);
    else entries.push([field.name, value]);
  }
  // fromEntries makes `__proto__` a key like any other.
  return problems.size > 0 ? { ok: false, problems } : { ok: true, body: Object.fromEntries(entries) };
}

const WANTED: Record<FieldKind, string> = {
  text: 'A text is wanted.',
  integer: 'A whole number is wanted.',
  number: 'A number is wanted.',
  boolean: 'true or false is wanted.',
  choice: 'One of the choices is wanted.',
  json: 'JSON is wanted.',
};

function valueOf({ kind, options }: Field, text: string): Json | undefined {
  switch (kind) {
    case 'text':
      return text;
    case 'choice':
      return options.includes(text) ? text : undefined;
    case 'integer': {
      const value = numberOf(text);
      return Number.isSafeInteger(value) ? value : undefined;
    }
    case 'number':
      return numberOf(text);
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : undefined;
    case 'json':
      return jsonOf(text);
  }
}

function numberOf(text: string): number | undefined {
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

export function jsonOf(text: string): Json | undefined {
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

function kindOf(property: Json): FieldKind {
  const type = isObject(property) ? property['type'] : undefined;
  if (type === 'string') return 'text';
  if (type === 'integer' || type === 'number' || type === 'boolean') return type;
  return 'json';
}

function optionsOf(property: Json): string[] {
  const choices = isObject(property) ? property['enum'] : undefined;
  if (!Array.isArray(choices) || !choices.every((choice) => typeof choice === 'string')) return [];
  return choices;
}

function objectIn(value: JsonObject, key: string): JsonObject {
  const found = value[key] ?? null;
  return isObject(found) ? found : {};
}

export function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
