import { arrayAt, at, stringAt } from '../../model';
import type { Relation, RunFiles } from '../format';

/**
 * Harbor's agents write a run whose context was summed up to several files:
 *
 *     trajectory.json                              until its context was summed up
 *     trajectory.cont-1.json                       from there on (or on in trajectory.json, where history is not linear)
 *     trajectory.summarization-1-summary.json      how the context was summed up: the summary,
 *     trajectory.summarization-1-questions.json    what the agent asked that had only read the summary,
 *     trajectory.summarization-1-answers.json      and what it was answered
 */
export interface FileName {
  stem: string;
  /** Which part of the run; 0 is the first. Absent for files about a summary. */
  part?: number;
}

export function fileName(name: string): FileName {
  const base = name.replace(/\.json$/, '');
  const summary = /^(.*)\.summarization-\d+-\w+$/s.exec(base);
  if (summary !== null) return { stem: summary[1] ?? '' };
  const [, stem = base, part = '0'] = /^(.*)\.cont-(\d+)$/s.exec(base) ?? [];
  return { stem, part: Number(part) };
}

export function partName(stem: string, part: number): string {
  return part === 0 ? `${stem}.json` : `${stem}.cont-${part}.json`;
}

export function questionsName(stem: string, nth: number): string {
  return `${stem}.summarization-${nth}-questions.json`;
}

/** Which summary of the run a step hands over to: the second in `trajectory.summarization-2-summary.json`. */
export function summaryOf(step: unknown): number | undefined {
  for (const result of arrayAt(at(step, 'observation'), 'results') ?? []) {
    for (const ref of arrayAt(result, 'subagent_trajectory_ref') ?? []) {
      for (const key of ['trajectory_path', 'session_id', 'trajectory_id']) {
        const nth = /summarization-(\d+)-\w+(?:\.json)?$/.exec(stringAt(ref, key) ?? '')?.[1];
        if (nth !== undefined) return Number(nth);
      }
    }
  }
  return undefined;
}

/** Sessions of one run begin the same: `a`, `a-cont-1`, `a-summarization-1-questions`. */
export function isSameRun(value: unknown, other: unknown): boolean {
  const [own, its] = [value, other].map((each) =>
    stringAt(each, 'session_id')?.replace(/-(?:cont|summarization)-\d+\b.*$/s, ''),
  );
  return own === undefined || its === undefined || own === its;
}

export const runFiles: RunFiles = {
  needs({ value }, name, folder) {
    const { stem, part } = fileName(name);
    if (part === undefined) return [];
    const wanted = new Set<string>();
    for (let nth = part - 1; nth >= 0 && nth >= part - folder.length; nth--) wanted.add(partName(stem, nth));
    for (const step of arrayAt(value, 'steps') ?? []) {
      const nth = summaryOf(step);
      if (nth !== undefined) wanted.add(questionsName(stem, nth));
    }
    return folder.filter((file) => wanted.has(file));
  },

  relation(name, other): Relation | undefined {
    const [own, its] = [fileName(name), fileName(other)];
    if (own.stem !== its.stem || name === other) return undefined;
    if (its.part === undefined) return 'summary';
    if (own.part === undefined) return 'run';
    return its.part < own.part ? 'earlier' : 'later';
  },
};
