import { anything, array, assert, boolean, constantFrom, integer, property, string, tuple } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { environments, jsonSchema, type Json, type JsonObject } from '../../gym';
import { endpointsOf } from './endpoints';
import { bodyOf, fieldsOf, filledFrom } from './form';

const schema: JsonObject = {
  type: 'object',
  properties: {
    city: { type: 'string', description: 'Where.' },
    count: { type: 'integer' },
    share: { type: 'number' },
    loud: { type: 'boolean' },
    unit: { enum: ['c', 'f'] },
    values: { type: 'array', items: { type: 'integer' } },
  },
  required: ['city', 'count'],
};

describe('a form', () => {
  it('has a field per property', () => {
    expect(fieldsOf(schema).map(({ name, kind, required }) => [name, kind, required])).toEqual([
      ['city', 'text', true],
      ['count', 'integer', true],
      ['share', 'number', false],
      ['loud', 'boolean', false],
      ['unit', 'choice', false],
      ['values', 'json', false],
    ]);
  });

  it('gives back the body that filled it', () => {
    const fields = fieldsOf(schema);
    const bodies = tuple(string(), integer(), boolean(), constantFrom('c', 'f'), array(integer())).map(
      ([city, count, loud, unit, values]): JsonObject => ({ city, count, loud, unit, values }),
    );
    assert(
      property(bodies, (body) => {
        expect(bodyOf(fields, filledFrom(fields, body))).toEqual({ ok: true, body });
      }),
    );
  });

  it('says which field is not right', () => {
    const filled = new Map([
      ['count', '2.5'],
      ['share', 'x'],
      ['loud', 'yes'],
      ['unit', 'k'],
      ['values', '[1,'],
    ]);
    const made = bodyOf(fieldsOf(schema), filled);
    expect(made.ok ? [] : [...made.problems.keys()]).toEqual(['count', 'share', 'loud', 'unit', 'values']);
    const empty = bodyOf(fieldsOf(schema), new Map());
    expect(empty.ok ? [] : [...empty.problems]).toEqual([['count', 'This is needed.']]);
  });

  it('takes whatever calls itself a schema', () => {
    assert(
      property(anything(), anything(), (properties, required) => {
        const made = JSON.stringify({ properties, required }, (_, value: unknown) =>
          typeof value === 'bigint' ? null : value,
        );
        const strange: JsonObject = JSON.parse(made);
        expect(Array.isArray(fieldsOf(strange))).toBe(true);
      }),
    );
  });

  it('keeps a property named __proto__ as data', () => {
    const strange: JsonObject = JSON.parse('{"properties": {"__proto__": {"type": "string"}}}');
    const made = bodyOf(fieldsOf(strange), new Map([['__proto__', 'x']]));
    expect(made.ok ? JSON.stringify(made.body) : '').toBe('{"__proto__":"x"}');
  });
});

describe('the endpoints of every environment', () => {
  it('start with an example that the server takes', () => {
    for (const environment of environments) {
      for (const endpoint of endpointsOf(environment)) {
        if (endpoint.schema === undefined) continue;
        const fields = fieldsOf(endpoint.schema);
        const made = bodyOf(fields, filledFrom(fields, endpoint.example));
        const body: Json = made.ok ? made.body : null;
        const accepted =
          endpoint.name === 'seed_session'
            ? environment.seed(body)
            : endpoint.name === 'verify'
              ? environment.verify(body)
              : (environment.tools.get(endpoint.name)?.parse(body) ?? { ok: true });
        expect([environment.name, endpoint.name, accepted.ok]).toEqual([
          environment.name,
          endpoint.name,
          true,
        ]);
      }
    }
    expect(environments.map(({ seedSchema }) => fieldsOf(jsonSchema(seedSchema)).length > 0)).toContain(true);
  });
});
