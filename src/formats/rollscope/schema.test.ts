import { toJsonSchema } from '@valibot/to-json-schema';
import * as fc from 'fast-check';
import { format } from 'prettier';
import { expect, test } from 'vitest';
import { arrayAt, at, isObject, stringAt, type JsonObject } from '../../model';
import { wholeEpisodes } from './rollscope.fixtures';
import { line, shapes } from './schema';
import { writeEpisode } from './write';

const file = '../../../docs/rollscope.schema.json';

/** Lists of numbers carry their own description. */
function jsonSchema(): JsonObject {
  const head = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: "A line of Rollscope's own format: one episode",
  };
  const body = toJsonSchema(line, {
    definitions: shapes,
    typeMode: 'input',
    overrideSchema: ({ valibotSchema }) => (valibotSchema.type === 'custom' ? {} : undefined),
  });
  return { ...head, ...body, ...head };
}

/** Where it is not, `npx vitest run src/formats/rollscope/schema.test.ts -u` writes it anew. */
test('the schema in docs is the one that lines are read with', async () => {
  const text = await format(JSON.stringify(jsonSchema()), {
    parser: 'json',
    printWidth: 110,
  });
  await expect(text).toMatchFileSnapshot(file);
});

test('the schema accepts what is written', () => {
  const schema = jsonSchema();
  fc.assert(
    fc.property(wholeEpisodes(), (episode) => {
      expect(faults(schema, schema, JSON.parse(writeEpisode(episode)))).toEqual([]);
    }),
  );
});

test.each<[string, (line: Record<string, unknown>) => void]>([
  ['/rollscope', (line) => (line['rollscope'] = 2)],
  ['/title', (line) => delete line['title']],
  ['/metrics', (line) => (line['metrics'] = [])],
  ['/steps/0/index', (line) => (line['steps'] = [{ index: 'x' }])],
  ['/gaps/0', (line) => (line['gaps'] = [7])],
])('the schema refuses a line that is wrong at %s', (place, spoil) => {
  const [episode] = fc.sample(wholeEpisodes(), 1);
  if (episode === undefined) throw new Error('no sample');
  const line: Record<string, unknown> = JSON.parse(writeEpisode(episode));
  spoil(line);
  const schema = jsonSchema();
  expect(faults(schema, schema, line)).toContain(place);
});

/** The places of a value that a JSON Schema does not allow, as far as this schema uses the language. */
function faults(root: JsonObject, schema: unknown, value: unknown, place = ''): string[] {
  if (!isObject(schema)) throw new Error('no schema');
  const reference = stringAt(schema, '$ref');
  if (reference !== undefined) {
    return faults(root, at(at(root, '$defs'), reference.replace('#/$defs/', '')), value, place);
  }
  const strange = Object.keys(schema).filter((key) => !known.has(key));
  if (strange.length > 0) throw new Error(`a keyword this test does not know: ${strange.join()}`);
  const options = arrayAt(schema, 'anyOf') ?? arrayAt(schema, 'oneOf');
  if (options !== undefined && !options.some((option) => faults(root, option, value, place).length === 0))
    return [place];
  if (Object.hasOwn(schema, 'const') && schema['const'] !== value) return [place];
  if (arrayAt(schema, 'enum')?.includes(value) === false) return [place];
  const type = stringAt(schema, 'type');
  if (type !== undefined && !isOfType(value, type)) return [place];
  if (typeof value === 'number' && outside(schema, value)) return [place];
  if (Array.isArray(value)) {
    const items = at(schema, 'items');
    const each = Array.isArray(items) ? items : undefined;
    return value.flatMap((item, index) => {
      const own: unknown = each === undefined ? items : each[index];
      return own === undefined ? [] : faults(root, own, item, `${place}/${index}`);
    });
  }
  if (!isObject(value)) return [];
  const required = (arrayAt(schema, 'required') ?? []).filter((key) => !Object.hasOwn(value, String(key)));
  const properties = at(schema, 'properties');
  return [
    ...required.map((key) => `${place}/${String(key)}`),
    ...Object.entries(value).flatMap(([key, item]) => {
      const own = at(properties, key) ?? at(schema, 'additionalProperties');
      return own === undefined ? [] : faults(root, own, item, `${place}/${key}`);
    }),
  ];
}

const known = new Set([
  '$schema',
  '$defs',
  'title',
  'description',
  'type',
  'anyOf',
  'oneOf',
  'const',
  'enum',
  'items',
  'minItems',
  'minimum',
  'maximum',
  'required',
  'properties',
  'additionalProperties',
]);

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'object':
      return isObject(value);
    case 'array':
      return Array.isArray(value);
    case 'integer':
      return Number.isInteger(value);
    case 'null':
      return value === null;
    default:
      return typeof value === type;
  }
}

function outside(schema: JsonObject, value: number): boolean {
  const { minimum, maximum } = schema;
  return (typeof minimum === 'number' && value < minimum) || (typeof maximum === 'number' && value > maximum);
}
