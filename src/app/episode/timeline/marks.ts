import {
  isRefused,
  stateChanges,
  stepOfFinding,
  type Episode,
  type Finding,
  type Severity,
} from '../../../model';
import { counted, formatNumber } from '../../words/format';

/** What is worth noticing at one step. */
export interface StepMarks {
  /** Messages that an edit after this step took. */
  deleted: number;
  compacted: number;
  findings: Finding[];
  /** Why the step, or with it the episode, did not end well. */
  trouble?: string;
  /** The number of the snapshot that a training loop took, from 1. */
  snapshot?: number;
  /** What the loop took off for a context that did not fit. */
  penalty?: string;
  /** Places of the session's state that changed. */
  changes?: number;
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
  for (const finding of findings) {
    const step = stepOfFinding(episode, finding);
    if (step !== undefined) at(step).findings.push(finding);
  }
  for (const { index, unfinished } of episode.steps) {
    if (unfinished !== undefined) at(index).trouble = `unfinished: ${unfinished}`;
  }
  if (episode.outcome.error !== undefined && episode.steps.length > 0) {
    const last = at(episode.steps.length - 1);
    last.trouble = [last.trouble, `error: ${episode.outcome.error}`].filter(Boolean).join(' · ');
  }
  markSnapshots(episode, at);
  const penalty = penaltyOf(episode);
  if (penalty !== undefined && episode.steps.length > 0) at(episode.steps.length - 1).penalty = penalty;
  for (const [step, changes] of changesBy(episode)) at(step).changes = changes;
  return marks;
}

/** Every step with an edit is one snapshot, however many edits it made. */
function markSnapshots({ edits, statelm, steps }: Episode, at: (step: number) => StepMarks): void {
  if (statelm?.dialect !== 'rl') return;
  const places = new Set(edits.map(({ step }) => step).filter((step) => step >= 0 && step < steps.length));
  [...places]
    .sort((a, b) => a - b)
    .forEach((step, index) => {
      at(step).snapshot = index + 1;
    });
}

function penaltyOf(episode: Episode): string | undefined {
  const penalty = episode.metrics['early_stop_penalty'];
  if (typeof penalty === 'number' && penalty !== 0) return `penalty ${formatNumber(penalty)}`;
  return isRefused(episode) ? 'the next context did not fit' : undefined;
}

/** How many places of the session's state each step changed; the seed is no step. */
function changesBy({ states = [], steps }: Episode): Map<number, number> {
  const changes = new Map<number, number>();
  states.forEach(({ step, value }, index) => {
    if (step < 0 || step >= steps.length) return;
    const count = stateChanges(states[index - 1]?.value, value).length;
    if (count > 0) changes.set(step, (changes.get(step) ?? 0) + count);
  });
  return changes;
}

/** What is drawn under a step. A finding is drawn by its severity. */
export type Glyph = 'penalty' | 'trouble' | 'snapshot' | 'state' | Severity;

/** The marks of a step, the most important first. */
export function glyphsOf({ findings, trouble, snapshot, penalty, changes }: StepMarks): Glyph[] {
  const severity = worst(findings);
  return [
    ...(penalty === undefined ? [] : ['penalty' as const]),
    ...(trouble === undefined ? [] : ['trouble' as const]),
    ...(severity === undefined ? [] : [severity]),
    ...(snapshot === undefined ? [] : ['snapshot' as const]),
    ...(changes === undefined ? [] : ['state' as const]),
  ];
}

const gravity: Record<Severity, number> = { error: 2, warning: 1, info: 0 };

export function worst(findings: readonly Finding[]): Severity | undefined {
  return findings
    .map(({ severity }) => severity)
    .sort((a, b) => gravity[b] - gravity[a])
    .at(0);
}

/** In words: `deletes 2 messages`, `1 finding`. */
export function markWords(marks: StepMarks): string[] {
  const { deleted, compacted, findings, trouble, snapshot, penalty, changes } = marks;
  return [
    ...(deleted > 0 ? [`deletes ${counted(deleted, 'message')}`] : []),
    ...(compacted > 0 ? [`compacts ${counted(compacted, 'message')}`] : []),
    ...(snapshot === undefined ? [] : [`snapshot ${snapshot} taken, mask cleared`]),
    ...(changes === undefined ? [] : [`changes ${counted(changes, 'place')} of the state`]),
    ...(penalty === undefined ? [] : [penalty]),
    ...(trouble === undefined ? [] : [trouble]),
    ...(findings.length > 0 ? [counted(findings.length, 'finding')] : []),
  ];
}
