import { decode, peek, sliceBytes, type ByteSource, type Chunks } from './bytes';
import { BombError, Gauge, gunzip, inflate, InflateError, unzstd, type InflateLimits } from './inflate';
import type { Failure } from './protocol';
import { sniff, sniffedBytes, type Container } from './sniff';
import { TarError, tarFiles } from './tar';
import { windowed, zipData, zipEntries, ZipError, type ZipEntry } from './zip';

/** One text of a source: the file itself, or a file inside the container it is. */
export interface Part {
  /** Within its container: `samples/1.json`. */
  path?: string;
  /** From the outside in: `['gzip', 'tar']`. */
  containers: readonly Container[];
  chunks: Chunks;
  /** Where the same bytes can be read again by range. What was decompressed cannot. */
  bytes?: ByteSource;
  /** One of several whose failure does not concern the others. */
  apart: boolean;
}

export type FoundPart = Part | (Omit<Part, 'chunks' | 'bytes'> & { failure: Failure });

/** A container in a container in a container is enough. */
const maxNesting = 3;

/** The texts of a source, each to be read before the next is asked for. Containers are known by their bytes. */
export async function* partsOf(
  bytes: ByteSource,
  options: { signal?: AbortSignal | undefined; limits?: InflateLimits | undefined } = {},
): AsyncGenerator<FoundPart> {
  const { signal, limits } = options;
  const gauge = new Gauge(limits);
  yield* inside({ containers: [], chunks: bytes.chunks(signal), bytes, apart: false });

  /** All that comes out counts together: the entries of a small archive may all be the same data. */
  async function* gauged(chunks: Chunks): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      gauge.check(chunk, bytes.size);
      yield chunk;
    }
  }

  async function* inside(part: Part): AsyncGenerator<FoundPart> {
    // Where one entry was too much, no other is looked at.
    gauge.check(new Uint8Array(0), bytes.size);
    const { head, chunks } = await peek(part.chunks, sniffedBytes);
    const sniffed = sniff(head);
    const { chunks: _read, bytes: again, ...rest } = part;
    if (sniffed.kind === 'text') {
      // An archive may hold a README as well. A file that is opened by itself is taken at its word.
      if (part.apart && !/^[\s\uFEFF]*[[{]/.test(decode(head))) yield { ...rest, failure: notJson };
      else yield { ...part, chunks: part.containers.length === 0 ? chunks : gauged(chunks) };
      return;
    }
    if (sniffed.kind === 'unreadable') {
      yield { ...rest, failure: sniffed.failure };
      return;
    }
    const { container } = sniffed;
    const containers = [...part.containers, container];
    if (containers.length > maxNesting) {
      yield { ...rest, failure: tooDeep };
      return;
    }
    switch (container) {
      case 'gzip': {
        const fromStart = again === undefined ? undefined : (): Chunks => again.chunks(signal);
        yield* inside({ ...rest, containers, chunks: gunzip(chunks, fromStart, limits) });
        return;
      }
      case 'zstd':
        yield* inside({ ...rest, containers, chunks: unzstd(chunks, limits) });
        return;
      case 'tar':
        for await (const file of tarFiles(chunks)) {
          yield* inside({ path: pathIn(part, file.path), containers, chunks: file.chunks, apart: true });
        }
        return;
      case 'zip':
        if (again === undefined) yield { ...rest, failure: zipInside };
        else yield* zipped(again, part, containers);
    }
  }

  async function* zipped(
    bytes: ByteSource,
    part: Part,
    containers: readonly Container[],
  ): AsyncGenerator<FoundPart> {
    const { entries, cut } = await zipEntries(bytes);
    const ahead = windowed(bytes);
    for (const entry of wanted(entries)) {
      if (signal?.aborted === true) return;
      const common = { path: pathIn(part, entry.path), containers, apart: true };
      if (entry.encrypted) {
        yield { ...common, failure: encrypted };
        continue;
      }
      if (![0, 8, 93].includes(entry.method)) {
        yield { ...common, failure: unknownMethod(entry.method) };
        continue;
      }
      try {
        const { start, end } = await zipData(ahead, entry);
        const data = sliceBytes(ahead, start, end);
        if (entry.method === 0) {
          const again = sliceBytes(bytes, start, end);
          yield* inside({ ...common, chunks: data.chunks(signal), bytes: again });
        } else {
          const open = entry.method === 8 ? inflate.bind(undefined, 'deflate-raw') : unzstd;
          yield* inside({ ...common, chunks: open(data.chunks(signal), limits) });
        }
      } catch (error) {
        // The next entry stands elsewhere in the file and may be whole.
        if (!(error instanceof ZipError || error instanceof InflateError)) throw error;
        yield { ...common, failure: containerFailure(error) };
      }
    }
    if (cut !== undefined) throw cut;
  }
}

function pathIn(part: Part, path: string): string {
  return part.path === undefined ? path : `${part.path}/${path}`;
}

function isSample({ path }: ZipEntry): boolean {
  return /^samples\/[^/]*\.json$/.test(path);
}

/** Of an Inspect log the samples, or its head where it never came to any; of other archives what a person put there. */
function wanted(entries: readonly ZipEntry[]): ZipEntry[] {
  const isJournalled = entries.some(({ path }) => path === '_journal/start.json');
  const head = entries.find(({ path }) => path === 'header.json');
  const samples = entries.filter(isSample);
  if (samples.length > 0 && (isJournalled || head !== undefined)) return samples;
  if (isJournalled) return entries.filter(({ path }) => path === (head?.path ?? '_journal/start.json'));
  return entries.filter(({ path }) => !/^__MACOSX\/|(?:^|\/)\.DS_Store$/.test(path));
}

export function containerFailure(error: InflateError | ZipError | TarError | BombError): Failure {
  const next =
    error instanceof BombError
      ? 'What was read stays. If the file is really what it says, decompress it and open the result.'
      : 'What was read stays. Copy or download the file again and open that.';
  return { what: `${error.message}.`, next };
}

export function isContainerError(error: unknown): error is InflateError | ZipError | TarError | BombError {
  return (
    error instanceof InflateError ||
    error instanceof ZipError ||
    error instanceof TarError ||
    error instanceof BombError
  );
}

const notJson: Failure = {
  what: 'This is not JSON and was left out.',
  next: 'Nothing needs to be done if it belongs to the archive.',
};

const encrypted: Failure = {
  what: 'This entry is encrypted.',
  next: 'Unpack the archive with its password and open the files.',
};

const zipInside: Failure = {
  what: 'This is a zip archive inside another container, which cannot be read in place.',
  next: 'Unpack the outer container and open the archive inside.',
};

const tooDeep: Failure = {
  what: 'Containers are nested too deep here.',
  next: 'Unpack the outer ones and open what is inside.',
};

function unknownMethod(method: number): Failure {
  return {
    what: `This entry is compressed in a way that is not supported (method ${method}).`,
    next: 'Unpack the archive and open the files.',
  };
}
