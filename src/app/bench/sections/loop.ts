import { measureSteps } from '../../../agent/bench/steps';
import { median, type Section } from '../section';

/** The agent loop by itself, in Node: a policy and an environment that answer at once. */
export const loop: Section = {
  id: 'loop',
  async run({ quick, times, say }) {
    const steps = quick ? 300 : 1_000;
    say(`the loop: ${steps} steps, ${times} times`);
    const plain: number[] = [];
    const deleting: number[] = [];
    const growth: number[] = [];
    await measureSteps(100);
    for (let time = 0; time < times; time++) {
      const costs = await measureSteps(steps);
      plain.push(costs.mean);
      growth.push(costs.last / costs.first);
      deleting.push((await measureSteps(steps, 50)).mean);
    }
    const how = `median of ${times}; ${steps} steps with the bundled tokenizer`;
    return [
      { what: 'a step of the loop, besides policy and environment', value: median(plain), unit: 'ms', how },
      {
        what: 'a step of the loop, deleting and rendering every 50th',
        value: median(deleting),
        unit: 'ms',
        how,
      },
      {
        what: 'the last tenth of the steps against the first',
        value: median(growth),
        unit: 'x',
        bound: { under: 3 },
        how,
      },
    ];
  },
};
