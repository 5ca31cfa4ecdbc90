import { concat } from './bytes';

/**
 * Where decompressed bytes are kept, to be read again by range: what is compressed cannot be.
 * Appended to by one reader; `read` works at once for what was appended.
 */
export interface Spool {
  readonly where: 'memory' | 'disk';
  readonly length: number;
  /** The chunk may change as soon as this is done. */
  append(chunk: Uint8Array): void | Promise<void>;
  read(start: number, end: number): Promise<Uint8Array>;
  /** Gives the room back. */
  dispose(): Promise<void>;
}

export class SpoolFull extends Error {}

/** As much as a tab can be asked to hold. */
const maxMemory = 1e9;

export class MemorySpool implements Spool {
  readonly where = 'memory';
  length = 0;
  private chunks: { start: number; bytes: Uint8Array }[] = [];
  private readonly max: number;

  constructor(max = maxMemory) {
    this.max = max;
  }

  append(chunk: Uint8Array): void {
    if (this.length + chunk.length > this.max) {
      throw new SpoolFull(
        `More than ${Math.floor(this.max / 1e6)} MB come out of this file, and there is no room for them`,
      );
    }
    this.chunks.push({ start: this.length, bytes: chunk.slice() });
    this.length += chunk.length;
  }

  async read(start: number, end: number): Promise<Uint8Array> {
    const parts: Uint8Array[] = [];
    for (let i = this.indexAt(start); i < this.chunks.length; i++) {
      const chunk = this.chunks[i];
      if (chunk === undefined || chunk.start >= end) break;
      parts.push(chunk.bytes.subarray(Math.max(0, start - chunk.start), end - chunk.start));
    }
    return concat(parts);
  }

  /** The chunk that holds a byte, by bisection. */
  private indexAt(offset: number): number {
    let low = 0;
    let high = this.chunks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.chunks[middle]?.start ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  async dispose(): Promise<void> {
    this.chunks = [];
    this.length = 0;
  }

  /** All there is, to be kept elsewhere. */
  drain(): Uint8Array[] {
    const all = this.chunks.map(({ bytes }) => bytes);
    void this.dispose();
    return all;
  }
}

/** Below this, memory is the better place. */
const smallBytes = 32e6;

/** In memory while it is small, then on disk where there is one. */
export class GrowingSpool implements Spool {
  private spool: Spool = new MemorySpool();
  private readonly openDisk: () => Promise<Spool | undefined>;
  private readonly small: number;
  private diskRefused = false;

  constructor(openDisk: () => Promise<Spool | undefined>, small = smallBytes) {
    this.openDisk = openDisk;
    this.small = small;
  }

  get where(): 'memory' | 'disk' {
    return this.spool.where;
  }

  get length(): number {
    return this.spool.length;
  }

  append(chunk: Uint8Array): void | Promise<void> {
    const { spool } = this;
    if (spool instanceof MemorySpool && !this.diskRefused && spool.length + chunk.length > this.small) {
      return this.move(spool, chunk);
    }
    return spool.append(chunk);
  }

  private async move(memory: MemorySpool, next: Uint8Array): Promise<void> {
    const disk = await this.openDisk();
    if (disk === undefined) {
      this.diskRefused = true;
      memory.append(next);
      return;
    }
    for (const chunk of [...memory.drain(), next]) await disk.append(chunk);
    this.spool = disk;
  }

  read(start: number, end: number): Promise<Uint8Array> {
    return this.spool.read(start, end);
  }

  dispose(): Promise<void> {
    return this.spool.dispose();
  }
}
