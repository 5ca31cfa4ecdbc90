import { errorText } from '../model/error-text';
import { pause } from './breathe';
import { streamChunks, type ByteSource, type Chunks } from './bytes';
import type { RemoteFile } from './protocol';
import type { Spool } from './spool';

/** A file behind a URL: asked for whole when it is read, and by range when an episode is read again. */

/** What a server said instead of the file. */
export class RemoteError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/**
 * Asks for the first byte, which tells more than `HEAD`: whether parts can be had at all, how large the whole is, and
 * whether it is there. A server that does not know ranges begins to send the whole, and is told to stop.
 */
export async function describeRemote(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<RemoteFile> {
  const response = await ask(url, { ...headers, Range: 'bytes=0-0' });
  if (!response.ok && response.status !== 416) throw await refused(response);
  await response.body?.cancel();
  const etag = response.headers.get('etag');
  const described = { url, headers, ...(etag === null ? {} : { etag }) };
  const range = contentRange(response);
  if (response.status === 206 && range?.total !== undefined) {
    return { ...described, size: range.total, ranges: true };
  }
  // An empty file has no first byte.
  if (response.status === 416 && range?.total === 0) return { ...described, size: 0, ranges: true };
  if (!response.ok) throw new RemoteError(response.status, `The server answered ${response.status}`);
  // The length of what was compressed on the way is not that of the file.
  const encoded = response.headers.has('content-encoding');
  const length = Number(response.headers.get('content-length') ?? '0');
  return { ...described, size: encoded || !Number.isSafeInteger(length) ? 0 : length, ranges: false };
}

export function isRemote(data: Blob | RemoteFile): data is RemoteFile {
  return 'url' in data;
}

/** What cannot be asked for in parts is kept in the spool as it comes. */
export function remoteBytes(file: RemoteFile, spool: () => Spool): ByteSource {
  return file.ranges ? new RangedFile(file) : new SpooledFile(file, spool());
}

/** Times that a broken connection is made again before reading gives up, if nothing comes in between. */
const attempts = 3;
const pauseMs = 300;

class RangedFile implements ByteSource {
  readonly size: number;
  private readonly file: RemoteFile;

  constructor(file: RemoteFile) {
    this.file = file;
    this.size = file.size;
  }

  chunks(signal?: AbortSignal): Chunks {
    return this.chunksFrom(0, signal);
  }

  from(start: number): ByteSource {
    return {
      size: this.size - start,
      chunks: (signal) => this.chunksFrom(start, signal),
      read: (from, to) => this.read(start + from, start + to),
    };
  }

  private async *chunksFrom(start: number, signal?: AbortSignal): Chunks {
    let at = start;
    for (let failures = 0; at < this.size;) {
      const before = at;
      try {
        for await (const chunk of this.connection(at, signal)) {
          at += chunk.length;
          yield chunk;
        }
        if (signal?.aborted === true) return;
        if (at < this.size) throw new Error('the connection was closed');
      } catch (error) {
        if (signal?.aborted === true) return;
        failures = at > before ? 1 : failures + 1;
        if (error instanceof RemoteError) throw error;
        if (failures >= attempts) throw brokenOff(error, at, this.size);
        await pause(pauseMs * failures);
      }
    }
  }

  /** No more than the file was when it was described: it may have grown since. */
  private async *connection(start: number, signal?: AbortSignal): Chunks {
    const response = await this.ranged(start, this.size, signal);
    let left = this.size - start;
    for await (const chunk of bodyOf(response, signal)) {
      yield chunk.subarray(0, left);
      left -= chunk.length;
      if (left <= 0) return;
    }
  }

  async read(start: number, end: number): Promise<Uint8Array> {
    const stop = Math.min(end, this.size);
    if (stop <= start) return new Uint8Array(0);
    for (let failures = 1; ; failures++) {
      try {
        const response = await this.ranged(start, stop);
        return new Uint8Array(await response.arrayBuffer()).subarray(0, stop - start);
      } catch (error) {
        if (error instanceof RemoteError) throw error;
        if (failures >= attempts) throw unreachable(this.file.url, error);
        await pause(pauseMs * failures);
      }
    }
  }

  private async ranged(start: number, end: number, signal?: AbortSignal): Promise<Response> {
    const { url, headers, etag, size } = this.file;
    const response = await fetch(url, {
      headers: { ...headers, Range: `bytes=${start}-${end - 1}` },
      ...(signal === undefined ? {} : { signal }),
    });
    const range = contentRange(response);
    const now = response.headers.get('etag');
    // A file that only grew has another tag, and what was read of it is still there.
    const grown = range?.total !== undefined && range.total > size;
    const same = etag === undefined || now === null || now === etag || grown;
    if (response.status === 206 && range?.start === start && same) return response;
    if (response.ok || response.status === 416) {
      await response.body?.cancel();
      throw new RemoteError(response.status, 'The file is another one than it was. Open it again');
    }
    throw await refused(response);
  }
}

/** Read once, as it comes; whoever wants a later part waits until it is there. */
class SpooledFile implements ByteSource {
  private readonly file: RemoteFile;
  private readonly spool: Spool;
  private coming: AsyncIterator<Uint8Array> | undefined;
  private ended = false;
  /** One after another, so that chunks are appended in order. */
  private queue: Promise<void> = Promise.resolve();
  private readonly stop = new AbortController();

  constructor(file: RemoteFile, spool: Spool) {
    this.file = file;
    this.spool = spool;
  }

  /** Where the server did not say, what has come so far. */
  get size(): number {
    return this.ended ? this.spool.length : Math.max(this.file.size, this.spool.length);
  }

  async *chunks(signal?: AbortSignal): Chunks {
    for (let at = 0; ;) {
      if (signal?.aborted === true) return;
      if (at >= this.spool.length) await this.more(at, signal);
      if (at >= this.spool.length) return;
      const chunk = await this.spool.read(at, Math.min(at + chunkBytes, this.spool.length));
      at += chunk.length;
      yield chunk;
    }
  }

  async read(start: number, end: number): Promise<Uint8Array> {
    while (!this.ended && this.spool.length < end) await this.more(this.spool.length);
    return this.spool.read(start, end);
  }

  async allHasCome(): Promise<void> {
    while (!this.ended) await this.more(this.spool.length);
  }

  /** Waits for bytes past an offset, or for the end. */
  private more(past: number, signal?: AbortSignal): Promise<void> {
    const next = this.queue.then(async () => {
      if (this.ended || this.spool.length > past || signal?.aborted === true) return;
      this.coming ??= this.body()[Symbol.asyncIterator]();
      const { done, value } = await this.coming.next();
      if (done === true) this.ended = true;
      else await this.spool.append(value);
    });
    this.queue = next.catch(() => undefined);
    return next;
  }

  private async *body(): Chunks {
    const response = await ask(this.file.url, this.file.headers, this.stop.signal);
    if (!response.ok) throw await refused(response);
    let came = 0;
    try {
      for await (const chunk of bodyOf(response, this.stop.signal)) {
        came += chunk.length;
        yield chunk;
      }
    } catch (error) {
      throw brokenOff(error, came, this.file.size);
    }
    if (came < this.file.size && !this.stop.signal.aborted)
      throw brokenOff(new Error('the connection was closed'), came, this.file.size);
  }

  async dispose(): Promise<void> {
    this.stop.abort();
    await this.spool.dispose();
  }
}

const chunkBytes = 1024 * 1024;

async function ask(
  url: string,
  headers: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<Response> {
  try {
    return await fetch(url, { headers, ...(signal === undefined ? {} : { signal }) });
  } catch (error) {
    throw unreachable(url, error);
  }
}

function bodyOf({ body }: Response, signal?: AbortSignal): Chunks {
  // A response without a body is one without bytes.
  return body === null ? streamChunks(new Blob([]).stream()) : streamChunks(body, signal);
}

/** `bytes 0-99/1234`, or of a range that is not there `bytes *` and `/1234`. */
function contentRange(response: Response): { start?: number; total?: number } | undefined {
  const match = /^bytes (?:(\d+)-\d+|\*)\/(\d+|\*)$/.exec(response.headers.get('content-range') ?? '');
  if (match === null) return undefined;
  const [, start, total] = match;
  return {
    ...(start === undefined ? {} : { start: Number(start) }),
    ...(total === undefined || total === '*' ? {} : { total: Number(total) }),
  };
}

/** The local server says in words what a status would only hint at. */
async function refused(response: Response): Promise<RemoteError> {
  const said = await response
    .json()
    .then((body: unknown) =>
      typeof body === 'object' && body !== null && 'error' in body ? body.error : undefined,
    )
    .catch(() => undefined);
  if (typeof said === 'string') return new RemoteError(response.status, said);
  return new RemoteError(
    response.status,
    `The server answered ${response.status} ${reason(response)}`.trim(),
  );
}

function reason({ status, statusText }: Response): string {
  const known: Readonly<Record<number, string>> = {
    401: '(it wants to know who you are)',
    403: '(it does not allow it)',
    404: '(there is no such file)',
    410: '(the file is gone)',
    416: '(the file is shorter now)',
  };
  return known[status] ?? statusText;
}

/** A browser does not tell a server that is down from one that it may not talk to. */
function unreachable(url: string, error: unknown): Error {
  return new Error(`${hostOf(url)} cannot be reached (${errorText(error)})`, { cause: error });
}

function brokenOff(error: unknown, at: number, size: number): Error {
  const of = size > 0 ? ` of ${size}` : '';
  return new Error(`the connection broke off after ${at}${of} bytes (${errorText(error)})`, { cause: error });
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
