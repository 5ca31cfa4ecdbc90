import type { EpisodeSummary } from '../model';
import type { Cell } from './protocol';
import type { ReadRecord } from './read';

/** A column that every source has, if only without values. */
export interface CoreColumn {
  key: string;
  label: string;
  shown: 'always' | 'if filled' | 'if it varies' | 'never';
  cell: (summary: EpisodeSummary, read: ReadRecord, sourceName: string) => Cell;
}

/** In the order of the table. */
export const coreColumns: readonly CoreColumn[] = [
  { key: 'title', label: 'Episode', shown: 'always', cell: (summary) => summary.title },
  { key: 'reward', label: 'Reward', shown: 'if filled', cell: (summary) => summary.reward },
  { key: 'source', label: 'Source', shown: 'if it varies', cell: (_summary, _read, name) => name },
  { key: 'path', label: 'File', shown: 'if it varies', cell: (_summary, read) => read.path },
  { key: 'format', label: 'Format', shown: 'if it varies', cell: (_summary, read) => read.format?.name },
  // The title says task and rollout already: `task 17 · rollout 3`.
  { key: 'task', label: 'Task', shown: 'never', cell: (summary) => summary.task?.key },
  { key: 'rollout', label: 'Rollout', shown: 'never', cell: (summary) => summary.task?.rollout },
  { key: 'attempt', label: 'Attempt', shown: 'if it varies', cell: (summary) => summary.task?.attempt },
  { key: 'steps', label: 'Steps', shown: 'always', cell: (summary) => summary.steps },
  count('messages', 'Messages', 'if it varies'),
  count('toolCalls', 'Tool calls', 'always'),
  count('toolResults', 'Tool results', 'if it varies'),
  count('reasoning', 'Reasoning', 'if it varies'),
  { key: 'edits', label: 'Edits', shown: 'if it varies', cell: (summary) => summary.edits },
  { key: 'tools', label: 'Tools', shown: 'never', cell: (summary) => summary.tools?.join(' ') },
  { key: 'samples', label: 'Samples', shown: 'if it varies', cell: (summary) => summary.samples },
  count('inputMessages', 'Input messages', 'never'),
  count('inputToolCalls', 'Input tool calls', 'never'),
  count('inputToolResults', 'Input tool results', 'never'),
  count('inputReasoning', 'Input reasoning', 'never'),
  { key: 'gaps', label: 'Not in the source', shown: 'never', cell: (summary) => gapsOf(summary) },
  { key: 'line', label: 'Line', shown: 'never', cell: (_summary, read) => read.place.line },
  {
    key: 'bytes',
    label: 'Bytes',
    shown: 'never',
    cell: (_summary, read) => read.place.byteEnd - read.place.byteStart,
  },
];

function count(key: keyof EpisodeSummary['counts'], label: string, shown: CoreColumn['shown']): CoreColumn {
  return { key, label, shown, cell: (summary) => summary.counts[key] };
}

/** Most episodes of a source have the same gaps. */
let lastGaps: { all: readonly string[]; cell: string } | undefined;

function gapsOf({ gaps }: EpisodeSummary): Cell {
  if (gaps.length === 0) return undefined;
  if (lastGaps?.all.length !== gaps.length || !gaps.every((gap, nth) => gap === lastGaps?.all[nth])) {
    lastGaps = { all: gaps, cell: [...new Set(gaps)].join(', ') };
  }
  return lastGaps.cell;
}

const metricPrefix = 'metric:';

/** Apart from the core columns, whatever a source calls its metrics. */
export function metricKey(name: string): string {
  return metricPrefix + name;
}

export function metricName(key: string): string | undefined {
  return key.startsWith(metricPrefix) ? key.slice(metricPrefix.length) : undefined;
}
