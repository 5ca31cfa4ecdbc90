import { afterEach, expect, it, vi } from 'vitest';
import { breather, makeWay } from './breathe';

const passed = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

afterEach(() => {
  vi.useRealTimers();
});

it('works as long as those took whom it let in, but not so long that a cancel is not heard', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  for (const [taken, works] of [
    [1, 8],
    [30, 30],
    [400, 50],
  ] as const) {
    const breathe = breather();
    vi.advanceTimersByTime(8);
    const breath = breathe();
    vi.advanceTimersByTime(taken);
    await breath;
    vi.advanceTimersByTime(works - 1);
    expect(breathe(), `after ${taken} ms`).toBeUndefined();
    vi.advanceTimersByTime(1);
    await expect(breathe(), `after ${taken} ms`).resolves.toBeUndefined();
  }
});

it('goes on at once, and after making way once the others had their time', async () => {
  const order: string[] = [];
  const note = (what: string) => () => void order.push(what);
  const [one, other] = [breather(), breather()];
  // Until it is time to breathe.
  await passed(15);
  const first = one()?.then(note('at once'));
  const timer = passed(10).then(note('drawn'));
  await first;
  makeWay();
  await Promise.all([other()?.then(note('after')), timer]);
  expect(order).toEqual(['at once', 'drawn', 'after']);
});

it('works half of the time however often it is asked to make way', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] });
  const breathe = breather();
  const started = performance.now();
  let worked = 0;
  while (performance.now() - started < 10_000) {
    vi.advanceTimersByTime(1);
    worked += 1;
    const breath = breathe();
    if (breath === undefined) continue;
    const state = { over: false };
    void breath.then(() => (state.over = true));
    while (!state.over) {
      makeWay();
      // What is let in, and then the time aside, a millisecond at a time.
      await new Promise((resolve) => setImmediate(resolve));
      if (!state.over) vi.advanceTimersByTime(1);
    }
  }
  expect(worked).toBeGreaterThan(4000);
  expect(worked).toBeLessThan(6000);
});
