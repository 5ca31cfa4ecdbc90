import { decode, type Chunks } from './bytes';

export class TarError extends Error {}

const blockBytes = 512;

/** Longer names than this are no names. */
const maxNameBytes = 64 * 1024;

/** Bytes in the sizes one asks for. */
class Puller {
  private readonly iterator: AsyncIterator<Uint8Array>;
  private rest: Uint8Array = new Uint8Array(0);

  constructor(chunks: Chunks) {
    this.iterator = chunks[Symbol.asyncIterator]();
  }

  /** Up to `most` bytes, at least one; undefined at the end. */
  async some(most: number): Promise<Uint8Array | undefined> {
    while (this.rest.length === 0) {
      const { done, value } = await this.iterator.next();
      if (done === true) return undefined;
      this.rest = value;
    }
    const taken = this.rest.subarray(0, most);
    this.rest = this.rest.subarray(taken.length);
    return taken;
  }

  /** Exactly so many, or all there are. */
  async exactly(length: number): Promise<Uint8Array> {
    const whole = new Uint8Array(length);
    let filled = 0;
    while (filled < length) {
      const part = await this.some(length - filled);
      if (part === undefined) return whole.subarray(0, filled);
      whole.set(part, filled);
      filled += part.length;
    }
    return whole;
  }

  async close(): Promise<void> {
    await this.iterator.return?.();
  }
}

/** The files of a tar archive, one after another. What is not read of one is skipped when the next is asked for. */
export async function* tarFiles(chunks: Chunks): AsyncGenerator<{ path: string; chunks: Chunks }> {
  const puller = new Puller(chunks);
  let longName: string | undefined;
  try {
    for (;;) {
      const header = await puller.exactly(blockBytes);
      // An archive ends with blocks of zeros, or just so.
      if (header.every((byte) => byte === 0)) return;
      if (header.length < blockBytes) throw new TarError('The tar archive is cut off');
      const size = sizeIn(header);
      const type = String.fromCharCode(header[156] ?? 0);
      const padding = (blockBytes - (size % blockBytes)) % blockBytes;
      if (type === 'x' || type === 'L') {
        if (size > maxNameBytes) throw new TarError('The tar archive is damaged: a name is too long');
        const text = decode(await puller.exactly(size));
        longName = type === 'L' ? text.replace(/\0+$/, '') : (paxPath(text) ?? longName);
        await puller.exactly(padding);
        continue;
      }
      const file = new FileData(puller, size);
      // Plain files alone: '0', and '\0' in old archives.
      if (type === '0' || type === '\0') yield { path: longName ?? nameIn(header), chunks: file };
      longName = undefined;
      await file.skip();
      await puller.exactly(padding);
    }
  } finally {
    await puller.close();
  }
}

class FileData implements Chunks {
  private readonly puller: Puller;
  private left: number;

  constructor(puller: Puller, size: number) {
    this.puller = puller;
    this.left = size;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    while (this.left > 0) {
      const part = await this.puller.some(this.left);
      if (part === undefined) throw new TarError('The tar archive is cut off');
      this.left -= part.length;
      yield part;
    }
  }

  async skip(): Promise<void> {
    for await (const part of this) void part;
  }
}

/** Octal text, or from 8 GB on a binary number whose first bit is set. */
function sizeIn(header: Uint8Array): number {
  if (((header[124] ?? 0) & 0x80) !== 0) {
    let size = 0;
    for (const byte of header.subarray(128, 136)) size = size * 256 + byte;
    return size;
  }
  const size = Number.parseInt(fieldIn(header, 124, 12).trim() || '0', 8);
  if (Number.isNaN(size)) throw new TarError('The tar archive is damaged: a size is no number');
  return size;
}

function nameIn(header: Uint8Array): string {
  const prefix = fieldIn(header, 257, 5) === 'ustar' ? fieldIn(header, 345, 155) : '';
  const name = fieldIn(header, 0, 100);
  return prefix === '' ? name : `${prefix}/${name}`;
}

function fieldIn(header: Uint8Array, start: number, length: number): string {
  const field = header.subarray(start, start + length);
  const end = field.indexOf(0);
  return decode(end < 0 ? field : field.subarray(0, end));
}

/** Of records like `27 path=some/very/long/name\n`. */
function paxPath(text: string): string | undefined {
  return /^\d+ path=(.*)$/m.exec(text)?.[1];
}
