import type { Budget } from '../../../model';
import { shortCount } from '../numbers';
import { glyphsOf, type Glyph, type StepMarks } from './marks';
import {
  columnsOf,
  labelledSteps,
  layerKeys,
  topOf,
  xOfStep,
  type Layer,
  type LayerKey,
  type Plot,
} from './plot';

/** Heights of what stands above and below the bars, in CSS pixels. */
export const rows = { top: 8, axis: 20, marks: 12 } as const;

/** Colours and face, as the design tokens have them now. */
export interface Palette {
  layers: Record<LayerKey, string>;
  ink: string;
  line: string;
  deleted: string;
  warning: string;
  error: string;
  info: string;
  panel: string;
  font: string;
}

export interface Drawing {
  plot: Plot;
  budgets: readonly Budget[];
  layers: readonly Layer[];
  marks: ReadonlyMap<number, StepMarks>;
  /** Whether the line "without deletion" is worth drawing. */
  edited: boolean;
  limit?: { value: number; label: string };
}

type Context = CanvasRenderingContext2D;

/** Draws everything that does not move with the chosen step. Work grows with the width, not with the steps. */
export function drawTimeline(context: Context, drawing: Drawing, palette: Palette, pixel: number): void {
  const { plot, budgets, limit } = drawing;
  const top = topOf(budgets, limit?.value);
  const floor = rows.top + plot.height;
  const yOf = (value: number) => floor - (Math.min(value, top) / top) * plot.height;
  const crisp = (value: number) => Math.round(value / pixel) * pixel;

  context.font = `10px ${palette.font}`;
  context.textBaseline = 'middle';
  drawScale();
  columnsOf(budgets, plot).forEach(drawBar);
  if (limit !== undefined) drawLimit(limit);
  if (drawing.edited) drawGhostLine();
  drawAxis(context, drawing, palette, floor + rows.axis / 2);
  drawMarks(context, drawing, palette, floor + rows.axis + rows.marks / 2 - 2);

  function drawScale(): void {
    context.fillStyle = palette.line;
    const right = plot.left + plot.width;
    for (const y of limit === undefined ? [yOf(top), floor] : [floor]) {
      context.fillRect(plot.left, crisp(y) - (y === floor ? 0 : pixel), right - plot.left, pixel);
    }
    context.fillStyle = palette.ink;
    context.textAlign = 'right';
    const upper = limit?.value ?? top;
    context.fillText(shortCount(upper), plot.left - 8, yOf(upper) + 1);
    context.fillText('0', plot.left - 8, floor - 3);
  }

  function drawBar(budget: Budget, column: number): void {
    const left = crisp(plot.left + column * plot.slot + (plot.slot - plot.bar) / 2);
    const width = Math.max(pixel, crisp(plot.bar));
    let below = 0;
    for (const { key, size: sizeOf } of drawing.layers) {
      const size = sizeOf(budget);
      if (size <= 0) continue;
      const y = crisp(yOf(below + size));
      // A hairline of the panel between two layers; a layer that is there is never thinner than a pixel.
      const bottom = crisp(yOf(below)) - (below === 0 || plot.bar < 3 ? 0 : pixel);
      context.fillStyle = palette.layers[key];
      context.fillRect(left, Math.min(y, bottom - pixel), width, Math.max(pixel, bottom - y));
      below += size;
    }
  }

  function drawGhostLine(): void {
    context.save();
    context.beginPath();
    context.rect(plot.left, rows.top - 4, plot.width, plot.height + 4);
    context.clip();
    context.beginPath();
    budgets.forEach((budget, step) => {
      // The clip ends a line that leaves the top.
      const y = floor - (budget.withoutEdits / top) * plot.height;
      context.lineTo(xOfStep(plot, step), y);
    });
    context.setLineDash([3, 3]);
    context.strokeStyle = palette.ink;
    context.stroke();
    context.restore();
  }

  function drawLimit({ value, label }: { value: number; label: string }): void {
    context.save();
    context.setLineDash([2, 3]);
    context.strokeStyle = palette.deleted;
    context.beginPath();
    context.moveTo(plot.left, yOf(value));
    context.lineTo(plot.left + plot.width, yOf(value));
    context.stroke();
    context.restore();
    context.fillStyle = palette.deleted;
    context.textAlign = 'right';
    context.fillText(label, plot.left + plot.width, yOf(value) + 8);
  }
}

/** The number of a step, or a triangle where something was deleted after it. Where these are many, a tick each. */
function drawAxis(context: Context, { plot, marks }: Drawing, palette: Palette, y: number): void {
  const edits = [...marks].filter(([, { deleted, compacted }]) => deleted > 0 || compacted > 0);
  const places = edits.map(([step]) => xOfStep(plot, step));
  const crowded = edits.length > plot.width / 24;
  context.fillStyle = palette.deleted;
  for (const x of places) {
    if (crowded) context.fillRect(x - 0.5, y - rows.axis / 2 + 1, 1, 4);
    else
      shape(context, [
        [x, y - 4],
        [x - 4, y + 3],
        [x + 4, y + 3],
      ]);
  }
  context.fillStyle = palette.ink;
  context.textAlign = 'center';
  for (const step of labelledSteps(plot)) {
    const x = xOfStep(plot, step);
    const half = 3 * String(step).length + 6;
    if (crowded) context.fillText(String(step), x, y + 2);
    else if (places.every((other) => Math.abs(other - x) > half)) context.fillText(String(step), x, y);
  }
}

/** Each kind of mark has its own shape: they are told apart without their colours. */
function drawMarks(context: Context, { plot, marks }: Drawing, palette: Palette, y: number): void {
  for (const [step, mark] of marks) {
    const glyphs = glyphsOf(mark);
    // Where steps are narrow the most important one stands for all.
    const fit = Math.max(1, Math.floor(plot.slot / GLYPH));
    const shown = glyphs.slice(0, fit);
    const x = xOfStep(plot, step) - ((shown.length - 1) * GLYPH) / 2;
    shown.forEach((glyph, nth) => drawGlyph(context, glyph, x + nth * GLYPH, y, palette));
  }
}

const GLYPH = 10;

function drawGlyph(context: Context, glyph: Glyph, x: number, y: number, palette: Palette): void {
  context.lineWidth = 1.5;
  switch (glyph) {
    case 'penalty':
      context.fillStyle = palette.error;
      shape(context, [
        [x - 4, y - 3],
        [x + 4, y - 3],
        [x, y + 4],
      ]);
      break;
    case 'trouble':
      context.strokeStyle = palette.error;
      context.beginPath();
      for (const slope of [1, -1]) {
        context.moveTo(x - 3, y - 3 * slope);
        context.lineTo(x + 3, y + 3 * slope);
      }
      context.stroke();
      break;
    case 'snapshot':
      context.strokeStyle = palette.deleted;
      context.strokeRect(x - 3, y - 3, 6, 6);
      break;
    case 'state':
      context.strokeStyle = palette.ink;
      context.beginPath();
      context.arc(x, y, 3, 0, 2 * Math.PI);
      context.stroke();
      break;
    default:
      context.fillStyle = palette[glyph];
      shape(context, [
        [x, y - 4],
        [x + 4, y],
        [x, y + 4],
        [x - 4, y],
      ]);
  }
  context.lineWidth = 1;
}

function shape(context: Context, corners: readonly (readonly [number, number])[]): void {
  context.beginPath();
  for (const [x, y] of corners) context.lineTo(x, y);
  context.fill();
}

/** Reads the palette off an element, so that it is the one of the theme shown. */
export function paletteOf(element: Element): Palette {
  const style = getComputedStyle(element);
  const token = (name: string) => style.getPropertyValue(`--${name}`).trim();
  return {
    layers: layerColours(token),
    ink: token('ink-3'),
    line: token('line'),
    deleted: token('deleted'),
    warning: token('warn'),
    error: token('error'),
    info: token('ink-3'),
    panel: token('panel'),
    font: token('sans'),
  };
}

const layerTokens: Record<LayerKey, string> = {
  rest: 'role-rest',
  system: 'role-system',
  user: 'role-user',
  notes: 'role-notes',
  assistant: 'role-assistant',
  'tool-1': 'role-tool',
  'tool-2': 'role-tool-2',
  'tool-3': 'role-tool-3',
  'tool-4': 'role-tool-4',
  'tool-other': 'role-tool-other',
  stubs: 'role-stub',
};

function layerColours(token: (name: string) => string): Record<LayerKey, string> {
  const colours = { ...layerTokens };
  for (const key of layerKeys) colours[key] = token(layerTokens[key]);
  return colours;
}
