import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Budget } from '../../../model';
import { columnsOf, labelledSteps, layersOf, limitInReach, plotOf, stepAtX, topOf, xOfStep } from './plot';

const plots = fc.tuple(fc.integer({ min: 120, max: 3000 }), fc.integer({ min: 1, max: 20_000 }));

const budget = (total: number, withoutEdits = total): Budget => ({
  byRole: { system: 0, developer: 0, user: total, assistant: 0, tool: 0 },
  byTool: [],
  notes: 0,
  stubs: 0,
  rest: 0,
  total,
  withoutEdits,
});

describe('the plot', () => {
  it('finds the step that was drawn at a place', () => {
    fc.assert(
      fc.property(plots, fc.nat(), ([width, steps], any) => {
        const plot = plotOf(width, steps);
        const step = any % steps;
        const found = stepAtX(plot, xOfStep(plot, step));
        expect(Math.floor(found / plot.stepsPerColumn)).toBe(Math.floor(step / plot.stepsPerColumn));
      }),
    );
  });

  it('reaches every step with the pointer, and none beyond', () => {
    fc.assert(
      fc.property(plots, ([width, steps]) => {
        const plot = plotOf(width, steps);
        expect(stepAtX(plot, -10)).toBe(0);
        expect(stepAtX(plot, width + 10_000)).toBe(steps - 1);
      }),
    );
    const plot = plotOf(640, 12);
    const reached = new Set(Array.from({ length: 640 }, (_, x) => stepAtX(plot, x)));
    expect([...reached].sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });

  it('keeps its columns inside', () => {
    fc.assert(
      fc.property(plots, ([width, steps]) => {
        const plot = plotOf(width, steps);
        expect(xOfStep(plot, steps - 1)).toBeLessThanOrEqual(plot.left + plot.width);
        expect(plot.columns * plot.stepsPerColumn).toBeGreaterThanOrEqual(steps);
        expect(plot.bar).toBeGreaterThanOrEqual(1);
      }),
    );
  });

  it('loses no peak where steps share a column', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1000), { minLength: 400, maxLength: 800 }), (totals) => {
        const columns = columnsOf(
          totals.map((total) => budget(total)),
          plotOf(300, totals.length),
        );
        expect(Math.max(...columns.map((column) => column.total))).toBe(Math.max(...totals));
      }),
    );
  });

  it('has room for bars and limit, and for the ghost line within reason', () => {
    expect(topOf([budget(900)])).toBe(1000);
    expect(topOf([budget(900, 1100)])).toBe(1200);
    expect(topOf([budget(100, 100_000)])).toBe(250);
    expect(topOf([budget(5000)], 8192)).toBeGreaterThan(8192);
    expect(topOf([])).toBeGreaterThan(0);
    expect(limitInReach([budget(5000)], 8192)).toBe(true);
    expect(limitInReach([budget(600)], 30_000)).toBe(false);
  });

  it('writes numbers that do not touch', () => {
    fc.assert(
      fc.property(plots, ([width, steps]) => {
        const plot = plotOf(width, steps);
        const places = labelledSteps(plot).map((step) => xOfStep(plot, step));
        const gaps = places.slice(1).map((x, index) => x - (places[index] ?? 0));
        const widest = 7 * String(steps - 1).length;
        expect(gaps.every((gap) => gap >= widest - plot.slot)).toBe(true);
        expect(places.length).toBeGreaterThan(0);
      }),
    );
  });

  it('stacks layers that add up to the whole, and only those that are there', () => {
    const some: Budget = {
      ...budget(0),
      byRole: { system: 5, developer: 1, user: 7, assistant: 11, tool: 40 },
      byTool: [25, 10],
      notes: 3,
      rest: 4,
      total: 71,
    };
    const layers = layersOf(['read', 'search'], [some]);
    expect(layers.map(({ key, size }) => `${key} ${size(some)}`)).toEqual([
      'rest 4',
      'system 6',
      'user 7',
      'notes 3',
      'assistant 11',
      'tool-1 25',
      'tool-2 10',
      'tool-other 5',
    ]);
    expect(layers.reduce((sum, { size }) => sum + size(some), 0)).toBe(some.total);
    expect(layersOf([], [budget(5)]).map(({ key }) => key)).toEqual(['user']);
  });
});
