import * as fc from 'fast-check';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { createIngest } from '../../ingest/ingest';
import type { Episode } from '../../model';
import { axisOf, promptQuery, sessionQuery, stepColumn, trainingStep, type Axis } from './axis';
import { Chart } from './Chart';

function dump(step: number, rows: readonly (readonly [prompt: string, score: number, uid?: string])[]): Blob {
  const lines = rows.map(([prompt, score, uid]) =>
    JSON.stringify({
      input: `user\n${prompt}\nassistant\n`,
      output: 'x',
      gts: '1',
      score,
      step,
      ...(uid === undefined ? {} : { uid }),
    }),
  );
  return new Blob([`${lines.join('\n')}\n`]);
}

async function run(steps: Readonly<Record<string, Blob>>) {
  const ingest = createIngest();
  for (const [id, data] of Object.entries(steps)) await ingest.open({ id, name: id, data }, () => undefined);
  const sources = Object.keys(steps);
  const of = async (source: string, nth: number): Promise<Episode> => {
    const episode = await ingest.episode({ source, episode: nth });
    if (episode === undefined) throw new Error('no episode');
    return episode;
  };
  const axis = async (episode: Episode): Promise<Axis | undefined> => {
    const query = promptQuery(episode, sources);
    const { groups } = await ingest.groups({ query: { sources, sort: [] }, by: stepColumn, k: [] }, 0, 100);
    return axisOf(groups, query === undefined ? [] : (await ingest.rows(query, 0, 100)).rows);
  };
  return { ingest, sources, of, axis };
}

describe('a directory of dumps', () => {
  it('gives the mean of each training step, and the scores of a prompt over all of them', async () => {
    const { of, axis } = await run({
      '10.jsonl': dump(10, [
        ['a', 1],
        ['b', 1],
      ]),
      '2.jsonl': dump(2, [
        ['a', 0],
        ['b', 1],
        ['a', 1],
      ]),
    });
    const found = await axis(await of('10.jsonl', 0));
    expect(found?.means.map(({ step, n }) => [step, n])).toEqual([
      [2, 3],
      [10, 2],
    ]);
    expect(found?.means[0]?.mean).toBeCloseTo(2 / 3);
    expect(found?.scores.map(({ step, reward }) => [step, reward])).toEqual([
      [2, 0],
      [2, 1],
      [10, 1],
    ]);
    expect(found?.steps).toEqual([2, 10]);
  });

  it('follows a prompt though its ids change with every step', async () => {
    const { of, axis } = await run({
      '1.jsonl': dump(1, [
        ['a', 0, 'u1_0_0'],
        ['b', 1, 'u2_0_0'],
      ]),
      '2.jsonl': dump(2, [['a', 1, 'v7_0_0']]),
    });
    const found = await axis(await of('1.jsonl', 0));
    expect(found?.scores.map(({ step, reward }) => [step, reward])).toEqual([
      [1, 0],
      [2, 1],
    ]);
  });

  it('finds the outputs that one session became, and no others', async () => {
    const { ingest, sources, of } = await run({
      '1.jsonl': dump(1, [
        ['a', 0, 'u_0_0'],
        ['a2', 0, 'u_0_1'],
        ['a', 1, 'u_1_0'],
        ['b', 1, 'w_0_0'],
      ]),
      '2.jsonl': dump(2, [['a', 1, 'u_0_0']]),
    });
    const query = sessionQuery(await of('1.jsonl', 1), sources);
    if (query === undefined) throw new Error('no session');
    const { rows } = await ingest.rows(query, 0, 10);
    expect(rows.map(({ ref }) => [ref.source, ref.episode])).toEqual([
      ['1.jsonl', 0],
      ['1.jsonl', 1],
    ]);
  });

  it('of one step has no axis, and an episode without a step none either', async () => {
    const { of, axis } = await run({ '1.jsonl': dump(1, [['a', 0]]) });
    const episode = await of('1.jsonl', 0);
    expect(trainingStep(episode)).toBe(1);
    expect(await axis(episode)).toBeUndefined();
    expect(trainingStep({ ...episode, metrics: {} })).toBeUndefined();
  });
});

const axis: Axis = {
  means: [
    { step: 1, n: 4, mean: 0.25, low: 0, high: 0.75 },
    { step: 3, n: 4, mean: 0.5, low: 0, high: 1 },
  ],
  scores: [{ step: 3, reward: 1, ref: { source: 'b', episode: 2 }, title: '<b>x</b>' }],
  steps: [1, 3],
  rewards: [0, 1],
};

it('the chart can be read and reached without seeing it', () => {
  const markup = renderToStaticMarkup(
    <Chart axis={axis} open={{ source: 'b', episode: 2 }} onOpen={() => undefined} />,
  );
  expect(markup).toContain('aria-label="Training step 3, score 1');
  expect(markup).toContain('<summary>As a table</summary>');
  expect(markup.match(/<th scope="row">/g)).toHaveLength(2);
  expect(markup).not.toContain('<b>x');
});

it('numbers are finite whatever the scores are', () => {
  const number = fc.double({ noNaN: true, min: -1e6, max: 1e6 });
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), number)), (rows) => {
      const steps = new Map<number, number[]>();
      for (const [step, reward] of rows) steps.set(step, [...(steps.get(step) ?? []), reward]);
      const groups = [...steps].map(([step, all]) => ({
        key: String(step),
        n: all.length,
        rewarded: all.length,
        mean: all.reduce((a, b) => a + b, 0) / all.length,
        best: Math.max(...all),
        worst: Math.min(...all),
        variance: 1,
        passed: 0,
        passAt: [],
        zeroVariance: false,
        first: { source: 'a', episode: 0 },
      }));
      const found = axisOf(groups, []);
      if (steps.size < 2) expect(found).toBeUndefined();
      else {
        expect(found?.means.every(({ low, mean, high }) => low <= mean && mean <= high)).toBe(true);
        expect((found?.rewards[1] ?? 0) - (found?.rewards[0] ?? 0)).toBeGreaterThan(0);
      }
    }),
  );
});
