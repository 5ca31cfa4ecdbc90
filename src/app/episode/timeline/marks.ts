import { historyOf, type Episode, type Finding, type Severity } from '../../../model';
import { counted } from '../../words/format';

/** What is worth noticing at one step. */
export interface StepMarks {
  /** Messages that an edit after this step took. */
  deleted: number;
  compacted: number;
  findings: Finding[];
  /** Why the step, or with it the episode, did not end well. */
  trouble?: string;
}

export function marksOf(episode: Episode, findings: readonly Finding[]): ReadonlyMap<number, StepMarks> {
  const marks = new Map<number, StepMarks>();
  const at = (step: number): StepMarks => {
    const known = marks.get(step) ?? { deleted: 0, compacted: 0, findings: [] };
    marks.set(step, known);
    return known;
  };
  for (const { step, kind, msgIds } of episode.edits) {
    at(step)[kind === 'delete' ? 'deleted' : 'compacted'] += msgIds.length;
  }
  const { byId } = historyOf(episode);
  for (const finding of findings) {
    const born = finding.msgId === undefined ? undefined : byId.get(finding.msgId)?.bornAtStep;
    const step = finding.step ?? born;
    // What concerns the prompt or the whole episode has no place on the time axis.
    if (step !== undefined && step >= 0 && step < episode.steps.length) at(step).findings.push(finding);
  }
  for (const { index, unfinished } of episode.steps) {
    if (unfinished !== undefined) at(index).trouble = `unfinished: ${unfinished}`;
  }
  if (episode.outcome.error !== undefined && episode.steps.length > 0) {
    const last = at(episode.steps.length - 1);
    last.trouble = [last.trouble, `error: ${episode.outcome.error}`].filter(Boolean).join(' · ');
  }
  return marks;
}

const gravity: Record<Severity, number> = { error: 2, warning: 1, info: 0 };

export function worst(findings: readonly Finding[]): Severity | undefined {
  return findings
    .map(({ severity }) => severity)
    .sort((a, b) => gravity[b] - gravity[a])
    .at(0);
}

/** In words: `deletes 2 messages`, `1 finding`. */
export function markWords({ deleted, compacted, findings, trouble }: StepMarks): string[] {
  return [
    ...(deleted > 0 ? [`deletes ${counted(deleted, 'message')}`] : []),
    ...(compacted > 0 ? [`compacts ${counted(compacted, 'message')}`] : []),
    ...(trouble === undefined ? [] : [trouble]),
    ...(findings.length > 0 ? [counted(findings.length, 'finding')] : []),
  ];
}
