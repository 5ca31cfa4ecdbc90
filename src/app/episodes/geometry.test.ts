import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blocksAround, bodyHeight, rowsInView, scrollTopFor, topOf, type Geometry } from './geometry';

const geometries = fc.record<Geometry>({
  rows: fc.integer({ min: 1, max: 5_000_000 }),
  rowHeight: fc.constantFrom(20, 28),
  viewport: fc.integer({ min: 60, max: 1500 }),
  // Far below and far above what the rows need.
  limit: fc.constantFrom(100_000, 17_000_000, 1e9),
});

const scrollRange = (geometry: Geometry) => Math.max(0, bodyHeight(geometry) - geometry.viewport);

describe('where rows stand', () => {
  it('any row can be brought wholly into view, and what is in view is not moved', () => {
    fc.assert(
      fc.property(geometries, fc.nat(), fc.double({ min: 0, max: 1, noNaN: true }), (geometry, nth, part) => {
        const row = nth % geometry.rows;
        const from = part * scrollRange(geometry);
        const scrollTop = scrollTopFor(row, from, geometry);
        expect(scrollTop).toBeGreaterThanOrEqual(0);
        expect(scrollTop).toBeLessThanOrEqual(scrollRange(geometry) + 1e-6);
        const onScreen = topOf(row, scrollTop, geometry) - scrollTop;
        expect(onScreen).toBeGreaterThanOrEqual(-0.01);
        expect(onScreen + geometry.rowHeight).toBeLessThanOrEqual(geometry.viewport + 0.01);
        expect(scrollTopFor(row, scrollTop, geometry)).toBeCloseTo(scrollTop, 3);
      }),
    );
  });

  it('the rows in view are those whose place is on the screen', () => {
    fc.assert(
      fc.property(geometries, fc.double({ min: 0, max: 1, noNaN: true }), (geometry, part) => {
        const scrollTop = part * scrollRange(geometry);
        const { first, end } = rowsInView(scrollTop, geometry);
        const onScreen = (row: number) => topOf(row, scrollTop, geometry) - scrollTop;
        expect(onScreen(first)).toBeLessThanOrEqual(0.01);
        expect(onScreen(first) + geometry.rowHeight).toBeGreaterThan(-0.01);
        if (end < geometry.rows) expect(onScreen(end)).toBeGreaterThanOrEqual(geometry.viewport - 0.01);
        const drawn = blocksAround({ first, end }, geometry.rows);
        expect(drawn.first).toBeLessThanOrEqual(first);
        expect(drawn.end).toBeGreaterThanOrEqual(end);
        // A screen of rows and a few blocks, never the file.
        expect(drawn.end - drawn.first).toBeLessThanOrEqual(geometry.viewport / geometry.rowHeight + 42);
      }),
    );
  });

  it('the ends of the bar are the first and the last row', () => {
    fc.assert(
      fc.property(geometries, (geometry) => {
        expect(rowsInView(0, geometry).first).toBe(0);
        expect(rowsInView(scrollRange(geometry), geometry).end).toBe(geometry.rows);
        expect(bodyHeight(geometry)).toBeLessThanOrEqual(geometry.limit);
      }),
    );
  });

  it('a row far away comes to the middle', () => {
    const geometry = { rows: 1000, rowHeight: 28, viewport: 280, limit: 1e9 };
    const scrollTop = scrollTopFor(500, 0, geometry);
    expect(topOf(500, scrollTop, geometry) - scrollTop).toBe((280 - 28) / 2);
    expect(scrollTopFor(10, 0, geometry)).toBe(28);
  });
});
