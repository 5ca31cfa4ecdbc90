import { isObject, type JsonObject } from '../../model';
import { PolicyError, type Emission, type Policy, type PolicyRequest } from '../policy';
import { chatCompletions } from './openai-chat';
import { responses } from './openai-responses';
import { serverSentEvents } from './sse';
import { errorText, TurnDraft } from './turn-draft';

/** A model behind an endpoint that speaks one of OpenAI's dialects. */
export interface OpenAiOptions {
  /** `https://api.example.com/v1`; the path of a dialect may stand behind it. */
  readonly baseUrl: string;
  readonly model: string;
  /** Kept in memory alone: it is in no field of the policy, in no event and in no message of an error. */
  readonly apiKey?: string;
  readonly api?: 'chat' | 'responses';
  /** False: the whole turn at once. */
  readonly stream?: boolean;
  /** Further fields of the request: `temperature`, `max_tokens`. */
  readonly parameters?: JsonObject;
  /** The page gives one that goes through the local proxy. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** How long nothing may arrive. */
  readonly timeoutMs?: number;
  /** How often a request that brought nothing is made again. */
  readonly retries?: number;
  /** Waited before the first of these; twice as long before the next. */
  readonly backoffMs?: number;
}

/** How one of the two APIs is asked, and how its answers are read. */
export interface Dialect {
  readonly path: string;
  body(request: PolicyRequest, stream: boolean): object;
  /** Takes an event of the stream; gives the text it brought. */
  take(draft: TurnDraft, value: unknown): string;
  /** Takes the answer of a request that did not stream. */
  whole(draft: TurnDraft, value: unknown): void;
}

const dialects = { chat: chatCompletions, responses };

export function openAiPolicy(options: OpenAiOptions): Policy {
  const { model, retries = 2, backoffMs = 500 } = options;
  return {
    name: `openai:${model}`,
    emit: async (request) => {
      const failures: string[] = [];
      for (;;) {
        const attempt = new Attempt(options, request);
        try {
          const emission = await attempt.run();
          return failures.length === 0 ? emission : { ...emission, retries: failures };
        } catch (error) {
          const message = withoutKey(messageOf(error), options.apiKey);
          const mayTryAgain = error instanceof Unanswered && failures.length < retries;
          if (request.signal.aborted || !mayTryAgain) {
            throw new PolicyError(message, attempt.partial(failures));
          }
          failures.push(`Try ${failures.length + 1} failed: ${message}`);
          const wait = error.waitMs ?? backoffMs * 2 ** (failures.length - 1);
          await pause(Math.min(wait, 30_000), request.signal);
        }
      }
    },
  };
}

/** Nothing came of a request: asking again does no harm. */
class Unanswered extends Error {
  readonly waitMs: number | undefined;

  constructor(message: string, waitMs?: number) {
    super(message);
    this.waitMs = waitMs;
  }
}

class Attempt {
  readonly #options: OpenAiOptions;
  readonly #request: PolicyRequest;
  readonly #draft = new TurnDraft();

  constructor(options: OpenAiOptions, request: PolicyRequest) {
    this.#options = options;
    this.#request = request;
  }

  /** What had arrived when it broke off. */
  partial(retries: readonly string[]): Emission | undefined {
    if (this.#draft.isEmpty) return undefined;
    // Ids and log-probabilities of half a turn may not fit what was read of it.
    const { tokenIds: _, logprobs: __, ...emission } = this.#draft.emission();
    return retries.length === 0 ? emission : { ...emission, retries };
  }

  async run(): Promise<Emission> {
    const { timeoutMs = 120_000 } = this.#options;
    const ended = new AbortController();
    const stop = (): void => ended.abort(new Error('The run was stopped.'));
    const { signal } = this.#request;
    if (signal.aborted) throw new Error('The run was stopped.');
    signal.addEventListener('abort', stop, { once: true });
    let timer: ReturnType<typeof setTimeout> | undefined;
    const alive = (): void => {
      clearTimeout(timer);
      const seconds = timeoutMs / 1000;
      timer = setTimeout(() => ended.abort(new Error(`Nothing arrived for ${seconds} s.`)), timeoutMs);
    };
    alive();
    try {
      const response = await this.#send(ended.signal);
      alive();
      await this.#read(response, alive, ended.signal);
      return this.#draft.emission();
    } catch (error) {
      // What `fetch` says about an abort is not why.
      if (!ended.signal.aborted) throw error;
      const reason = messageOf(ended.signal.reason);
      throw this.#draft.isEmpty && !signal.aborted ? new Unanswered(reason) : new Error(reason);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    }
  }

  async #send(signal: AbortSignal): Promise<Response> {
    const {
      model,
      apiKey = '',
      parameters,
      stream = true,
      fetch = globalThis.fetch.bind(globalThis),
    } = this.#options;
    if (/[^\x21-\x7e]/.test(apiKey)) throw new Error('The key has characters that no key can have.');
    const { url, dialect } = endpointOf(this.#options);
    const body = JSON.stringify({ model, ...dialect.body(this.#request, stream), ...parameters });
    let response: Response;
    try {
      response = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: stream ? 'text/event-stream, application/json' : 'application/json',
          ...(apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` }),
        },
        body,
        signal,
      });
    } catch (error) {
      throw new Unanswered(`The endpoint could not be reached: ${messageOf(error)}`);
    }
    if (response.ok) return response;
    const said = (await response.text().catch(() => '')).slice(0, 2_000);
    const message = `The endpoint answered ${response.status}: ${errorText(parsed(said)) ?? (said || 'nothing')}`;
    if (!mayPass.has(response.status)) throw new Error(message);
    const after = Number(response.headers.get('retry-after') ?? NaN);
    throw new Unanswered(message, Number.isFinite(after) ? after * 1000 : undefined);
  }

  async #read(response: Response, alive: () => void, signal: AbortSignal): Promise<void> {
    const { dialect } = endpointOf(this.#options);
    const draft = this.#draft;
    if (response.body === null || !isStream(response)) {
      const value = parsed(await response.text());
      const error = errorText(value);
      if (error !== undefined) throw new Error(`The endpoint reports: ${error}`);
      if (!isObject(value)) throw new Error('The endpoint did not answer with JSON.');
      dialect.whole(draft, value);
      if (draft.text !== '') this.#request.onDelta?.(draft.text);
      return;
    }
    for await (const { data } of serverSentEvents(chunksOf(response.body, alive, signal))) {
      if (data === '[DONE]') return;
      const value = parsed(data);
      if (value === undefined) throw new Error('The stream has an event that is not JSON.');
      const error = errorText(value) ?? errorText(isObject(value) ? value['response'] : undefined);
      if (error !== undefined) throw new Error(`The endpoint reports: ${error}`);
      const text = dialect.take(draft, value);
      if (text !== '') this.#request.onDelta?.(text);
    }
    if (draft.finish !== undefined) return;
    const message = 'The stream ended in the middle of the turn.';
    throw draft.isEmpty ? new Unanswered(message) : new Error(message);
  }
}

/** Too many at once, or a server that is not itself right now. */
const mayPass: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);

function endpointOf({ baseUrl, api }: OpenAiOptions): { url: string; dialect: Dialect } {
  const base = baseUrl.replace(/\/+$/, '');
  const named = Object.values(dialects).find(({ path }) => base.endsWith(path));
  if (named !== undefined) return { url: base, dialect: named };
  const dialect = dialects[api ?? 'chat'];
  return { url: base + dialect.path, dialect };
}

function isStream({ headers }: Response): boolean {
  return !(headers.get('content-type') ?? '').includes('application/json');
}

/** The pieces of a body as they arrive. Not every browser can iterate over one. */
async function* chunksOf(
  body: ReadableStream<Uint8Array>,
  alive: () => void,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  // A body that was made by hand does not know the signal of its request.
  const stop = (): void => void reader.cancel(signal.reason).catch(() => {});
  signal.addEventListener('abort', stop, { once: true });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (signal.aborted) throw signal.reason;
      if (done) return;
      alive();
      yield value;
    }
  } finally {
    signal.removeEventListener('abort', stop);
    // After the last event the rest is of no interest.
    await reader.cancel().catch(() => {});
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // `fetch failed` says nothing; its cause does.
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

function withoutKey(text: string, key: string | undefined): string {
  return key === undefined || key === '' ? text : text.replaceAll(key, '[key]');
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(finish, ms);
    signal.addEventListener('abort', finish, { once: true });
    function finish(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', finish);
      done();
    }
  });
}
