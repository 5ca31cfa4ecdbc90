import type { Episode, Exchange, Message, SessionState, ToolSpec } from '../model';
import { noteEditsFrom, toolCallsOf } from '../model';
import type { ChatTemplate, Tokenizer } from '../tokens';
import { runCalls } from './calls';
import type { LoopConfig } from './config';
import { CONTEXT_TOOLS } from './context-tools';
import { createEncoder, type Encoder } from './encoder';
import type { LoopEnvironment, Traffic } from './environment';
import type { AnsweredEvent, EmittedEvent, LoopEvent, LoopState, RunTask, StartedEvent } from './events';
import { amendedLog, Fold, type Run } from './fold';
import { PolicyError, type Emission, type Policy } from './policy';
import {
  afterCalls,
  afterEmission,
  editOf,
  emittedMessage,
  ending,
  lastCalls,
  promptMessages,
  rendersAlways,
  resultPart,
  userMessage,
} from './turns';

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
export function offeredTools(environment: LoopEnvironment, { statelm_enabled }: LoopConfig): ToolSpec[] {
  const offered = new Map(environment.tools.map((tool) => [tool.name, tool]));
  const ofTheLoop = [...(environment.loopTools ?? []), ...(statelm_enabled ? CONTEXT_TOOLS : [])];
  for (const tool of ofTheLoop) {
    const isKnown = CONTEXT_TOOLS.some(({ name }) => name === tool.name);
    if (!isKnown || offered.has(tool.name) || (tool.name === 'deleteContext' && !statelm_enabled)) continue;
    offered.set(tool.name, tool);
  }
  return [...offered.values()];
}

class LiveLoop implements Loop {
  readonly #policy: Policy;
  readonly #environment: LoopEnvironment;
  readonly #encoder: Encoder;
  readonly #now: () => number;
  readonly #fold: Fold;
  #busy = false;

  constructor({ policy, environment, tokenizer, template, now = Date.now, ...given }: LoopOptions) {
    this.#policy = policy;
    this.#environment = environment;
    this.#encoder = createEncoder(tokenizer, template);
    this.#now = now;
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
      config,
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
    if (end === undefined) return false;
    return (
      verified !== undefined ||
      ['stopped', 'policy_error', 'template_error', 'environment_error'].includes(end.termination)
    );
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

  stop(): void {
    if (this.#busy) throw new Error('Abort the transition that is under way.');
    if (this.state !== 'TERMINATED')
      this.#fold.add({ type: 'ended', at: this.#now(), ...ending('stopped'), next: 'TERMINATED' });
  }

  amend(change: Amendment): void {
    if (this.#busy) throw new Error('The run is in the middle of a transition.');
    if (change.kind === 'observed') {
      this.#fold.add({ type: 'observed', at: this.#now(), ...this.#traffic(change) });
      return;
    }
    const replaces = this.log.findLastIndex((event) => event.type !== 'amended' && event.type !== 'observed');
    const last = new Fold(this.log.slice(0, replaces)).run;
    const event = amendedLog(this.log).findLast(({ type }) => type !== 'observed');
    const at = this.#now();
    if (change.kind === 'emission' && event?.type === 'emitted') {
      const by = this.#emitted(last, change.emission, { startedAt: event.startedAt, at: event.at });
      const message = { ...by.message, edited: true as const };
      this.#fold.add({ type: 'amended', at, replaces, by: { ...by, message } });
    } else if (change.kind === 'results' && event?.type === 'answered') {
      this.#fold.add({ type: 'amended', at, replaces, by: this.#withTexts(last, event, change.texts) });
    } else {
      const wanted = change.kind === 'emission' ? 'an emission' : 'the results of calls';
      throw new Error(`The last thing that happened is not ${wanted}.`);
    }
  }

  async #transition(
    signal: AbortSignal,
    onDelta: AdvanceOptions['onDelta'],
  ): Promise<Exclude<LoopEvent, { type: 'amended' | 'observed' }>> {
    const run = this.#run;
    if (run.state === 'TERMINATED') return this.#verify(signal);
    if (signal.aborted) return this.#ended('stopped');
    if (!run.seeded) return this.#seed(signal);
    switch (run.state) {
      case 'PENDING':
        return this.#render(run);
      case 'GENERATING':
        return this.#generate(run, signal, onDelta);
      case 'PROCESSING_TOOLS':
        return this.#processTools(run, signal);
      case 'INTERACTING':
        return this.#interact(run, signal);
    }
  }

  #ended(termination: 'stopped' | 'policy_error' | 'template_error' | 'environment_error', error?: string) {
    return {
      type: 'ended' as const,
      at: this.#now(),
      ...ending(termination, error),
      next: 'TERMINATED' as const,
    };
  }

  async #seed(signal: AbortSignal) {
    try {
      const answer = await this.#environment.seed(signal);
      const direction = answer.error === undefined ? undefined : ending('environment_error', answer.error);
      return {
        type: 'seeded' as const,
        at: this.#now(),
        next: 'PENDING' as const,
        ...direction,
        ...this.#traffic(answer),
      };
    } catch (error) {
      return signal.aborted ? this.#ended('stopped') : this.#ended('environment_error', messageOf(error));
    }
  }

  #render(run: Readonly<Run>) {
    let ids: readonly number[];
    try {
      ids = this.#encoder.prompt(run.rendered(), run.started?.tools ?? []);
    } catch (error) {
      return this.#ended('template_error', messageOf(error));
    }
    const { statelm_enabled, max_model_length, response_length } = run.config;
    const overflow = ids.length + response_length - max_model_length;
    const keeps = run.context.sharedWith(ids);
    const event = { type: 'rendered' as const, at: this.#now(), keeps, ids: ids.slice(keeps) };
    return statelm_enabled && overflow > 0
      ? { ...event, ...ending('context_length_exceeded'), overflow }
      : { ...event, next: 'GENERATING' as const };
  }

  async #generate(run: Readonly<Run>, signal: AbortSignal, onDelta: AdvanceOptions['onDelta']) {
    const startedAt = this.#now();
    let firstTextAt: number | undefined;
    const times = () => ({
      startedAt,
      at: this.#now(),
      ...(firstTextAt === undefined ? {} : { firstTextAt }),
    });
    try {
      const emission = await this.#policy.emit({
        messages: [...run.seen],
        tools: run.started?.tools ?? [],
        step: run.steps.length,
        signal,
        onDelta: (text) => {
          firstTextAt ??= this.#now();
          onDelta?.(text);
        },
      });
      return this.#emitted(run, emission, times());
    } catch (error) {
      const end = signal.aborted ? ending('stopped') : ending('policy_error', messageOf(error));
      const partial = error instanceof PolicyError ? error.partial : undefined;
      if (partial === undefined)
        return { type: 'ended' as const, at: this.#now(), ...end, next: 'TERMINATED' as const };
      const event = this.#emitted(run, partial, times());
      return { ...event, ...end, unfinished: end.end.termination };
    }
  }

  #emitted(
    run: Readonly<Run>,
    emission: Emission,
    times: Pick<EmittedEvent, 'at' | 'startedAt' | 'firstTextAt'>,
  ): EmittedEvent {
    const message = emittedMessage(run, emission);
    const ids = areIds(emission.tokenIds) ? emission.tokenIds : this.#encoder.emission(run.appended(message));
    const { logprobs, usage, retries, model } = emission;
    const direction = afterEmission(
      {
        maskLength: run.maskLength + ids.length,
        assistantTurns: run.assistantTurns + 1,
        userTurns: run.userTurns,
      },
      run.config,
      toolCallsOf(message).length > 0,
      this.#environment.interact !== undefined,
    );
    // A limit ends the run before the calls are read: the reference drops the turn, here it stays.
    const cutShort = direction.end?.termination === 'no_tool_call' ? undefined : direction.end?.termination;
    const unfinished = cutShort ?? emission.unfinished;
    return {
      type: 'emitted',
      ...times,
      ...direction,
      message,
      ids: [...ids],
      ...(logprobs?.length === ids.length ? { logprobs: [...logprobs] } : {}),
      ...(unfinished === undefined ? {} : { unfinished }),
      ...(usage === undefined ? {} : { usage }),
      ...(retries === undefined || retries.length === 0 ? {} : { retries: [...retries] }),
      ...(model === undefined ? {} : { model }),
    };
  }

  async #processTools(run: Readonly<Run>, signal: AbortSignal): Promise<AnsweredEvent> {
    const calls = lastCalls(run);
    const most = run.config.max_parallel_calls;
    const done = await runCalls(calls.slice(0, most), {
      run,
      environment: this.#environment,
      encoder: this.#encoder,
      signal,
      now: this.#now,
    });
    const messages = done.map(({ message }) => message);
    const asked = done.flatMap(({ deletes }) => (deletes === undefined ? [] : [deletes]));
    const edit = asked.length === 0 ? undefined : editOf(run, messages, asked.flat());
    const finished = done.some((each) => each.finished);
    const cut = done.flatMap(({ cutFrom }, index) =>
      cutFrom === undefined ? [] : [{ index, length: cutFrom }],
    );
    const event = this.#answered(
      run,
      messages,
      edit,
      finished,
      done.map(({ whole }) => whole),
    );
    return {
      ...event,
      ...(signal.aborted ? ending('stopped') : {}),
      rewards: done.map(({ reward }) => reward),
      ...this.#traffic(...done.map(({ traffic }) => traffic)),
      ...(calls.length > most ? { dropped: calls.length - most } : {}),
      ...(cut.length === 0 ? {} : { cut }),
    };
  }

  /** `wholes`: the results before they were cut, which say whether a note was taken. */
  #answered(
    run: Readonly<Run>,
    messages: Message[],
    edit: AnsweredEvent['edit'],
    finished: boolean,
    wholes: readonly Message[],
  ): AnsweredEvent {
    const ids = this.#encoder.appended(messages.map((message) => run.appended(message)));
    const direction = afterCalls(run, ids.length, { finished, edited: edit !== undefined });
    const caller = run.messages.at(-1);
    const notes =
      run.traits === undefined || caller === undefined
        ? []
        : noteEditsFrom([caller, ...wholes], run.traits.dialect, new Map(run.notes));
    return {
      type: 'answered',
      at: this.#now(),
      ...direction,
      messages,
      rewards: messages.map(() => 0),
      ...(edit === undefined ? {} : { edit }),
      ...(notes.length === 0 ? {} : { notes }),
      ...(direction.next === 'GENERATING' ? { ids: [...ids] } : {}),
    };
  }

  #withTexts(run: Readonly<Run>, event: AnsweredEvent, texts: ReadonlyMap<number, string>): AnsweredEvent {
    const messages = event.messages.map((message, index) => {
      const text = texts.get(index);
      return text === undefined ? message : { ...message, parts: [resultPart(text)], edited: true as const };
    });
    const finished = event.end?.termination === 'finish';
    const { end: _, ids: __, notes: ___, cut = [], ...kept } = event;
    const stillCut = cut.filter(({ index }) => !texts.has(index));
    return {
      ...kept,
      ...this.#answered(run, messages, event.edit, finished, messages),
      at: event.at,
      rewards: event.rewards,
      ...(stillCut.length === 0 ? {} : { cut: stillCut }),
    };
  }

  async #interact(run: Readonly<Run>, signal: AbortSignal) {
    try {
      const answer = await this.#environment.interact?.(this.episode, signal);
      if (answer === undefined) return this.#ended('environment_error', 'The environment has no user turns.');
      const message = userMessage(run, answer.text);
      const next: LoopState = rendersAlways(run.config) ? 'PENDING' : 'GENERATING';
      const ids = this.#encoder.appended([run.appended(message)]);
      return {
        type: 'interacted' as const,
        at: this.#now(),
        ...(answer.done === true ? ending('interaction_done') : { next }),
        message,
        ...(next === 'PENDING' ? {} : { ids: [...ids] }),
        ...(answer.reward === undefined ? {} : { score: answer.reward }),
        ...this.#traffic(answer),
      };
    } catch (error) {
      return signal.aborted ? this.#ended('stopped') : this.#ended('environment_error', messageOf(error));
    }
  }

  async #verify(signal: AbortSignal) {
    const event = { type: 'verified' as const, next: 'TERMINATED' as const };
    try {
      const { reward, components, verdict, error, ...traffic } = await this.#environment.verify(
        this.episode,
        signal,
      );
      return {
        ...event,
        at: this.#now(),
        ...(reward !== undefined && Number.isFinite(reward) ? { reward } : {}),
        ...(reward !== undefined && !Number.isFinite(reward) ? { notANumber: true as const } : {}),
        ...(components === undefined ? {} : { components: { ...components } }),
        ...(verdict === undefined ? {} : { verdict }),
        ...(error === undefined ? {} : { error }),
        ...this.#traffic(traffic),
      };
    } catch (error) {
      return { ...event, at: this.#now(), error: messageOf(error) };
    }
  }

  /** Exchanges and states of one event. States name their exchange by its place in the whole episode. */
  #traffic(...all: readonly Traffic[]): { exchanges?: Exchange[]; states?: SessionState[] } {
    const exchanges: Exchange[] = [];
    const states: SessionState[] = [];
    for (const traffic of all) {
      const before = this.#run.exchanges.length + exchanges.length;
      for (const exchange of traffic.exchanges ?? []) exchanges.push(exchange);
      for (const state of traffic.states ?? []) {
        states.push(state.exchange === undefined ? state : { ...state, exchange: state.exchange + before });
      }
    }
    return {
      ...(exchanges.length === 0 ? {} : { exchanges }),
      ...(states.length === 0 ? {} : { states }),
    };
  }
}

function areIds(ids: readonly number[] | undefined): ids is readonly number[] {
  return ids !== undefined && ids.every((id) => id === (id | 0));
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
