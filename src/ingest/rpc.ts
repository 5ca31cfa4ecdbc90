import { errorText } from '../model/error-text';
import { newsReader, newsTeller } from './found';
import type { Ingest } from './protocol';

/** What goes over the wire between `client.ts` and `worker.ts`. */

/** Callbacks stay with the client: what they are called with comes back under the request's id. */
type Args = {
  [M in keyof Ingest]: Parameters<Ingest[M]> extends [...infer Rest, (event: never) => void]
    ? Rest
    : Parameters<Ingest[M]>;
};

export type Request = { [M in keyof Ingest]: { id: number; method: M; args: Args[M] } }[keyof Ingest];

export type Reply =
  | { id: number; kind: 'value'; value: unknown }
  | { id: number; kind: 'error'; message: string }
  | { id: number; kind: 'event'; event: unknown };

/** As much of a worker, or of a worker's inside, as is needed here. */
export interface Port {
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listener: (event: MessageEvent) => void): void;
}

export function serve(ingest: Ingest, port: Port): void {
  port.addEventListener('message', (event) => {
    // Only `connect` posts here.
    const request: Request = event.data;
    void answer(ingest, request, port);
  });
}

async function answer(ingest: Ingest, request: Request, port: Port): Promise<void> {
  const { id } = request;
  try {
    const value = await dispatch(ingest, request, (event) => post({ id, kind: 'event', event }));
    post({ id, kind: 'value', value });
  } catch (error) {
    post({ id, kind: 'error', message: errorText(error) });
  }

  function post(reply: Reply): void {
    port.postMessage(reply);
  }
}

function dispatch(ingest: Ingest, request: Request, onEvent: (event: unknown) => void): Promise<unknown> {
  switch (request.method) {
    case 'open':
      return ingest.open(...request.args, onEvent);
    case 'extend':
      return ingest.extend(...request.args, onEvent);
    case 'cancel':
      return ingest.cancel(...request.args);
    case 'close':
      return ingest.close(...request.args);
    case 'columns':
      return ingest.columns(...request.args);
    case 'rows':
      return ingest.rows(...request.args);
    case 'position':
      return ingest.position(...request.args);
    case 'problems':
      return ingest.problems(...request.args);
    case 'episode':
      return ingest.episode(...request.args);
    case 'findings':
      return ingest.findings(...request.args);
    case 'raw':
      return ingest.raw(...request.args);
    case 'partners':
      return ingest.partners(...request.args);
    case 'checkFilter':
      return ingest.checkFilter(...request.args);
    case 'completeFilter':
      return ingest.completeFilter(...request.args);
    case 'facet':
      return ingest.facet(...request.args);
    case 'groups':
      return ingest.groups(...request.args);
    case 'search': {
      const newsOf = newsTeller();
      return ingest.search(...request.args, (state) => onEvent(newsOf(state)));
    }
    case 'cancelSearch':
      return ingest.cancelSearch(...request.args);
    case 'results':
      return ingest.results(...request.args);
    case 'resultsByGroup':
      return ingest.resultsByGroup(...request.args);
    case 'lint':
      return ingest.lint(...request.args, onEvent);
    case 'cancelLint':
      return ingest.cancelLint(...request.args);
    case 'makeWay':
      return ingest.makeWay(...request.args);
  }
}

/** A worker as its owner sees it. */
export interface WorkerPort extends Port {
  addEventListener(type: 'message', listener: (event: MessageEvent) => void): void;
  addEventListener(type: 'error' | 'messageerror', listener: (event: Event) => void): void;
}

interface Waiting {
  answered: (event: MessageEvent) => void;
  refused: (error: Error) => void;
  happened?: (event: MessageEvent) => void;
}

/** The ingest behind a worker. Once the worker has broken down every call is refused, also those on their way. */
export function connect(port: WorkerPort): Ingest {
  const waiting = new Map<number, Waiting>();
  let calls = 0;
  let broken: Error | undefined;

  function breakDown(event: Event): void {
    const detail = 'message' in event && typeof event.message === 'string' ? ` (${event.message})` : '';
    broken = new Error(`The reader broke down${detail}. Reload the page and open the files again.`);
    for (const { refused } of waiting.values()) refused(broken);
    waiting.clear();
  }

  port.addEventListener('error', breakDown);
  port.addEventListener('messageerror', breakDown);
  port.addEventListener('message', (event) => {
    // Only `serve` answers here.
    const reply: Reply = event.data;
    const waiter = waiting.get(reply.id);
    if (waiter === undefined) return;
    if (reply.kind === 'event') {
      waiter.happened?.(event);
      return;
    }
    waiting.delete(reply.id);
    if (reply.kind === 'error') waiter.refused(new Error(reply.message));
    else waiter.answered(event);
  });

  function call<M extends keyof Ingest>(
    method: M,
    args: Args[M],
    happened?: (event: MessageEvent) => void,
  ): Promise<Awaited<ReturnType<Ingest[M]>>> {
    return new Promise((resolve, reject) => {
      if (broken !== undefined) {
        reject(broken);
        return;
      }
      const id = ++calls;
      // Throws, and so rejects, where something cannot be sent.
      port.postMessage({ id, method, args });
      waiting.set(id, {
        // The value is what the method of this name returned on the other side.
        answered: (event) => resolve(event.data.value),
        refused: reject,
        ...(happened === undefined ? {} : { happened }),
      });
    });
  }

  return {
    // What an event holds is what the other side called back with.
    open: (input, onState) => call('open', [input], ({ data }) => onState(data.event)),
    extend: (source, data, onState) => call('extend', [source, data], ({ data }) => onState(data.event)),
    cancel: (source) => call('cancel', [source]),
    close: (source) => call('close', [source]),
    columns: (sources) => call('columns', [sources]),
    rows: (query, start, end) => call('rows', [query, start, end]),
    position: (query, ref) => call('position', [query, ref]),
    problems: (source) => call('problems', [source]),
    episode: (ref) => call('episode', [ref]),
    findings: (ref) => call('findings', [ref]),
    raw: (ref) => call('raw', [ref]),
    partners: (ref) => call('partners', [ref]),
    checkFilter: (sources, filter) => call('checkFilter', [sources, filter]),
    completeFilter: (sources, filter, cursor) => call('completeFilter', [sources, filter, cursor]),
    facet: (query, column) => call('facet', [query, column]),
    groups: (query, start, end) => call('groups', [query, start, end]),
    search: (input, onState) => {
      const stateOf = newsReader();
      return call('search', [input], ({ data }) => onState(stateOf(data.event)));
    },
    cancelSearch: (id) => call('cancelSearch', [id]),
    results: (...asked) => call('results', asked),
    resultsByGroup: (...asked) => call('resultsByGroup', asked),
    lint: (sources, onState) => call('lint', [sources], ({ data }) => onState(data.event)),
    cancelLint: () => call('cancelLint', []),
    makeWay: () => call('makeWay', []),
  };
}
