/** Where a run stands between two transitions, and what that allows. */
import type { Loop, LoopEvent, Termination } from '../agent';
import type { Gap } from '../model';
import type { RunSnapshot, RunStatus } from './run';
import { asItStands, endOf } from './run-log';
import type { LiveServer } from './server';

/** What the loop cannot know: that the state behind a server is not to be seen. */
export function stateGap({ states, environment, label }: LiveServer): Gap | undefined {
  if (states !== undefined || environment?.stateful === false) return undefined;
  return { about: 'state', reason: `The session state behind ${label} cannot be seen from outside it.` };
}

/** The last step that has begun; -1 before the first. */
export function lastStep(loop: Loop): number {
  return loop.step - 1;
}

/** Whether the next thing to happen is a new step. */
export function isBetweenSteps(loop: Loop): boolean {
  return loop.state === 'PENDING' || loop.state === 'GENERATING';
}

export function statusOf(loop: Loop): RunStatus {
  const end = endOf(loop.log);
  if (end?.termination === 'stopped') return 'stopped';
  if (end !== undefined && failures.has(end.termination)) return 'failed';
  if (loop.done) return 'finished';
  return loop.log.length > 1 ? 'paused' : 'ready';
}

const failures: ReadonlySet<Termination> = new Set(['policy_error', 'template_error', 'environment_error']);

/** The last step whose calls have been answered. */
export function lastAnswered(log: readonly LoopEvent[]): number {
  return log.filter(({ type }) => type === 'answered' || type === 'interacted').length - 1;
}

/** What a person can change before it goes on. `session`: there is one whose state can be changed. */
export function editableNow(loop: Loop, isRunning: boolean, session: boolean): RunSnapshot['editable'] {
  const last = loop.log.findLast(({ type }) => type !== 'observed');
  const stands = last === undefined ? undefined : asItStands(last);
  const still = !isRunning && !loop.done;
  return {
    emission: still && stands?.type === 'emitted',
    results: still && stands?.type === 'answered',
    state: still && session,
  };
}
