import type { Episode, Exchange, JsonObject, SessionState, ToolSpec } from '../model';

/** What happened on the wire for one thing the loop asked of its environment. */
export interface Traffic {
  readonly exchanges?: readonly Exchange[];
  /** The session's state afterwards. `exchange` counts within `exchanges` of the same answer. */
  readonly states?: readonly SessionState[];
}

export interface CallContext {
  readonly step: number;
  readonly callId: string;
  readonly signal: AbortSignal;
}

/** What a tool answered. */
export interface ToolAnswer extends Traffic {
  /** As the model is to read it; the loop truncates it. */
  readonly text: string;
  /** Given for this call alone; 0 where absent. */
  readonly reward?: number;
}

export interface SeedAnswer extends Traffic {
  /** Why there is no session: the run ends here. */
  readonly error?: string;
}

/** A user turn of an environment that answers the assistant itself. */
export interface InteractionAnswer extends Traffic {
  readonly text: string;
  /** The environment ends the conversation with this turn. */
  readonly done?: boolean;
  /** The turn's score. */
  readonly reward?: number;
}

export interface VerifyAnswer extends Traffic {
  /** Absent, or no finite number, where there is none: `error` says why. */
  readonly reward?: number;
  readonly components?: Readonly<Record<string, number>>;
  readonly verdict?: string;
  readonly error?: string;
}

/** Thrown where no answer came: the run ends with it. What a tool has to say about a failure is an answer instead. */
export class EnvironmentError extends Error {
  override readonly name: string = 'EnvironmentError';
  readonly traffic: Traffic;

  constructor(message: string, traffic: Traffic = {}) {
    super(message);
    this.traffic = traffic;
  }
}

/** Where tool calls are run and the outcome is judged. Made of a client of a resources server in `live`. */
export interface LoopEnvironment {
  readonly name: string;
  /** Tools that the environment runs. */
  readonly tools: readonly ToolSpec[];
  /** Tools of the loop that it offers besides: of `CONTEXT_TOOLS`. With StateLM on all of them are there anyway. */
  readonly loopTools?: readonly ToolSpec[];
  /** Whether the calls of one turn may run at the same time, as the reference has it. True where absent. */
  readonly parallel?: boolean;
  seed(signal: AbortSignal): Promise<SeedAnswer>;
  call(tool: string, args: JsonObject, context: CallContext): Promise<ToolAnswer>;
  /** Present where an assistant turn without calls is answered by a user turn. */
  interact?(episode: Episode, signal: AbortSignal): Promise<InteractionAnswer>;
  verify(episode: Episode, signal: AbortSignal): Promise<VerifyAnswer>;
}
