import {
  arrayAt,
  at,
  numberAt,
  stringAt,
  type ContextEdit,
  type JsonObject,
  type Message,
  type Step,
} from '../../model';
import { turnsOfMessage, type Turn } from '../chat/turns';
import { isSidechain, messageOf, type Line } from './lines';

export interface SessionHistory {
  messages: Message[];
  steps: Step[];
  edits: ContextEdit[];
  /** Calls that the file does not mark by an id of the provider. */
  unmarked: number;
}

/** What a cleared result is replaced by. */
const clearedStub = '[Old tool result content cleared]';

/**
 * The conversation behind the lines of a session. `uuid` and `parentUuid` make a tree of them: the main conversation,
 * subagents' (`isSidechain`), and what was tried again from an earlier point. A call of the model is written over several
 * lines with the same `message.id`, one for each block.
 */
export function historyOfLines(lines: readonly Line[]): SessionHistory {
  const builder = new SessionBuilder();
  for (const line of lines) builder.add(line);
  const { messages, steps, edits, unmarked } = builder;
  return { messages, steps, edits, unmarked };
}

/** One conversation: the main one, or a subagent's. */
interface Chain {
  last?: Message;
  /** Since the last call of the model, itself included: whatever follows one of these goes on from here. */
  tail: Set<number>;
  /** In the context, as far as no compaction took them. */
  live: number[];
  isOpen: boolean;
  /** The last one, as long as no message has come that sums up what it took. */
  compaction?: ContextEdit;
}

class SessionBuilder {
  readonly messages: Message[] = [];
  readonly steps: Step[] = [];
  readonly edits: ContextEdit[] = [];
  unmarked = 0;
  readonly #main = newChain();
  readonly #chains = new Map<number, Chain>();
  /** The message that a line, or one it stands behind, was part of. */
  readonly #byUuid = new Map<string, Message | undefined>();
  readonly #calls = new Map<string, Message>();
  readonly #results = new Map<string, Message>();

  add(line: Line): void {
    const { value } = line;
    const uuid = stringAt(value, 'uuid');
    const parent = this.#parentOf(value);
    const message = messageOf(line);
    const made = message === undefined ? this.#note(line, parent) : this.#say(line, message, parent);
    if (uuid !== undefined) this.#byUuid.set(uuid, made);
  }

  #parentOf(value: JsonObject): Message | undefined {
    const uuid = stringAt(value, 'parentUuid') ?? stringAt(value, 'logicalParentUuid');
    return uuid === undefined ? undefined : this.#byUuid.get(uuid);
  }

  /** A line without a message: some of them say what was done to the context. */
  #note(line: Line, parent: Message | undefined): Message | undefined {
    const { value } = line;
    const subtype = stringAt(value, 'subtype');
    const chain = this.#chainOf(line, parent);
    if (subtype === 'compact_boundary' && chain !== undefined)
      this.#compact(chain, at(value, 'compactMetadata'));
    if (subtype === 'microcompact_boundary') this.#clear(at(value, 'microcompactMetadata'));
    return parent;
  }

  #compact(chain: Chain, metadata: unknown): void {
    const { live } = chain;
    const tokensBefore = numberAt(metadata, 'preTokens');
    const tokensAfter = numberAt(metadata, 'postTokens');
    if (live.length === 0 || this.steps.length === 0) return;
    chain.compaction = {
      step: this.steps.length - 1,
      kind: 'compact',
      msgIds: live,
      ...(tokensBefore === undefined ? {} : { tokensBefore }),
      ...(tokensAfter === undefined ? {} : { tokensAfter }),
    };
    this.edits.push(chain.compaction);
    chain.live = [];
  }

  #clear(metadata: unknown): void {
    const msgIds = (arrayAt(metadata, 'compactedToolIds') ?? []).flatMap((id) =>
      typeof id === 'string' ? (this.#results.get(id)?.msgId ?? []) : [],
    );
    const tokensBefore = numberAt(metadata, 'preTokens');
    const saved = numberAt(metadata, 'tokensSaved');
    if (msgIds.length === 0 || this.steps.length === 0) return;
    this.edits.push({
      step: this.steps.length - 1,
      kind: 'delete',
      msgIds: [...new Set(msgIds)],
      stub: clearedStub,
      ...(tokensBefore === undefined ? {} : { tokensBefore }),
      ...(tokensBefore === undefined || saved === undefined ? {} : { tokensAfter: tokensBefore - saved }),
    });
  }

  #say(line: Line, message: JsonObject, parent: Message | undefined): Message | undefined {
    const { value, raw } = line;
    const id = stringAt(message, 'id');
    const isPolicy = at(value, 'type') === 'assistant' && stringAt(message, 'model') !== '<synthetic>';
    const known = isPolicy && id !== undefined ? this.#calls.get(id) : undefined;
    const role = isPolicy ? 'assistant' : (stringAt(message, 'role') ?? 'user');
    const turns = turnsOfMessage({ ...message, role }, `${raw}/message`);
    if (known !== undefined) {
      for (const { parts } of turns) for (const part of parts) known.parts.push(part);
      known.raw.push(`${raw}/message`);
      return known;
    }

    const chain = this.#chainOf(line, parent) ?? newChain();
    const isSummary = at(value, 'isCompactSummary') === true;
    if (isSummary && chain.compaction === undefined) this.#compact(chain, undefined);
    const isBranch = this.#isBranch(chain, parent);
    if (isBranch) chain.tail = new Set();
    let before = isBranch ? parent : chain.last;
    let isStarted = false;
    for (const turn of turns) {
      const isEmitted = isPolicy && turn.role === 'assistant';
      if (isEmitted && !isStarted) this.#startStep(chain, id);
      isStarted ||= isEmitted;
      before = this.#push(turn, isEmitted, before, chain);
      if (isEmitted && id !== undefined) this.#calls.set(id, before);
    }
    if (isSummary && chain.compaction !== undefined && before !== undefined) {
      chain.compaction.summary = before.msgId;
      delete chain.compaction;
    }
    return before;
  }

  /** Whether a line goes on from an earlier point of its own conversation, and not from where that is now. */
  #isBranch(chain: Chain, parent: Message | undefined): boolean {
    if (parent === undefined || chain.last === undefined || chain.tail.has(parent.msgId)) return false;
    return this.#chains.get(parent.msgId) === chain;
  }

  /** The provider's id marks a call; without one, a call starts where someone else had the word. */
  #startStep(chain: Chain, id: string | undefined): void {
    if (id === undefined) this.unmarked += 1;
    if (id === undefined && chain.isOpen) return;
    this.steps.push({ index: this.steps.length });
    chain.tail = new Set();
  }

  #push(turn: Turn, isPolicy: boolean, before: Message | undefined, chain: Chain): Message {
    const { raw, ...entry } = turn;
    const msgId = this.messages.length;
    const last = this.messages.at(-1);
    const isFirst = last === undefined;
    const origin = isPolicy
      ? 'policy'
      : this.steps.length === 0 || before === undefined
        ? 'prompt'
        : 'environment';
    const message: Message = {
      msgId,
      ...entry,
      origin,
      bornAtStep: this.steps.length - 1,
      ...(before === last || (isFirst && before === undefined) ? {} : { follows: before?.msgId ?? null }),
      raw: [raw],
    };
    this.messages.push(message);
    for (const callId of message.toolResultFor ?? []) this.#results.set(callId, message);
    this.#chains.set(msgId, chain);
    chain.last = message;
    chain.tail.add(msgId);
    chain.live.push(msgId);
    chain.isOpen = isPolicy;
    return message;
  }

  /** A subagent's conversation starts with a line that follows nothing, and goes on from its own lines. */
  #chainOf(line: Line, parent: Message | undefined): Chain | undefined {
    if (!isSidechain(line)) return this.#main;
    const known = parent === undefined ? undefined : this.#chains.get(parent.msgId);
    return known === this.#main ? undefined : known;
  }
}

function newChain(): Chain {
  return { tail: new Set(), live: [], isOpen: false };
}
