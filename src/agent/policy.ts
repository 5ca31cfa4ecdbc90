import type { ChatMessage, ToolSpec } from '../model';

/** What a policy is asked for: the next assistant turn. */
export interface PolicyRequest {
  /** The context as rendered for this call. Not to be changed: messages are shared between calls. */
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ToolSpec[];
  /** The step this emission will be, from 0. */
  readonly step: number;
  readonly signal: AbortSignal;
  /** Called with every piece of text as it arrives, where the policy streams. */
  readonly onDelta?: (text: string) => void;
}

/** One assistant turn. */
export interface Emission {
  readonly text: string;
  readonly toolCalls: readonly EmittedCall[];
  readonly reasoning?: string;
  /** The tokens as they were emitted, end mark included; where absent, the loop's tokenizer makes them. */
  readonly tokenIds?: readonly number[];
  /** One for each of `tokenIds`. */
  readonly logprobs?: readonly number[];
  readonly usage?: { readonly promptTokens?: number; readonly completionTokens?: number };
  /** Cut off by the endpoint: `length`, `content_filter`. */
  readonly unfinished?: string;
  /** What went wrong before it worked, a sentence for each try. */
  readonly retries?: readonly string[];
  /** The model that answered, where the endpoint says it. */
  readonly model?: string;
}

export interface EmittedCall {
  /** Given by the loop where absent. */
  readonly callId?: string;
  readonly name: string;
  /** As written, also when it is not JSON. */
  readonly arguments: string;
}

/** Who writes the assistant turns. */
export interface Policy {
  readonly name: string;
  /** Rejects with a `PolicyError`, or anything else; aborted, with whatever the signal's reason is. */
  emit(request: PolicyRequest): Promise<Emission>;
}

/** A policy that could not give a whole turn. `partial` is what had arrived by then. */
export class PolicyError extends Error {
  override readonly name = 'PolicyError';
  readonly partial: Emission | undefined;

  constructor(message: string, partial?: Emission) {
    super(message);
    this.partial = partial;
  }
}
