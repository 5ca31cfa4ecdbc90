import type { Episode, Exchange, SessionState } from '../model';
import type { ChatTemplate, Tokenizer } from '../tokens';
import type { LoopConfig } from './config';
import type { LoopEnvironment } from './environment';
import type { LoopEvent, LoopState, RunTask, StartedEvent } from './events';
import type { Emission, Policy } from './policy';

export interface LoopOptions {
  readonly config: LoopConfig;
  readonly policy: Policy;
  readonly environment: LoopEnvironment;
  readonly tokenizer: Tokenizer;
  readonly template: ChatTemplate;
  readonly task: RunTask;
  /** A log to go on from: then `config` and `task` of its start hold. */
  readonly log?: readonly LoopEvent[];
  readonly fork?: StartedEvent['fork'];
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

export interface Loop {
  readonly state: LoopState;
  /** Verified, or ended in a way that leaves nothing to verify: `advance` does nothing any more. */
  readonly done: boolean;
  readonly log: readonly LoopEvent[];
  /** The step of the next emission. */
  readonly step: number;
  /** Made anew only after something happened. */
  readonly episode: Episode;
  /**
   * One transition. Never rejects for what a policy, a tool or a template does: that ends the run, and the log says
   * why. Aborting `signal` ends it as `stopped`, with everything kept that had arrived. One at a time.
   */
  advance(options?: AdvanceOptions): Promise<LoopEvent[]>;
  /** Ends the run between two transitions. */
  stop(): void;
  /** What a person changes before the run goes on. */
  amend(change: Amendment): void;
}

export interface AdvanceOptions {
  readonly signal?: AbortSignal;
  /** Text of the emission as it arrives. */
  readonly onDelta?: (text: string) => void;
}

export type Amendment =
  /** The last emission, before its calls are run. */
  | { readonly kind: 'emission'; readonly emission: Emission }
  /** Results of the last calls, by position; those left out stay. */
  | { readonly kind: 'results'; readonly texts: ReadonlyMap<number, string> }
  /** Not of the loop: requests a person made, states they set. `exchange` counts within `exchanges`. */
  | {
      readonly kind: 'observed';
      readonly exchanges?: readonly Exchange[];
      readonly states?: readonly SessionState[];
    };

export declare function createLoop(options: LoopOptions): Loop;
