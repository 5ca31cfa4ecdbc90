import type { Episode, Exchange, SessionState, ToolSpec } from '../model';
import type { ChatTemplate, Tokenizer } from '../tokens';
import type { LoopConfig } from './config';
import { CONTEXT_TOOLS } from './context-tools';
import { createEncoder } from './encoder';
import type { LoopEnvironment } from './environment';
import type { LoopEvent, LoopState, RunTask, StartedEvent, Termination, TransitionEvent } from './events';
import { amendedLog, Fold, type Run } from './fold';
import type { Emission, Policy } from './policy';
import {
  emitted,
  ended,
  generate,
  interact,
  processTools,
  render,
  seed,
  trafficAfter,
  verify,
  withTexts,
  type Setting,
} from './transitions';
import { promptMessages } from './turns';

export interface LoopOptions {
  readonly config: LoopConfig;
  readonly policy: Policy;
  readonly environment: LoopEnvironment;
  readonly tokenizer: Tokenizer;
  readonly template: ChatTemplate;
  readonly task: RunTask;
  /** A log to go on from: then what its start says holds, and `config` and `task` are not looked at. */
  readonly log?: readonly LoopEvent[];
  readonly fork?: StartedEvent['fork'];
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/** A run, one transition at a time. */
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

export function createLoop(options: LoopOptions): Loop {
  return new LiveLoop(options);
}

/** The tools that the policy is told of. */
function offeredTools(environment: LoopEnvironment, { statelm_enabled }: LoopConfig): ToolSpec[] {
  const offered = new Map(environment.tools.map((tool) => [tool.name, tool]));
  const ofTheLoop = [...(environment.loopTools ?? []), ...(statelm_enabled ? CONTEXT_TOOLS : [])];
  for (const tool of ofTheLoop) {
    const isKnown = CONTEXT_TOOLS.some(({ name }) => name === tool.name);
    if (!isKnown || offered.has(tool.name) || (tool.name === 'deleteContext' && !statelm_enabled)) continue;
    offered.set(tool.name, tool);
  }
  return [...offered.values()];
}

/** Ends that leave nothing to verify. */
const broken: ReadonlySet<Termination> = new Set([
  'stopped',
  'policy_error',
  'template_error',
  'environment_error',
]);

class LiveLoop implements Loop {
  readonly #setting: Setting;
  readonly #fold: Fold;
  #busy = false;

  constructor({ policy, environment, tokenizer, template, now = Date.now, ...given }: LoopOptions) {
    this.#setting = { policy, environment, encoder: createEncoder(tokenizer, template), now };
    this.#fold = new Fold(given.log);
    const before = this.#run.started;
    if (before !== undefined) {
      if (before.tokenizer === tokenizer.id && before.template === template.id) return;
      throw new Error(
        `The log was written with ${before.tokenizer} and ${before.template}: go on with these.`,
      );
    }
    const { config, task, fork } = given;
    this.#fold.add({
      type: 'started',
      at: now(),
      next: 'PENDING',
      config: { ...config },
      id: task.id ?? crypto.randomUUID(),
      title: task.title,
      ...(task.task === undefined ? {} : { task: task.task }),
      messages: promptMessages(task, config),
      tools: offeredTools(environment, config),
      policy: policy.name,
      environment: environment.name,
      tokenizer: tokenizer.id,
      template: template.id,
      ...(fork === undefined ? {} : { fork }),
    });
  }

  get #run(): Readonly<Run> {
    return this.#fold.run;
  }

  get state(): LoopState {
    return this.#run.state;
  }

  get done(): boolean {
    const { end, verified } = this.#run;
    return end !== undefined && (verified !== undefined || broken.has(end.termination));
  }

  get log(): readonly LoopEvent[] {
    return this.#fold.log;
  }

  get step(): number {
    return this.#run.steps.length;
  }

  get episode(): Episode {
    return this.#fold.episode;
  }

  async advance({ signal, onDelta }: AdvanceOptions = {}): Promise<LoopEvent[]> {
    if (this.#busy) throw new Error('The run is in the middle of a transition.');
    if (this.done) return [];
    this.#busy = true;
    try {
      const event = await this.#transition(signal ?? new AbortController().signal, onDelta);
      this.#fold.add(event);
      return [event];
    } finally {
      this.#busy = false;
    }
  }

  async #transition(signal: AbortSignal, onDelta: AdvanceOptions['onDelta']): Promise<TransitionEvent> {
    const setting = this.#setting;
    const run = this.#run;
    if (run.state === 'TERMINATED') return verify(setting, this.#fold, signal);
    if (signal.aborted) return ended(setting, 'stopped');
    if (!run.seeded) return seed(setting, run, signal);
    switch (run.state) {
      case 'PENDING':
        return render(setting, run);
      case 'GENERATING':
        return generate(setting, run, signal, onDelta);
      case 'PROCESSING_TOOLS':
        return processTools(setting, run, signal);
      case 'INTERACTING':
        return interact(setting, this.#fold, signal);
    }
  }

  stop(): void {
    if (this.#busy) throw new Error('Abort the transition that is under way.');
    if (this.state !== 'TERMINATED') this.#fold.add(ended(this.#setting, 'stopped'));
  }

  amend(change: Amendment): void {
    if (this.#busy) throw new Error('The run is in the middle of a transition.');
    const at = this.#setting.now();
    if (change.kind === 'observed') {
      this.#fold.add({ type: 'observed', at, ...trafficAfter(this.#run, [change]) });
      return;
    }
    const replaces = this.log.findLastIndex(({ type }) => type !== 'amended' && type !== 'observed');
    const last = amendedLog(this.log).findLast(({ type }) => type !== 'observed');
    const { run } = new Fold(this.log.slice(0, replaces));
    if (change.kind === 'emission' && last?.type === 'emitted') {
      const by = emitted(this.#setting, run, change.emission, { startedAt: last.startedAt, at: last.at });
      const message = { ...by.message, edited: true as const };
      this.#fold.add({ type: 'amended', at, replaces, by: { ...by, message } });
    } else if (change.kind === 'results' && last?.type === 'answered') {
      this.#fold.add({
        type: 'amended',
        at,
        replaces,
        by: withTexts(this.#setting, run, last, change.texts),
      });
    } else {
      const wanted = change.kind === 'emission' ? 'an emission' : 'the results of calls';
      throw new Error(`The last thing that happened is not ${wanted}.`);
    }
  }
}
