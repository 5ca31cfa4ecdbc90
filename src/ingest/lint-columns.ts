import {
  deletionQuality,
  sessionSharedRule,
  type DeletionQuality,
  type Episode,
  type Finding,
  type Severity,
} from '../model';
import type { Cell, ColumnInfo } from './protocol';

/** What lint found out about an episode. */
export interface Linted {
  findings: readonly Finding[];
  /** Undefined where nothing was deleted, and no limit says that something had to be. */
  deletion?: DeletionQuality;
}

export function lintedOf(episode: Episode, findings: readonly Finding[]): Linted {
  const deletion = deletionQuality(episode);
  const says = deletion.deleted > 0 || deletion.missed !== undefined;
  return says ? { findings, deletion } : { findings };
}

/** A column that lint fills. A table has it once one of its rows has been linted. */
export interface LintColumn {
  key: string;
  label: string;
  type: ColumnInfo['type'];
  shown: boolean;
  cell: (linted: Linted) => Cell;
}

export const lintColumns: readonly LintColumn[] = [
  {
    key: 'findings',
    label: 'Findings',
    type: 'number',
    shown: true,
    cell: ({ findings }) => findings.length,
  },
  {
    key: 'errors',
    label: 'Lint errors',
    type: 'number',
    shown: false,
    cell: (linted) => countOf(linted, 'error'),
  },
  {
    key: 'warnings',
    label: 'Lint warnings',
    type: 'number',
    shown: false,
    cell: (linted) => countOf(linted, 'warning'),
  },
  {
    key: 'rules',
    label: 'Lint rules',
    type: 'string',
    shown: false,
    cell: ({ findings }) => rulesOf(findings),
  },
  {
    key: 'freed',
    label: 'Tokens freed',
    type: 'number',
    shown: false,
    cell: ({ deletion }) => deletion?.freed,
  },
  {
    key: 'stepsToDelete',
    label: 'Steps to delete',
    type: 'number',
    shown: false,
    cell: ({ deletion }) => deletion?.stepsToDelete,
  },
  {
    key: 'readAgain',
    label: 'Read again',
    type: 'number',
    shown: false,
    cell: ({ deletion }) => deletion?.readAgain,
  },
  {
    key: 'missedDeletes',
    label: 'Missed deletes',
    type: 'number',
    shown: false,
    cell: ({ deletion }) => deletion?.missed,
  },
];

function countOf({ findings }: Linted, severity: Severity): number {
  return findings.filter((finding) => finding.severity === severity).length;
}

/** Each rule once: `orphan-result unanswered-call`. */
function rulesOf(findings: readonly Finding[]): Cell {
  return findings.length === 0 ? undefined : [...new Set(findings.map(({ rule }) => rule))].join(' ');
}

/** What the columns say once it is known how many sessions an episode shares with others, and of how many they told. */
export const withShared: Record<string, (cell: Cell, before: number, count: number) => Cell> = {
  findings: (cell, before, count) => Number(cell) - before + count,
  errors: (cell, before, count) => Number(cell) - before + count,
  rules: (cell, _before, count) => {
    const others = String(cell ?? '')
      .split(' ')
      .filter((rule) => rule !== '' && rule !== sessionSharedRule);
    const all = count === 0 ? others : [...others, sessionSharedRule];
    return all.length === 0 ? undefined : all.join(' ');
  },
};
