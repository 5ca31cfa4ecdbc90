import { arrayAt, at, isObject, stringAt, type JsonObject } from '../../model';

/** A message as it was last written, and where. */
export interface Entry {
  value: JsonObject;
  raw: string;
}

/** What a session file tells, in order. */
export type Happening =
  | { kind: 'message'; id: string }
  /** The conversation goes on from before this message. */
  | { kind: 'rewind'; to: string }
  /** The context is now these messages: it was compressed, or restored. */
  | { kind: 'replace'; ids: string[] };

export interface SessionLog {
  about: JsonObject;
  entries: Map<string, Entry>;
  happenings: Happening[];
}

/**
 * A session is one object with all messages, or, in newer versions, a log: a line about the session, then a line per message,
 * written again whenever it changed, and lines that say what happened to the list.
 *
 *     {"sessionId":"…","projectHash":"…","startTime":"…"}
 *     {"id":"m1","type":"user","content":"Hi"}
 *     {"$set":{"messages":[…]}}
 *     {"$rewindTo":"m1"}
 */
export function logOf(values: readonly unknown[]): SessionLog {
  const log: SessionLog = { about: {}, entries: new Map(), happenings: [] };
  values.forEach((value, index) => {
    if (!isObject(value)) return;
    const base = `/${index}`;
    const target = stringAt(value, '$rewindTo');
    const patch = at(value, '$set');
    if (target !== undefined) log.happenings.push({ kind: 'rewind', to: target });
    else if (isObject(patch)) take(patch, `${base}/$set`);
    else if (isMessage(value)) put(value, base);
    else take(value, base);
  });
  return log;

  function put(value: JsonObject, raw: string): string {
    const id = stringAt(value, 'id') ?? raw;
    if (!log.entries.has(id)) log.happenings.push({ kind: 'message', id });
    log.entries.set(id, { value, raw });
    return id;
  }

  /** About the session, with its messages or without. */
  function take(value: JsonObject, base: string): void {
    log.about = { ...log.about, ...value };
    const messages = arrayAt(value, 'messages');
    if (messages === undefined) return;
    const isFirst = log.entries.size === 0;
    const ids = messages.flatMap((message, index) =>
      isObject(message) ? [put(message, `${base}/messages/${index}`)] : [],
    );
    if (!isFirst) log.happenings.push({ kind: 'replace', ids });
  }
}

const types = new Set(['user', 'gemini', 'info', 'error', 'warning', 'system']);

export function isMessage(value: unknown): boolean {
  return (
    types.has(stringAt(value, 'type') ?? '') &&
    stringAt(value, 'id') !== undefined &&
    at(value, 'content') !== undefined &&
    stringAt(value, 'timestamp') !== undefined
  );
}
