import { expect, it } from 'vitest';
import { breather, makeWay } from './breathe';

it('goes on at once, and after making way once the others had their time', async () => {
  const order: string[] = [];
  const note = (what: string) => () => void order.push(what);
  const first = breather(0)()?.then(note('at once'));
  const timer = new Promise((resolve) => setTimeout(resolve, 10)).then(note('drawn'));
  await first;
  makeWay();
  await Promise.all([breather(0)()?.then(note('after')), timer]);
  expect(order).toEqual(['at once', 'drawn', 'after']);
});
