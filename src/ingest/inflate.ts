import { Gunzip } from 'fflate';
import { Decompress } from 'fzstd';
import { chunkStream, concat, streamChunks, type Chunks } from './bytes';

export class InflateError extends Error {
  constructor(container: string, cause: unknown) {
    const detail = cause instanceof Error && cause.message !== '' ? ` (${cause.message})` : '';
    super(`The ${container} data is damaged or cut off${detail}`, { cause });
  }
}

export class BombError extends Error {}

/** Where decompressing ends, so that a small file cannot fill the disk. */
export interface InflateLimits {
  /** Bytes out per byte in, once more than `ratioFrom` bytes came out. */
  ratio: number;
  ratioFrom: number;
  /** Bytes out in all. */
  total: number;
}

// Rollouts that repeat their prompts shrink 30 to 100 times; deflate cannot do more than 1032.
export const defaultLimits: InflateLimits = { ratio: 400, ratioFrom: 256e6, total: 256e9 };

/** Counts what goes in and what comes out of a decompressor, and ends it where that is a bomb. */
export class Gauge {
  private in = 0;
  private out = 0;
  private readonly limits: InflateLimits;

  constructor(limits = defaultLimits) {
    this.limits = limits;
  }

  async *input(chunks: Chunks): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      this.in += chunk.length;
      yield chunk;
    }
  }

  /** `from`: the bytes that all of it came from. */
  check(chunk: Uint8Array, from = this.in): void {
    this.out += chunk.length;
    const { ratio, ratioFrom, total } = this.limits;
    if (this.out > total || (this.out > ratioFrom && this.out > from * ratio)) {
      throw new BombError(
        `It unpacks to more than ${Math.floor(this.out / 1e6)} MB from ${(from / 1e6).toFixed(1)} MB`,
      );
    }
  }
}

export async function* unzstd(chunks: Chunks, limits = defaultLimits): AsyncGenerator<Uint8Array> {
  const gauge = new Gauge(limits);
  let out: Uint8Array[] = [];
  const decompressor = new Decompress((chunk) => out.push(chunk));
  function* taken(): Generator<Uint8Array> {
    const ready = out;
    out = [];
    for (const chunk of ready) {
      gauge.check(chunk);
      yield chunk;
    }
  }
  for await (const chunk of gauge.input(chunks)) {
    // In small pieces: all that comes out of one is in memory together. It holds on to what it could not use yet.
    for (let at = 0; at < chunk.length; at += pieceBytes) {
      const failure = attempt(() => decompressor.push(chunk.slice(at, at + pieceBytes)));
      yield* taken();
      if (failure !== undefined) throw new InflateError('zstd', failure.error);
    }
  }
  const failure = attempt(() => decompressor.push(new Uint8Array(0), true));
  yield* taken();
  if (failure !== undefined) throw new InflateError('zstd', failure.error);
}

const pieceBytes = 64 * 1024;

function attempt(action: () => unknown): { error: unknown } | undefined {
  try {
    action();
    return undefined;
  } catch (error) {
    return { error };
  }
}

/** `deflate-raw` is what zip archives hold. */
export async function* inflate(
  format: 'deflate-raw' | 'gzip',
  chunks: Chunks,
  limits = defaultLimits,
): AsyncGenerator<Uint8Array> {
  const gauge = new Gauge(limits);
  const input = chunkStream(gauge.input(chunks));
  const output = streamChunks(input.pipeThrough(new DecompressionStream(format)));
  let gathered: Uint8Array[] = [];
  let length = 0;
  let failure: { error: unknown } | undefined;
  for (let ended = false; !ended;) {
    try {
      const { done, value } = await output.next();
      ended = done === true;
      if (value !== undefined) {
        gauge.check(value);
        gathered.push(value);
        length += value.length;
      }
    } catch (error) {
      failure = { error };
      ended = true;
    }
    if (length < gatheredBytes && !ended) continue;
    if (length > 0) yield concat(gathered);
    gathered = [];
    length = 0;
  }
  if (failure === undefined) return;
  const { error } = failure;
  throw error instanceof BombError ? error : new InflateError(format === 'gzip' ? 'gzip' : 'zip', error);
}

/** What comes out is little at a time. Writing it down and cutting it into records takes longer the less it is. */
const gatheredBytes = 512 * 1024;

/**
 * The platform's decompressor is fast, but a browser's stops after the first of several gzip members (`cat a.gz
 * b.gz`). Where it fails, one in plain JavaScript goes over the bytes again, if they can be had again, and continues
 * from there.
 */
export async function* gunzip(
  chunks: Chunks,
  again: (() => Chunks) | undefined,
  limits = defaultLimits,
): AsyncGenerator<Uint8Array> {
  let done = 0;
  let failure: InflateError;
  try {
    for await (const chunk of inflate('gzip', chunks, limits)) {
      done += chunk.length;
      yield chunk;
    }
    return;
  } catch (error) {
    if (!(error instanceof InflateError) || again === undefined) throw error;
    failure = error;
  }
  let skip = done;
  let members = 1;
  for await (const chunk of gunzipMembers(again(), limits, () => (members += 1))) {
    const fresh = chunk.subarray(Math.min(skip, chunk.length));
    skip -= chunk.length - fresh.length;
    if (fresh.length > 0) yield fresh;
  }
  // It was no second member that the platform's stopped at, but a checksum, which the other does not look at.
  if (members === 1) throw failure;
}

async function* gunzipMembers(
  chunks: Chunks,
  limits: InflateLimits,
  nextMember: () => void,
): AsyncGenerator<Uint8Array> {
  const gauge = new Gauge(limits);
  let out: Uint8Array[] = [];
  const decompressor = new Gunzip((chunk) => out.push(chunk));
  decompressor.onmember = nextMember;
  let last: Uint8Array = new Uint8Array(0);
  for await (const chunk of gauge.input(chunks)) {
    const failure = attempt(() => decompressor.push(last));
    last = chunk.slice();
    yield* taken();
    if (failure !== undefined) throw new InflateError('gzip', failure.error);
  }
  const failure = attempt(() => decompressor.push(last, true));
  yield* taken();
  if (failure !== undefined) throw new InflateError('gzip', failure.error);

  function* taken(): Generator<Uint8Array> {
    const ready = out;
    out = [];
    for (const chunk of ready) {
      gauge.check(chunk);
      yield chunk;
    }
  }
}
