import type { ContextEdit, Exchange, Message, NoteEdit, SessionState, TaskRef, ToolSpec } from '../model';
import type { LoopConfig } from './config';

/**
 * The log of a run: one event for every transition, as plain JSON. An episode is a fold over it (`foldEpisode`), any
 * prefix is a state to go back to, and a fork is a prefix and what another run adds to it.
 */

export type LoopState = 'PENDING' | 'GENERATING' | 'PROCESSING_TOOLS' | 'INTERACTING' | 'TERMINATED';

/** Why a run ended. */
export type Termination =
  | 'finish'
  | 'no_tool_call'
  | 'context_length_exceeded'
  | 'response_length'
  | 'max_assistant_turns'
  | 'max_user_turns'
  | 'interaction_done'
  | 'stopped'
  | 'policy_error'
  | 'template_error'
  | 'environment_error';

export interface Ending {
  termination: Termination;
  error?: string;
}

/** Where a transition leads. `end` is there when `next` is `TERMINATED`. */
interface Transition {
  /** Milliseconds since the epoch. */
  at: number;
  next: LoopState;
  end?: Ending;
}

interface Traffic {
  exchanges?: Exchange[];
  /** `exchange` is an index into all exchanges of the episode. */
  states?: SessionState[];
}

/** What a run starts with. */
export interface RunTask {
  title: string;
  /** The prompt: roles `system`, `developer` and `user`. */
  messages: { role: 'system' | 'developer' | 'user'; text: string }[];
  id?: string;
  task?: TaskRef;
}

export interface StartedEvent extends Transition {
  type: 'started';
  config: LoopConfig;
  id: string;
  title: string;
  task?: TaskRef;
  messages: Message[];
  tools: ToolSpec[];
  policy: string;
  environment: string;
  tokenizer: string;
  template: string;
  /** The episode whose beginning this run shares. */
  fork?: { source: string; episode: number; step: number };
}

export interface SeededEvent extends Transition, Traffic {
  type: 'seeded';
}

/** PENDING: the context was rendered and tokenized. */
export interface RenderedEvent extends Transition {
  type: 'rendered';
  /** How many ids of the context before it stay at its beginning; `ids` come after them. */
  keeps: number;
  ids: number[];
  /** By how many tokens the context was too long. */
  overflow?: number;
}

/** GENERATING: the policy emitted. */
export interface EmittedEvent extends Transition {
  type: 'emitted';
  /** When the policy was asked, and when its first text came; milliseconds since the epoch. */
  startedAt: number;
  firstTextAt?: number;
  message: Message;
  ids: number[];
  logprobs?: number[];
  /** Why the turn is not whole, or was not acted on. */
  unfinished?: string;
  usage?: { promptTokens?: number; completionTokens?: number };
  retries?: string[];
  model?: string;
}

/** PROCESSING_TOOLS: calls were run. */
export interface AnsweredEvent extends Transition, Traffic {
  type: 'answered';
  messages: Message[];
  /** One for each message. */
  rewards: number[];
  /** The deletes of this turn that were accepted: one edit, one snapshot. */
  edit?: ContextEdit;
  notes?: NoteEdit[];
  /** Tokens of the results as they were appended; absent where the context is rendered anew, or at the end. */
  ids?: number[];
  /** How many calls were left out: more than `max_parallel_calls`. */
  dropped?: number;
  /** Results that were cut, by position in `messages`: how many characters they had. */
  cut?: { index: number; length: number }[];
}

/** INTERACTING: the environment answered with a user turn. */
export interface InteractedEvent extends Transition, Traffic {
  type: 'interacted';
  message: Message;
  ids?: number[];
  score?: number;
}

/** Between transitions: stopped by the person, or nothing came of the transition. */
export interface EndedEvent extends Transition, Traffic {
  type: 'ended';
  next: 'TERMINATED';
  end: Ending;
}

export interface VerifiedEvent extends Transition, Traffic {
  type: 'verified';
  next: 'TERMINATED';
  /** Absent where there is none; `notANumber` where there is something else in its place. */
  reward?: number;
  notANumber?: true;
  components?: Record<string, number>;
  verdict?: string;
  error?: string;
}

/** A person changed the last emission, or the last results: `by` stands for event number `replaces` from now on. */
export interface AmendedEvent {
  type: 'amended';
  at: number;
  replaces: number;
  by: EmittedEvent | AnsweredEvent;
}

/** Something that is not the loop's doing: a person changed the session's state. */
export interface ObservedEvent extends Traffic {
  type: 'observed';
  at: number;
}

export type TransitionEvent =
  | StartedEvent
  | SeededEvent
  | RenderedEvent
  | EmittedEvent
  | AnsweredEvent
  | InteractedEvent
  | EndedEvent
  | VerifiedEvent;

export type LoopEvent = TransitionEvent | AmendedEvent | ObservedEvent;
