import { stepOfFinding, type Episode, type Finding } from '../../model';

/** Steps worth stopping at, ascending, each once. */

export function deleteSteps(episode: Episode): number[] {
  return ascending(episode.edits.map((edit) => edit.step));
}

export function findingSteps(episode: Episode, findings: readonly Finding[]): number[] {
  return ascending(findings.flatMap((finding) => stepOfFinding(episode, finding) ?? []));
}

export function after(stops: readonly number[], step: number): number | undefined {
  return stops.find((stop) => stop > step);
}

export function before(stops: readonly number[], step: number): number | undefined {
  return stops.findLast((stop) => stop < step);
}

function ascending(steps: number[]): number[] {
  return [...new Set(steps)].sort((a, b) => a - b);
}
