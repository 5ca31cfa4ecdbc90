import type { TokenizerWork, WorkReply } from './protocol';

interface Waiting {
  answered: (event: MessageEvent) => void;
  refused: (error: Error) => void;
}

let worker: Worker | undefined;
let calls = 0;
const waiting = new Map<number, Waiting>();

/** The worker is started when something is first to be counted. */
function started(): Worker {
  if (worker !== undefined) return worker;
  const made = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'tokenizers' });
  made.addEventListener('message', (event: MessageEvent<WorkReply>) => {
    const waiter = waiting.get(event.data.id);
    waiting.delete(event.data.id);
    if ('error' in event.data) waiter?.refused(new Error(event.data.error));
    else waiter?.answered(event);
  });
  made.addEventListener('error', () => {
    // The next call starts another one.
    worker = undefined;
    for (const { refused } of waiting.values()) refused(new Error('The tokenizer broke down.'));
    waiting.clear();
  });
  worker = made;
  return made;
}

/** Asks the worker: `await ask('count', { kind: 'bundled' }, ['hello'])` is `[1]`. */
export function ask<M extends keyof TokenizerWork>(
  method: M,
  ...args: Parameters<TokenizerWork[M]>
): Promise<ReturnType<TokenizerWork[M]>> {
  return new Promise((resolve, reject) => {
    const id = ++calls;
    // A worker, not a window.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    started().postMessage({ id, method, args });
    // The value is what the method of this name returned on the other side.
    waiting.set(id, { answered: ({ data }) => resolve(data.value), refused: reject });
  });
}
