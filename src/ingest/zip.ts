import type { ByteSource } from './bytes';

/** One file of a zip archive, as its directory describes it. */
export interface ZipEntry {
  path: string;
  /** 0 stored, 8 deflate, 93 zstd. */
  method: number;
  encrypted: boolean;
  compressedSize: number;
  size: number;
  /** Of the local header, which stands before the data. */
  headerOffset: number;
}

export class ZipError extends Error {}

const endSignature = 0x06054b50;
const end64LocatorSignature = 0x07064b50;
const end64Signature = 0x06064b50;
const entrySignature = 0x02014b50;
const localSignature = 0x04034b50;

const endLength = 22;
const localLength = 30;
const locatorLength = 20;
const longestComment = 0xffff;

/**
 * The directory of an archive, which stands at its end; folders are left out. Where it is `cut` off, what stands
 * before says what it is itself.
 */
export async function zipEntries(bytes: ByteSource): Promise<{ entries: ZipEntry[]; cut?: ZipError }> {
  await bytes.allHasCome?.();
  const tailStart = Math.max(0, bytes.size - endLength - longestComment - locatorLength);
  const tail = viewOf(await bytes.read(tailStart, bytes.size));
  const end = findEnd(tail);
  if (end < 0) {
    const cut = new ZipError('The archive is cut off: the directory at its end is missing');
    return { entries: await entriesByHeaders(windowed(bytes)), cut };
  }
  let { offset, length } = { offset: tail.getUint32(end + 16, true), length: tail.getUint32(end + 12, true) };
  if (offset === 0xffffffff || length === 0xffffffff || tail.getUint16(end + 10, true) === 0xffff) {
    ({ offset, length } = await largeDirectory(bytes, tail, end));
  }
  if (offset + length > bytes.size) throw new ZipError('The archive is cut off, or its directory is damaged');
  return { entries: [...entriesIn(await bytes.read(offset, offset + length))] };
}

/** Told by the header before each entry, as far as those give the length of what follows. */
async function entriesByHeaders(bytes: Pick<ByteSource, 'size' | 'read'>): Promise<ZipEntry[]> {
  const entries: ZipEntry[] = [];
  for (let at = 0; at < bytes.size;) {
    const header = await bytes.read(at, at + localLength);
    const view = viewOf(header);
    if (view.byteLength < localLength || view.getUint32(0, true) !== localSignature) break;
    const nameLength = view.getUint16(26, true);
    const extraLength = view.getUint16(28, true);
    const start = at + localLength + nameLength + extraLength;
    const named = await bytes.read(at + localLength, start);
    const flags = view.getUint16(6, true);
    const entry = withLargeSizes(
      {
        path: utf8.decode(named.subarray(0, nameLength)),
        method: view.getUint16(8, true),
        encrypted: (flags & 1) === 1,
        compressedSize: view.getUint32(18, true),
        size: view.getUint32(22, true),
        headerOffset: at,
      },
      viewOf(named),
      nameLength,
      Math.min(extraLength, named.length - nameLength),
    );
    // Written without knowing the length, which follows the data then.
    if ((flags & 8) !== 0 && entry.compressedSize === 0) break;
    if (!entry.path.endsWith('/')) entries.push(entry);
    at = start + entry.compressedSize;
  }
  return entries;
}

function findEnd(tail: DataView): number {
  for (let at = tail.byteLength - endLength; at >= 0; at--) {
    if (tail.getUint32(at, true) === endSignature) return at;
  }
  return -1;
}

/** Archives of more than 4 GB, or 65,534 entries, have a second end record before the first. */
async function largeDirectory(
  bytes: ByteSource,
  tail: DataView,
  end: number,
): Promise<{ offset: number; length: number }> {
  const locator = end - locatorLength;
  if (locator < 0 || tail.getUint32(locator, true) !== end64LocatorSignature) {
    throw new ZipError('The directory of the archive is damaged');
  }
  const at = Number(tail.getBigUint64(locator + 8, true));
  const record = viewOf(await bytes.read(at, at + 56));
  if (record.byteLength < 56 || record.getUint32(0, true) !== end64Signature) {
    throw new ZipError('The directory of the archive is damaged');
  }
  return { length: Number(record.getBigUint64(40, true)), offset: Number(record.getBigUint64(48, true)) };
}

const utf8 = new TextDecoder();

function* entriesIn(directory: Uint8Array): Generator<ZipEntry> {
  const view = viewOf(directory);
  for (let at = 0; at + 46 <= view.byteLength && view.getUint32(at, true) === entrySignature;) {
    const nameLength = view.getUint16(at + 28, true);
    const extraLength = view.getUint16(at + 30, true);
    const extraStart = at + 46 + nameLength;
    const next = extraStart + extraLength + view.getUint16(at + 32, true);
    const path = utf8.decode(directory.subarray(at + 46, extraStart));
    const entry: ZipEntry = {
      path,
      method: view.getUint16(at + 10, true),
      encrypted: (view.getUint16(at + 8, true) & 1) === 1,
      compressedSize: view.getUint32(at + 20, true),
      size: view.getUint32(at + 24, true),
      headerOffset: view.getUint32(at + 42, true),
    };
    if (next <= view.byteLength && !path.endsWith('/'))
      yield withLargeSizes(entry, view, extraStart, extraLength);
    at = next;
  }
}

/** Sizes past 4 GB stand in an extra field, in this order, each only where the usual place is full. */
function withLargeSizes(entry: ZipEntry, view: DataView, start: number, length: number): ZipEntry {
  for (let at = start; at + 4 <= start + length;) {
    const fieldLength = view.getUint16(at + 2, true);
    if (view.getUint16(at, true) === 1) {
      let value = at + 4;
      const large = (usual: number): number => {
        if (usual !== 0xffffffff || value + 8 > at + 4 + fieldLength) return usual;
        value += 8;
        return Number(view.getBigUint64(value - 8, true));
      };
      const size = large(entry.size);
      const compressedSize = large(entry.compressedSize);
      return { ...entry, size, compressedSize, headerOffset: large(entry.headerOffset) };
    }
    at += 4 + fieldLength;
  }
  return entry;
}

/** Where the data of an entry stands. */
export async function zipData(
  bytes: Pick<ByteSource, 'size' | 'read'>,
  entry: ZipEntry,
): Promise<{ start: number; end: number }> {
  const header = viewOf(await bytes.read(entry.headerOffset, entry.headerOffset + localLength));
  if (header.byteLength < localLength || header.getUint32(0, true) !== localSignature) {
    throw new ZipError('The archive is damaged: the entry is not where its directory says');
  }
  const nameAndExtra = header.getUint16(26, true) + header.getUint16(28, true);
  const start = entry.headerOffset + localLength + nameAndExtra;
  if (start + entry.compressedSize > bytes.size)
    throw new ZipError('The archive is cut off inside the entry');
  return { start, end: start + entry.compressedSize };
}

const windowBytes = 1024 * 1024;

/** The same bytes, of which more is read than is asked for: the next entry of an archive mostly stands behind the last. */
export function windowed(bytes: ByteSource): Pick<ByteSource, 'size' | 'read'> {
  let [from, held]: [number, Uint8Array] = [0, new Uint8Array(0)];
  return {
    size: bytes.size,
    async read(start, end) {
      if (end - start > windowBytes) return bytes.read(start, end);
      const stop = Math.min(end, bytes.size);
      if (start < from || stop > from + held.length) {
        held = await bytes.read(start, Math.min(start + windowBytes, bytes.size));
        from = start;
      }
      return held.subarray(start - from, end - from);
    },
  };
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
