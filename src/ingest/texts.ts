import { sliceBytes, type ByteSource } from './bytes';
import type { Part } from './parts';
import type { SourceState } from './protocol';
import type { Spool } from './spool';

/** The texts in a source, to be read again: by range in the source itself, or out of the spool if they were compressed. */
export class Texts {
  private readonly source: () => ByteSource;
  private readonly openSpool: () => Spool;
  private readonly list: { path?: string; bytes: () => ByteSource }[] = [];
  private spool: Spool | undefined;

  /** `source` gives the bytes of the file as it is now: it is another object after it has grown. */
  constructor(source: () => ByteSource, openSpool: () => Spool) {
    this.source = source;
    this.openSpool = openSpool;
  }

  get count(): number {
    return this.list.length;
  }

  /** What is returned, of a text that was compressed, takes its bytes into the spool, after the one before it. */
  add(part: Part): ((chunk: Uint8Array) => void | Promise<void>) | undefined {
    const path = part.path === undefined ? {} : { path: part.path };
    const { bytes } = part;
    if (bytes !== undefined) {
      this.list.push({ ...path, bytes: () => (part.containers.length === 0 ? this.source() : bytes) });
      return undefined;
    }
    const spool = (this.spool ??= this.openSpool());
    const start = spool.length;
    let end = start;
    this.list.push({ ...path, bytes: () => sliceBytes(spool, start, end) });
    return (chunk) => {
      end += chunk.length;
      return spool.append(chunk);
    };
  }

  path(index: number): string | undefined {
    return this.list[index]?.path;
  }

  bytes(index: number): ByteSource {
    return this.list[index]?.bytes() ?? this.source();
  }

  get unpacked(): Pick<SourceState, 'unpacked'> {
    const { spool } = this;
    return spool === undefined ? {} : { unpacked: { bytes: spool.length, where: spool.where } };
  }

  /** The source is read again from its first byte. */
  forget(): void {
    this.list.length = 0;
  }

  async dispose(): Promise<void> {
    await this.spool?.dispose();
  }
}
