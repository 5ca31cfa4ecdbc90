import {
  applyNote,
  chatMessage,
  notesBlock,
  writtenFor,
  type ChatMessage,
  type ContextEdit,
  type Episode,
  type Exchange,
  type Gap,
  type Message,
  type Note,
  type NoteEdit,
  type Score,
  type SessionState,
  type StatelmTraits,
  type Step,
  type Written,
} from '../model';
import { DEFAULT_CONFIG, type LoopConfig } from './config';
import { episodeFrom } from './episode';
import type {
  AnsweredEvent,
  EmittedEvent,
  Ending,
  LoopEvent,
  LoopState,
  RenderedEvent,
  StartedEvent,
  VerifiedEvent,
} from './events';
import { TokenList } from './token-list';

/** The episode that a log tells, up to its last event. */
export function foldEpisode(log: readonly LoopEvent[]): Episode {
  return new Fold(log).episode;
}

/**
 * A log and all that follows from it: the episode, and what the loop goes on from. Adding an event costs as much as the
 * event brings, whatever came before it; only an amendment goes over the whole log once more.
 */
export class Fold {
  readonly #log: LoopEvent[] = [];
  #run = new Run();
  #episode: Episode | undefined;

  constructor(log: readonly LoopEvent[] = []) {
    for (const event of log) this.add(event);
  }

  get log(): readonly LoopEvent[] {
    return this.#log;
  }

  get run(): Readonly<Run> {
    return this.#run;
  }

  get episode(): Episode {
    this.#episode ??= episodeFrom(this.#run);
    return this.#episode;
  }

  add(event: LoopEvent): void {
    this.#log.push(event);
    this.#episode = undefined;
    if (event.type !== 'amended') this.#run.add(event);
    else {
      this.#run = new Run();
      for (const each of amendedLog(this.#log)) this.#run.add(each);
    }
  }
}

/** The events with each amendment in the place of what it replaces. */
export function amendedLog(log: readonly LoopEvent[]): PlainEvent[] {
  const replaced = new Map<number, PlainEvent>();
  for (const event of log) if (event.type === 'amended') replaced.set(event.replaces, event.by);
  return log.flatMap((event, index) => (event.type === 'amended' ? [] : [replaced.get(index) ?? event]));
}

type PlainEvent = Exclude<LoopEvent, { type: 'amended' }>;

/** What a log has come to. Changed by its events alone. */
export class Run {
  config: LoopConfig = DEFAULT_CONFIG;
  started: StartedEvent | undefined;
  state: LoopState = 'PENDING';
  end: Ending | undefined;
  verified: VerifiedEvent | undefined;
  seeded = false;
  /** Absent with StateLM off. */
  traits: StatelmTraits | undefined;

  readonly messages: Message[] = [];
  readonly byId = new Map<number, Message>();
  readonly steps: Step[] = [];
  readonly edits: ContextEdit[] = [];
  readonly noteEdits: NoteEdit[] = [];
  readonly exchanges: Exchange[] = [];
  readonly states: SessionState[] = [];
  readonly turnScores: Score[] = [];
  readonly toolRewards: Score[] = [];
  readonly gaps: Gap[] = [];

  /** The context as messages and as tokens. */
  seen: ChatMessage[] = [];
  readonly context = new TokenList();
  /** Entries of the response mask: all that came into the context since the first render, edits or not. */
  maskLength = 0;
  userTurns = 0;
  /** The id of the next message that gets one. */
  nextId = 0;
  /** Calls so far, for naming those without an id. */
  calls = 0;
  readonly notes = new Map<string, Note>();
  /** All ids that were accepted for deletion. */
  readonly deleted = new Set<number>();
  /** Those among them that no message had by then. */
  readonly unborn = new Set<number>();
  model: string | undefined;
  overflow: number | undefined;
  edited = 0;
  usage = { promptTokens: 0, completionTokens: 0 };
  #written: Written | undefined;

  get assistantTurns(): number {
    return this.steps.length;
  }

  add(event: PlainEvent): void {
    if (event.type !== 'observed') {
      this.state = event.next;
      if (event.end !== undefined) this.end = event.end;
    }
    if ('exchanges' in event) for (const exchange of event.exchanges ?? []) this.exchanges.push(exchange);
    if ('states' in event) for (const state of event.states ?? []) this.states.push(state);
    if (event.type === 'started') this.#start(event);
    else if (event.type === 'seeded') this.seeded = true;
    else if (event.type === 'rendered') this.#render(event);
    else if (event.type === 'emitted') this.#emit(event);
    else if (event.type === 'answered') this.#answer(event);
    else if (event.type === 'interacted') {
      this.#append([event.message], event.ids);
      this.userTurns += 1;
      if (event.score !== undefined)
        this.turnScores.push({ step: this.steps.length - 1, value: event.score });
    } else if (event.type === 'verified') this.verified = event;
  }

  /** The context as a render would write it now. */
  rendered(): ChatMessage[] {
    const written = this.#written;
    if (written === undefined) return this.messages.map(chatMessage);
    const firstUser = this.messages.findIndex(({ role }) => role === 'user');
    const block = notesBlock(this.notes);
    return this.messages.map((message, index) => {
      if (index === firstUser) return written.noted(message, block);
      return this.deleted.has(message.msgId) ? written.stub(message) : written.rendered(message);
    });
  }

  /** A message as it comes into the context behind the last render. */
  appended(message: Message): ChatMessage {
    return this.#written === undefined ? chatMessage(message) : this.#written.appended(message);
  }

  #start(event: StartedEvent): void {
    const { config } = event;
    this.started = event;
    this.config = config;
    if (config.statelm_enabled) {
      this.traits = {
        dialect: config.dialect,
        ...(config.delete_assistant_tool_call_only ? { keepsDeletedText: true } : {}),
      };
      this.#written = writtenFor(this.traits);
      if (config.dialect === 'inference') this.nextId = 1;
    }
    this.#keep(event.messages);
  }

  #render({ keeps, ids, overflow }: RenderedEvent): void {
    this.context.keep(keeps);
    this.context.append(ids);
    this.seen = this.rendered();
    if (overflow === undefined) return;
    this.overflow = overflow;
    this.turnScores.push({ step: this.steps.length - 1, value: this.config.context_length_penalty });
  }

  #emit(event: EmittedEvent): void {
    const step = this.steps.length;
    const start = this.context.length;
    this.context.append(event.ids);
    const end = this.context.length;
    const { startedAt, firstTextAt, unfinished, logprobs, usage } = event;
    this.steps.push({
      index: step,
      tokens: {
        promptIds: this.context.part(0, start),
        generationIds: this.context.part(start, end),
        ...(logprobs === undefined ? {} : { logprobs: Float32Array.from(logprobs) }),
      },
      ...(unfinished === undefined ? {} : { unfinished }),
      timing: {
        startedAt: startedAt / 1000,
        durationMs: Math.max(event.at - startedAt, 0),
        ...(firstTextAt === undefined ? {} : { firstTokenMs: Math.max(firstTextAt - startedAt, 0) }),
      },
    });
    this.maskLength += event.ids.length;
    this.#keep([event.message]);
    this.seen.push(this.appended(event.message));
    for (const part of event.message.parts) if (part.kind === 'call') this.calls += 1;
    if (event.model !== undefined) this.model = event.model;
    this.usage.promptTokens += usage?.promptTokens ?? 0;
    this.usage.completionTokens += usage?.completionTokens ?? 0;
    for (const retry of event.retries ?? []) this.gaps.push({ about: 'timing', reason: retry, step });
  }

  #answer(event: AnsweredEvent): void {
    const step = this.steps.length - 1;
    for (const value of event.rewards) this.toolRewards.push({ step, value });
    for (const edit of event.notes ?? []) {
      this.noteEdits.push(edit);
      applyNote(this.notes, edit);
    }
    this.#append(event.messages, event.ids);
    if (event.edit !== undefined) {
      this.edits.push(event.edit);
      for (const id of event.edit.msgIds) {
        this.deleted.add(id);
        if (this.byId.has(id)) this.unborn.delete(id);
        else this.unborn.add(id);
      }
    } else if (event.end === undefined) this.userTurns += 1;
    this.gaps.push(...gapsOf(event, step, this.config));
  }

  /** Results and user turns. Where the context is rendered anew before it is used again, they have no tokens of their own. */
  #append(messages: readonly Message[], ids: readonly number[] | undefined): void {
    this.#keep(messages);
    if (ids === undefined) return;
    for (const message of messages) this.seen.push(this.appended(message));
    this.context.append(ids);
    this.maskLength += ids.length;
  }

  #keep(messages: readonly Message[]): void {
    for (const message of messages) {
      this.messages.push(message);
      this.byId.set(message.msgId, message);
      this.nextId = Math.max(this.nextId, message.msgId + 1);
      if (message.edited === true) this.edited += 1;
    }
  }
}

function gapsOf({ messages, dropped, cut }: AnsweredEvent, step: number, config: LoopConfig): Gap[] {
  const gaps: Gap[] = (cut ?? []).map(({ index, length }) => ({
    about: 'results',
    reason: `This result had ${length} characters; max_tool_response_length let ${config.max_tool_response_length} through.`,
    step,
    ...(messages[index] === undefined ? {} : { msgId: messages[index].msgId }),
  }));
  if (dropped !== undefined) {
    const most = config.max_parallel_calls;
    gaps.push({
      about: 'results',
      reason: `${dropped} of the ${most + dropped} calls of this turn were not run: max_parallel_calls is ${most}.`,
      step,
    });
  }
  return gaps;
}
