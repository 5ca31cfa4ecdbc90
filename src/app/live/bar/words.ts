import type { LoopState } from '../../../agent';
import type { RunStatus } from '../../../live';

export const statusWords: Record<RunStatus, string> = {
  ready: 'Ready',
  running: 'Running',
  paused: 'Paused',
  stopped: 'Stopped',
  failed: 'Failed',
  finished: 'Finished',
};

/** The first transition of all. */
export const seedWords = 'PENDING: the session is seeded next';

/** What the next transition does. */
export const stateWords: Record<LoopState, string> = {
  PENDING: 'PENDING: the context is rendered next',
  GENERATING: 'GENERATING: the policy is asked next',
  PROCESSING_TOOLS: 'PROCESSING_TOOLS: the calls are run next',
  INTERACTING: 'INTERACTING: the environment answers next',
  TERMINATED: 'TERMINATED: verified next',
};
