import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { picksOf, prune } from './fields';
import { recordOf } from './harness.fixtures';
import { nemoGymFixtures } from './nemo-gym/nemo-gym.fixtures';
import { nemoGymFailure, nemoGymRollout } from './nemo-gym/rollout';
import { rolloutFields, sketchFields } from './nemo-gym/summary-fields';

const picks = picksOf(rolloutFields);

describe('fields of a NeMo Gym rollout', () => {
  const fixtures = nemoGymFixtures.filter(({ value }) =>
    [nemoGymRollout, nemoGymFailure].some((format) => format.confidence(value) > 0),
  );

  it.each(fixtures)('are all the summary needs: $name', ({ value }) => {
    const left = prune(value, picks);
    for (const format of [nemoGymRollout, nemoGymFailure]) {
      if (left === undefined || format.confidence(value) === 0) continue;
      expect(format.confidence(left.value)).toBe(format.confidence(value));
      expect(format.summarise({ ...recordOf(value), value: left.value })).toEqual(
        format.summarise(recordOf(value)),
      );
    }
  });

  it.each(fixtures)('are enough for a sketch, or say that they are not: $name', ({ value }) => {
    const left = prune(value, picksOf(sketchFields));
    for (const format of [nemoGymRollout, nemoGymFailure]) {
      const sketch = left === undefined ? undefined : format.sketch?.summarise(left.value, 7);
      if (left === undefined || sketch === undefined || format.confidence(left.value) === 0) continue;
      expect(format.confidence(left.value)).toBe(format.confidence(value));
      expect([sketch]).toEqual(format.summarise({ ...recordOf(value), index: 7 }));
    }
  });

  it('give the summary of any rollout, whatever its items are', () => {
    const id = fc.constantFrom('c1', 'c2', 'c3', 'é', '');
    const item = fc.record(
      {
        type: fc.oneof(
          fc.constantFrom('message', 'reasoning', 'function_call', 'function_call_output', 'mcp_call'),
          fc.constantFrom(
            'custom_tool_call',
            'custom_tool_call_output',
            'x_output',
            'mcp_approval_response',
            5,
          ),
        ),
        role: fc.constantFrom('user', 'assistant', 'system', 'critic', null),
        name: fc.constantFrom('search', 'open', '', 'x'.repeat(90), 3),
        id,
        call_id: fc.oneof(id, fc.constant(null)),
        tool_call_id: id,
        content: fc.constantFrom('text', '', [], [{ type: 'output_text', text: 'x' }], null),
        summary: fc.constantFrom([], ['x'], 'x', null, {}),
        prompt_token_ids: fc.constantFrom([], null, [1]),
        output: fc.constant('an answer'),
      },
      { requiredKeys: [] },
    );
    const items = fc.oneof(
      { weight: 6, arbitrary: fc.array(item, { maxLength: 12 }) },
      fc.constantFrom('text', '', null, 3),
    );
    const rollout = fc.record(
      {
        responses_create_params: fc.record(
          { input: items, instructions: fc.constantFrom('Do.', null) },
          { requiredKeys: [] },
        ),
        response: fc.record(
          { output: items, usage: fc.constantFrom(null, { input_tokens: 3, completion_tokens: 4 }) },
          { requiredKeys: [] },
        ),
        reward: fc.constantFrom(1, 0.5, null, 'high'),
        reward_format: fc.constantFrom(1, 'x'),
        _ng_task_index: fc.constantFrom(4, '4'),
        task_id: fc.constantFrom('t', 'a long name '.repeat(40)),
        label: fc.string(),
      },
      { requiredKeys: ['responses_create_params', 'response'] },
    );
    const sketched = picksOf(sketchFields);
    let told = 0;
    fc.assert(
      fc.property(rollout, (value) => {
        const left = prune(value, sketched);
        const sketch = left === undefined ? undefined : nemoGymRollout.sketch?.summarise(left.value, 3);
        if (sketch === undefined) return;
        told += 1;
        expect([sketch]).toEqual(nemoGymRollout.summarise({ ...recordOf(value), index: 3 }));
      }),
      { numRuns: 2000 },
    );
    // About a quarter of them are such that the sketch tells all of it.
    expect(told).toBeGreaterThan(300);
  });

  it('spare most records from being parsed in full', () => {
    const spared = fixtures.filter(({ value }) => prune(value, picks) !== undefined);
    expect(spared.length).toBeGreaterThan(fixtures.length / 2);
  });
});
