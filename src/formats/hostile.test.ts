import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { atifFixtures } from './atif/atif.fixtures';
import { chatFixtures } from './chat/chat.fixtures';
import { claudeCodeFixtures } from './claude-code/claude-code.fixtures';
import { geminiFixtures } from './gemini-cli/gemini-cli.fixtures';
import { closed, nested, placesOf, replaceOne } from './damage.fixtures';
import { expectSound, parse, recordOf, type Fixture } from './harness.fixtures';
import { inspectFixtures } from './inspect/inspect.fixtures';
import { nemoGymFixtures } from './nemo-gym/nemo-gym.fixtures';
import { nemoRlFixtures } from './nemo-rl/nemo-rl.fixtures';
import { openhandsFixtures } from './openhands/openhands.fixtures';
import { opencodeFixtures } from './opencode/opencode.fixtures';
import { formats } from './registry';
import { rllmFixtures } from './rllm/rllm.fixtures';
import { sweAgentFixtures } from './swe-agent/swe-agent.fixtures';
import { tau2Fixtures } from './tau2/tau2.fixtures';
import { verifiersFixtures } from './verifiers/verifiers.fixtures';
import { verlFixtures } from './verl/verl.fixtures';

/** Every importer is given what it was not made for, and must make something of it. */

const fixtures: Fixture[] = [
  ...chatFixtures,
  ...claudeCodeFixtures,
  ...geminiFixtures,
  ...opencodeFixtures,
  ...nemoGymFixtures,
  ...verlFixtures,
  ...rllmFixtures,
  ...nemoRlFixtures,
  ...verifiersFixtures,
  ...atifFixtures,
  ...sweAgentFixtures,
  ...openhandsFixtures,
  ...inspectFixtures,
  ...tau2Fixtures,
  {
    name: 'any object',
    format: 'json',
    value: { id: 'q7', score: 0.5, passed: true, log: ['a', { b: null }] },
  },
];

const withFixtures = formats.filter(({ id }) => fixtures.some(({ format }) => format === id));

test('every format of NeMo Gym has a fixture, and so has JSON', () => {
  const without = formats.filter((format) => !withFixtures.includes(format)).map(({ id }) => id);
  expect(without.filter((id) => id.startsWith('nemo_gym') || id === 'json')).toEqual([]);
});

describe.each(withFixtures.map((format) => [format.id, format] as const))('%s', (id, format) => {
  const own = fixtures.filter((fixture) => fixture.format === id);
  const texts = own.map(({ value }) => JSON.stringify(value));

  test.each(own.map((fixture) => [fixture.name, fixture] as const))('is sound: %s', (_, { value }) => {
    expect(expectSound(format, recordOf(value))).not.toHaveLength(0);
  });

  test.each(own.map((fixture) => [fixture.name, fixture] as const))(
    'takes a record that was cut off anywhere and closed again: %s',
    (_, { value }) => {
      const text = JSON.stringify(value);
      let readable = 0;
      for (let end = 1; end < text.length; end++) {
        const parsed = parse(closed(text.slice(0, end)));
        if (!parsed.ok) continue;
        readable++;
        expectSound(format, recordOf(parsed.value));
      }
      expect(readable).toBeGreaterThan(10);
    },
  );

  test('takes flipped bytes', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...texts),
        fc.array(fc.tuple(fc.nat(), fc.integer({ min: 1, max: 255 })), { minLength: 1, maxLength: 3 }),
        (text, flips) => {
          const bytes = new TextEncoder().encode(text);
          for (const [place, flip] of flips) {
            const at = place % bytes.length;
            bytes[at] = (bytes[at] ?? 0) ^ flip;
          }
          const parsed = parse(new TextDecoder().decode(bytes));
          if (parsed.ok) expectSound(format, recordOf(parsed.value));
        },
      ),
      { numRuns: 500 },
    );
  });

  test('takes a record with anything in place of any of its values', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...texts),
        fc.array(fc.tuple(fc.nat(), anything), { minLength: 1, maxLength: 4 }),
        (text, changes) => {
          const value: unknown = JSON.parse(text);
          // A copy each: one that was put into itself would be no JSON.
          for (const [place, replacement] of changes) replaceOne(value, place, structuredClone(replacement));
          expectSound(format, recordOf(value));
        },
      ),
      { numRuns: 300 },
    );
  });

  test('takes values nested deeper than the stack', () => {
    for (const text of texts) {
      const places = placesOf(JSON.parse(text)).length;
      for (let place = 0; place < places; place += 7) {
        const value: unknown = JSON.parse(text);
        replaceOne(value, place, nested(20_000));
        expectSound(format, { value, text: '', index: 0, line: 1 });
      }
    }
  });
});

const anything = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom<unknown>(
    '',
    'assistant',
    'function_call',
    1e308,
    -1,
    [],
    {},
    [[]],
    [[[]]],
    null,
    true,
    '\ud800',
  ),
  fc.constantFrom<unknown>(JSON.parse('{"__proto__":{"type":"message"},"type":"reasoning"}'), [
    { type: 'function_call_output' },
    { type: 'function_call', call_id: 'c1' },
  ]),
);
