import { concat } from './bytes';

/** Archives made by hand, where no library at hand writes them. */

/** One frame of blocks that are not compressed: valid zstd, and easy to write. */
export function zstdOf(data: Uint8Array): Uint8Array {
  const maxBlock = 100_000;
  // No checksum, no content size, a window of 1 MB.
  const parts = [Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x50)];
  for (let at = 0; at < data.length || at === 0; at += maxBlock) {
    const block = data.slice(at, at + maxBlock);
    const last = at + maxBlock >= data.length ? 1 : 0;
    const header = (block.length << 3) | last;
    parts.push(Uint8Array.of(header & 0xff, (header >> 8) & 0xff, (header >> 16) & 0xff), block);
  }
  return concat(parts);
}

const block = 512;

export function tarOf(files: Readonly<Record<string, Uint8Array>>): Uint8Array {
  const parts = Object.entries(files).flatMap(([path, data]) => {
    const longName =
      path.length > 100 ? [header('././@LongLink', path.length, 'L'), padded(ascii(path))] : [];
    return [...longName, header(path.slice(0, 100), data.length, '0'), padded(data)];
  });
  return concat([...parts, new Uint8Array(2 * block)]);
}

function header(name: string, size: number, type: string): Uint8Array {
  const bytes = new Uint8Array(block);
  bytes.set(ascii(name), 0);
  bytes.set(ascii(`${size.toString(8).padStart(11, '0')}\0`), 124);
  bytes.set(ascii(type), 156);
  bytes.set(ascii('ustar\x0000'), 257);
  return bytes;
}

function padded(data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(Math.ceil(data.length / block) * block);
  bytes.set(data);
  return bytes;
}

function ascii(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
