import type { Episode, Message, ToolCall } from './episode';

/** A call and the message that made it. */
export interface Called {
  call: ToolCall;
  message: Message;
}

export interface Answers {
  /** The results of a call, usually one. */
  resultsOf: ReadonlyMap<ToolCall, readonly Message[]>;
  /** The calls a tool message answers, in the order it names them; `undefined` where no call has the id. */
  answeredBy: ReadonlyMap<Message, readonly (Called | undefined)[]>;
}

const known = new WeakMap<Episode, Answers>();

/**
 * Which result answers which call. Ids can repeat within an episode: then a result belongs to the nearest call
 * before it that has none yet. `call a, result a, call a, result a` are two pairs.
 */
export function answersIn(episode: Episode): Answers {
  const found = known.get(episode) ?? pair(episode);
  known.set(episode, found);
  return found;
}

function pair({ messages }: Episode): Answers {
  const resultsOf = new Map<ToolCall, Message[]>();
  const answeredBy = new Map<Message, (Called | undefined)[]>();
  const made = new Map<string, Called[]>();
  const early: { message: Message; nth: number; callId: string }[] = [];
  for (const message of messages) {
    for (const part of message.parts) {
      if (part.kind !== 'call') continue;
      const sameId = made.get(part.call.callId);
      const called = { call: part.call, message };
      if (sameId === undefined) made.set(part.call.callId, [called]);
      else sameId.push(called);
    }
    if (message.toolResultFor === undefined) continue;
    const answered = message.toolResultFor.map((callId, nth) => {
      const before = made.get(callId) ?? [];
      const called = before.findLast(({ call }) => !resultsOf.has(call)) ?? before.at(-1);
      if (called === undefined) early.push({ message, nth, callId });
      else answer(called, message);
      return called;
    });
    answeredBy.set(message, answered);
  }
  // A result that stands before its call still belongs to it.
  for (const { message, nth, callId } of early) {
    const called = made.get(callId)?.[0];
    if (called === undefined) continue;
    answer(called, message);
    answeredBy.get(message)?.splice(nth, 1, called);
  }
  return { resultsOf, answeredBy };

  function answer({ call }: Called, message: Message): void {
    const results = resultsOf.get(call);
    if (results === undefined) resultsOf.set(call, [message]);
    else results.push(message);
  }
}
