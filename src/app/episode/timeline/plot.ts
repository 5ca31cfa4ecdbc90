import type { Budget } from '../../../model';

/** Where the columns of the timeline stand, in CSS pixels. One column is one step, or several where steps are many. */
export interface Plot {
  left: number;
  width: number;
  steps: number;
  stepsPerColumn: number;
  columns: number;
  /** Width of a column with the gap beside it. */
  slot: number;
  /** Width of a column's bar. */
  bar: number;
  /** Height of the largest bar. */
  height: number;
}

/** Room for the axis labels. */
const LEFT = 44;
const RIGHT = 12;
const WIDEST_SLOT = 112;
const WIDEST_BAR = 44;
const NARROWEST_SLOT = 2;

export function plotOf(width: number, steps: number, height = 96): Plot {
  const room = Math.max(NARROWEST_SLOT, width - LEFT - RIGHT);
  const stepsPerColumn = Math.max(1, Math.ceil(steps / Math.floor(room / NARROWEST_SLOT)));
  const columns = Math.ceil(steps / stepsPerColumn);
  const slot = Math.min(WIDEST_SLOT, room / Math.max(1, columns));
  const bar =
    slot >= 12 ? Math.min(WIDEST_BAR, Math.round(slot * 0.7)) : Math.max(1, slot >= 4 ? slot - 1 : slot);
  return { left: LEFT, width: room, steps, stepsPerColumn, columns, slot, bar, height };
}

/** The middle of a step's column. */
export function xOfStep(plot: Plot, step: number): number {
  return plot.left + (Math.floor(step / plot.stepsPerColumn) + 0.5) * plot.slot;
}

/** The step under a place; beyond the ends, the first or last one. */
export function stepAtX(plot: Plot, x: number): number {
  const step = Math.floor(((x - plot.left) / plot.slot) * plot.stepsPerColumn);
  return Math.min(Math.max(step, 0), Math.max(0, plot.steps - 1));
}

/** What a bar is stacked from. */
export interface Layer {
  key: LayerKey;
  name: string;
  size: (budget: Budget) => number;
}

export const layerKeys = [
  'rest',
  'system',
  'user',
  'notes',
  'assistant',
  'tool-1',
  'tool-2',
  'tool-3',
  'tool-4',
  'tool-other',
  'stubs',
] as const;
export type LayerKey = (typeof layerKeys)[number];

/** The layers of an episode whose budgets tell these tools apart, from the bottom up; those that are never there left out. */
export function layersOf(tools: readonly string[], budgets: readonly Budget[]): Layer[] {
  const named = tools.slice(0, 4).map((name, index): Layer => ({
    // There are as many keys as tools that are told apart.
    key: toolKeys[index] ?? 'tool-other',
    name,
    size: ({ byTool }) => byTool[index] ?? 0,
  }));
  const all: Layer[] = [
    { key: 'rest', name: 'template, tools', size: ({ rest }) => rest },
    { key: 'system', name: 'system', size: ({ byRole }) => byRole.system + byRole.developer },
    { key: 'user', name: 'user', size: ({ byRole }) => byRole.user },
    { key: 'notes', name: 'notes block', size: ({ notes }) => notes },
    { key: 'assistant', name: 'assistant', size: ({ byRole }) => byRole.assistant },
    ...named,
    {
      key: named.length === 0 ? 'tool-1' : 'tool-other',
      name: named.length === 0 ? 'tool' : 'other tools',
      size: ({ byRole, byTool }) => byRole.tool - byTool.reduce((sum, size) => sum + size, 0),
    },
    { key: 'stubs', name: 'stubs', size: ({ stubs }) => stubs },
  ];
  // Parts of a recorded total are fractions, and a rest of their rounding is no layer.
  return all.filter(({ size }) => budgets.some((budget) => size(budget) > 0.5));
}

const toolKeys = ['tool-1', 'tool-2', 'tool-3', 'tool-4'] as const;

/** The largest budget of each column: where steps share one, a peak must not get lost. */
export function columnsOf(budgets: readonly Budget[], { columns, stepsPerColumn }: Plot): Budget[] {
  return Array.from({ length: columns }, (_, column) => {
    const within = budgets.slice(column * stepsPerColumn, (column + 1) * stepsPerColumn);
    return within.reduce((largest, budget) => (budget.total > largest.total ? budget : largest));
  });
}

/**
 * The value at the top of the axis: room for every bar, for the limit, and for the line "without deletion", as far as
 * that does not press the bars flat.
 */
export function topOf(budgets: readonly Budget[], limit = 0): number {
  const needed = neededTop(budgets);
  return limit >= needed ? limit * 1.04 : roundUp(needed);
}

/** Whether a line at the limit leaves something to see of the bars. */
export function limitInReach(budgets: readonly Budget[], limit: number): boolean {
  return limit <= neededTop(budgets) * 3;
}

function neededTop(budgets: readonly Budget[]): number {
  let total = 1;
  let ghost = 0;
  for (const budget of budgets) {
    total = Math.max(total, budget.total);
    ghost = Math.max(ghost, budget.withoutEdits);
  }
  return Math.max(total, Math.min(ghost, total * 2.5));
}

/** The next of 1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8 times a power of ten. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const factor = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8].find((candidate) => candidate * power >= value) ?? 10;
  return factor * power;
}

/** The steps whose number is written: every 1st, 2nd, 5th, 10th, ... so that they do not touch. */
export function labelledSteps({ slot, stepsPerColumn, steps }: Plot): number[] {
  const widest = 7 * String(Math.max(0, steps - 1)).length + 8;
  const least = (widest / slot) * stepsPerColumn;
  let every = 1;
  for (let power = 1; every < least; power *= 10) {
    every = [power, 2 * power, 5 * power].find((candidate) => candidate >= least) ?? 10 * power;
  }
  return Array.from({ length: Math.ceil(steps / every) }, (_, nth) => nth * every);
}
