import { expect, test } from 'vitest';
import { Fold } from './fold';
import { call, loopOf, runToEnd, STATELM, toyTemplate } from './loop.fixtures';

const config = { ...STATELM, max_model_length: 50_000_000, response_length: 20_000_000 };

/** Two reads a round, and every twentieth round a delete. */
function scriptOf(rounds: number) {
  return Array.from({ length: rounds }, (_, round) => [
    call('read', { long: 200 }),
    call('read', { n: round }),
    ...(round % 20 === 19 ? [call('deleteContext', { message_ids: [2, 4 * round + 2] })] : []),
  ]).flat();
}

test('the log of a run without edits grows with its steps', async () => {
  const sizes = await Promise.all(
    [100, 200].map(async (rounds) => {
      const script = [
        ...scriptOf(rounds).filter((_, index) => index % 3 !== 2),
        call('finish', { answer: 'x' }),
      ];
      const loop = loopOf({ config, script, template: toyTemplate });
      await runToEnd(loop);
      return JSON.stringify(loop.log).length;
    }),
  );
  expect((sizes[1] ?? 0) / (sizes[0] ?? 1)).toBeLessThan(2.1);
});

test('steps between two renders share the memory of their context', async () => {
  const script = [
    ...Array.from({ length: 200 }, (_, n) => call('read', { n })),
    call('finish', { answer: 'x' }),
  ];
  const { steps } = await runToEnd(loopOf({ config, script, template: toyTemplate }));
  const buffers = new Set(steps.map(({ tokens }) => tokens?.promptIds.buffer));
  const bytes = [...buffers].reduce((sum, buffer) => sum + (buffer?.byteLength ?? 0), 0);
  const last = 4 * (steps.at(-1)?.tokens?.promptIds.length ?? 0);
  expect(bytes).toBeLessThan(5 * last);
});

test('an event costs the same at the end of a run as at its beginning', async () => {
  const loop = loopOf({
    config,
    script: [...scriptOf(500), call('finish', { answer: 'x' })],
    template: toyTemplate,
  });
  const { steps } = await runToEnd(loop);
  expect(steps).toHaveLength(1_026);
  // Renders are as long as the context, in any loop; what is not a render must not look at what came before.
  const light = loop.log.filter(({ type }) => type !== 'rendered');
  const costs = (from: number, to: number): number => {
    let best = Infinity;
    for (let time = 0; time < 5; time++) {
      const fold = new Fold(light.slice(0, from));
      const start = performance.now();
      for (const event of light.slice(from, to)) fold.add(event);
      best = Math.min(best, performance.now() - start);
    }
    return best;
  };
  costs(0, 500);
  const [early, late] = [costs(100, 600), costs(light.length - 500, light.length)];
  expect(late / early).toBeLessThan(5);
});
