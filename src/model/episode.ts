import type { Exchange, SessionState } from './exchange';
import type { RecordedView } from './recorded';

/**
 * The canonical episode: what every importer produces, every live run grows, and the interface draws.
 * Types only. Everything that can be worked out from them stands in the other files of this folder.
 */

/** How sure we are of a shown fact: in the source; following exactly from it; or a guess. */
export type Truth = 'recorded' | 'derived' | 'inferred';

export type Role = 'system' | 'developer' | 'user' | 'assistant' | 'tool';

export interface Episode {
  /** Stable within its source, e.g. `task 17 · rollout 3` read as `17:3`; not unique across sources. */
  id: string;
  /** The id of the format it was imported from, e.g. `nemo_gym_rollout`. */
  format: string;
  title: string;
  task?: TaskRef;
  /** The model's name as the source gives it. */
  model?: string;
  tools: ToolSpec[];
  /** Full history, append-only, in the order it happened: `bornAtStep` never falls. `msgId`s are unique. */
  messages: Message[];
  /** One per model call, in order; `steps[i].index === i`. */
  steps: Step[];
  /** Deletions and compactions, by ascending step. */
  edits: ContextEdit[];
  /** Changes of the external memory, by ascending step. */
  notes?: NoteEdit[];
  /** Training samples as the source recorded them. What they should be is derived: `samplesOf`. */
  samples?: Sample[];
  /** Views as the source recorded them, by ascending step, to hold those rebuilt against: `recordedViewAt`. */
  recordedViews?: RecordedView[];
  /** Requests to the environment's server, in their order. */
  exchanges?: Exchange[];
  /** The session's state over the episode, by ascending step. */
  states?: SessionState[];
  /** The episode it was forked from, and the last of its steps that the two share; -1 where they share none. */
  fork?: { source: string; episode: number; step: number };
  /** How StateLM's loop renders this episode's context; absent where another loop made it. */
  statelm?: StatelmTraits;
  limits?: ContextLimits;
  /** What the loop counted and scored on the way, where it says so step by step. */
  scores?: LoopScores;
  /** `characters`: the token ids are character codes and can be read without a tokenizer. */
  tokenIds?: 'characters';
  outcome: Outcome;
  /** Numbers, flags and short strings of the source that belong to no other field. */
  metrics: Metrics;
  gaps: Gap[];
}

export type Metrics = Record<string, number | string | boolean>;

/** Groups the rollouts of one task: `{ key: '17', rollout: 3 }`. */
export interface TaskRef {
  key: string;
  rollout?: number;
  attempt?: number;
}

export interface ToolSpec {
  name: string;
  description?: string;
  /** JSON Schema as the source gives it. */
  parameters?: unknown;
}

/** Who put a message into the history. */
export type Origin = 'prompt' | 'policy' | 'environment';

export interface Message {
  msgId: number;
  /** The id the source gives it, where that could not be its `msgId`: it stands there twice. */
  sourceMsgId?: number;
  role: Role;
  /** The role as the source spells it, where that is none of `Role`. */
  roleLabel?: string;
  origin: Origin;
  /** In order. The tool calls of an assistant are parts too, where they stood. */
  parts: Part[];
  /** Call ids this tool message answers: several where one result was shared by parallel calls. */
  toolResultFor?: string[];
  /** The tool that answered, where the source names it. */
  toolName?: string;
  /** The id of the assistant message this result is for, as the source says; it can be wrong. */
  invokedBy?: number;
  /** Of the tool that answered. */
  timing?: Timing;
  /** A person changed it by hand while the run stood still. */
  edited?: true;
  /**
   * The step that brought it: emitted by that step's call, or answered by the environment after it.
   * `-1` for what stood there before the first call. The view of step k holds what was born before k.
   */
  bornAtStep: number;
  /**
   * The `msgId` this message continues, where that is not the message before it; `null` starts a new
   * conversation. Only histories that branch (subagents, message graphs) have it.
   */
  follows?: number | null;
  /** Where it stands in the record: JSON pointers, one per source item that was joined into it. */
  raw: string[];
  /**
   * The text it was cut out of, where the source has a decoded transcript and no messages: role and parts are then
   * inferred. The pieces of all messages put together are the transcript, template and all.
   */
  inferredFrom?: string;
}

export type Part =
  | { kind: 'text'; text: string }
  /** `summary`: the provider's digest, not the thoughts; `inline`: cut out of the text's `<think>` tags. */
  | { kind: 'reasoning'; text: string; form: 'full' | 'summary' | 'inline' }
  /** Reasoning that exists but cannot be read. */
  | { kind: 'sealed'; bytes: number }
  | { kind: 'call'; call: ToolCall }
  | { kind: 'image'; url: string; detail?: string }
  | { kind: 'refusal'; text: string }
  /** A JSON value as text, numbers and key order as they stood in the source. */
  | { kind: 'json'; text: string }
  /** What the importer does not know: shown as it is, never dropped. */
  | { kind: 'unknown'; type: string; value: unknown };

export interface ToolCall {
  /** Unique within the episode as far as the source keeps it so. */
  callId: string;
  name: string;
  /** As recorded, also when it is not JSON. */
  arguments: string;
}

export interface Step {
  index: number;
  /** Token ids of the call, where the source keeps them. */
  tokens?: StepTokens;
  /** Cut off before it was finished: `max_output_tokens`, an error, a stop. */
  unfinished?: string;
  /** Of the model call. */
  timing?: Timing;
}

/** When something ran and how long it took, by the source's clock. */
export interface Timing {
  /** Seconds since 1970. */
  startedAt?: number;
  durationMs?: number;
  /** Until the first token came. */
  firstTokenMs?: number;
}

export interface StepTokens {
  promptIds: Int32Array;
  generationIds: Int32Array;
  logprobs?: Float32Array;
}

/** Takes effect for the steps after `step`. */
export interface ContextEdit {
  step: number;
  /** `delete` leaves a stub in each place; `compact` takes the messages out of the view. */
  kind: 'delete' | 'compact';
  msgIds: number[];
  /** What the stub says, where the source has its own words for it: `[Previous environment state - hidden]`. */
  stub?: string;
  /** The message that asked for it. */
  by?: number;
  /** The message that stands for what was compacted. */
  summary?: number;
  tokensBefore?: number;
  tokensAfter?: number;
}

/** One note of the external memory set, extended or removed. Takes effect for the steps after `step`. */
export interface NoteEdit {
  step: number;
  /** The message that asked for it. */
  by?: number;
  key: string;
  change:
    | { kind: 'write'; summary: string; content: string }
    | { kind: 'append'; summary?: string; content: string }
    | { kind: 'remove' };
}

/** Half-open: `[3, 5]` is 3 and 4. */
export type Span = [start: number, end: number];

/** One training sample. An episode becomes one, and one more for every context edit. */
export interface Sample {
  kind: 'snapshot' | 'final';
  index: number;
  /** The steps whose emissions it is there to train; `lastStep` is before `firstStep` where there are none. */
  firstStep: number;
  lastStep: number;
  tokens?: TokenTrack;
  /** Sizes, where the source gives them without the tokens. */
  sizes?: SampleSizes;
  /** Decoded, special tokens included. */
  text?: { prompt: string; response: string };
  numTurns?: number;
  turnScores?: number[];
  toolRewards?: number[];
}

export interface SampleSizes {
  prompt: number;
  response: number;
  mask: number;
  /** Tokens of the response under a 1 of the mask. */
  trained: number;
}

/**
 * The tokens of a sample. The mask is kept as the ranges where it is 1: `[0, 40]` and a length of 50 is 40 ones
 * and 10 zeros. It can be longer than the response: that is one of the faults to be shown.
 */
export interface TokenTrack {
  promptIds: Int32Array;
  /** -1 where the source has a token but not its id. */
  responseIds: Int32Array;
  maskLength: number;
  trained: Span[];
  /** What the policy emitted, turn by turn, as ranges of the mask. */
  turns: Span[];
  logprobs?: Float32Array;
  /** Other numbers per response token, by name: `advantage`, `reward`, `refLogprob`. */
  values?: Record<string, Float32Array>;
  /** The text of each response token, where the source has it. */
  texts?: (string | undefined)[];
}

/** What differs between the loops that render StateLM's context, and what they recorded at their end. */
export interface StatelmTraits {
  dialect: 'rl' | 'inference';
  /**
   * What stands in the context for a tool result that came after the last render. `returned`: the bare result;
   * `rendered`: with its ids, as a render writes it; `returned-from-edit`: bare, that of the edit itself included.
   */
  toolResults?: 'returned' | 'rendered' | 'returned-from-edit';
  /** `joined`: the heading of the notes block stands between the notes instead of before them. */
  notesBlock?: 'joined';
  /** A deleted assistant message keeps its text and loses only the arguments of its calls. */
  keepsDeletedText?: boolean;
  /** `deleted_msg_ids` at the end. */
  recordedDeletes?: number[];
  /** The notes block's lines at the end. */
  recordedNotes?: string;
  /** Where each turn stands in the loop's response mask. */
  recordedTurns?: Span[];
  /** The context's tokens at the end. */
  finalIds?: Int32Array;
  /** The message that stood twice in the source's history, and is here once. */
  repeatedPrompt?: number;
}

/** For the training code: what derived samples carry of it is in `samplesOf`. */
export interface LoopScores {
  /** Emissions, user turns and rounds of results, and the prompt. */
  numTurns: number;
  turnScores: Score[];
  toolRewards: Score[];
}

export interface Score {
  step: number;
  value: number;
}

/** In tokens. */
export interface ContextLimits {
  maxModelLength?: number;
  responseLength?: number;
}

export interface Outcome {
  /** Absent where the source has none, or none that is a finite number (a gap says which). */
  reward?: number;
  /**
   * Why there is no reward, where it is not simply missing: the format has no place for one, or what stood there
   * is no finite number.
   */
  noReward?: 'never-kept' | 'not-a-number';
  components: Record<string, number>;
  /** e.g. `resolved`, `failed`, in the source's words. */
  verdict?: string;
  /** Why the episode ended, in the source's words. */
  termination?: string;
  error?: string;
}

/** What the source cannot show, and why, said in the place where it would stand. */
export interface Gap {
  about: GapSubject;
  /** A full sentence: `This file has no token ids: masks cannot be shown.` */
  reason: string;
  step?: number;
  msgId?: number;
}

export type GapSubject =
  'messages' | 'results' | 'reasoning' | 'reward' | 'tokens' | 'views' | 'state' | 'timing';
