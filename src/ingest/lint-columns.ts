import type { Episode, Finding, Severity } from '../model';
import type { Cell } from './protocol';

/** What lint found out about an episode. */
export interface Linted {
  episode: Episode;
  findings: readonly Finding[];
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
];

function countOf({ findings }: Linted, severity: Severity): number {
  return findings.filter((finding) => finding.severity === severity).length;
}

/** Each rule once: `orphan-result unanswered-call`. */
function rulesOf(findings: readonly Finding[]): Cell {
  return findings.length === 0 ? undefined : [...new Set(findings.map(({ rule }) => rule))].join(' ');
}
