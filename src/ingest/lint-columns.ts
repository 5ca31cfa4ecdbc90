import { deletionQuality, type DeletionQuality, type Episode, type Finding, type Severity } from '../model';
import type { Cell } from './protocol';

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
  shown: boolean;
  cell: (linted: Linted) => Cell;
}

export const lintColumns: readonly LintColumn[] = [
  { key: 'findings', label: 'Findings', shown: true, cell: ({ findings }) => findings.length },
  { key: 'errors', label: 'Lint errors', shown: false, cell: (linted) => countOf(linted, 'error') },
  { key: 'warnings', label: 'Lint warnings', shown: false, cell: (linted) => countOf(linted, 'warning') },
  { key: 'rules', label: 'Lint rules', shown: false, cell: ({ findings }) => rulesOf(findings) },
  { key: 'freed', label: 'Tokens freed', shown: false, cell: ({ deletion }) => deletion?.freed },
  {
    key: 'stepsToDelete',
    label: 'Steps to delete',
    shown: false,
    cell: ({ deletion }) => deletion?.stepsToDelete,
  },
  { key: 'readAgain', label: 'Read again', shown: false, cell: ({ deletion }) => deletion?.readAgain },
  { key: 'missedDeletes', label: 'Missed deletes', shown: false, cell: ({ deletion }) => deletion?.missed },
];

function countOf({ findings }: Linted, severity: Severity): number {
  return findings.filter((finding) => finding.severity === severity).length;
}

/** Each rule once: `orphan-result unanswered-call`. */
function rulesOf(findings: readonly Finding[]): Cell {
  return findings.length === 0 ? undefined : [...new Set(findings.map(({ rule }) => rule))].join(' ');
}
