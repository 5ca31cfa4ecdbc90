import { inflateSync } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Picture } from './png';

/** Reads a PNG back by the book, with Node's zlib: `[type, data]` of each chunk, after its length and before its CRC. */
function chunksOf(png: Uint8Array): [string, Buffer][] {
  const bytes = Buffer.from(png);
  const chunks: [string, Buffer][] = [];
  for (let at = 8; at < bytes.length;) {
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    chunks.push([type, bytes.subarray(at + 8, at + 8 + length)]);
    at += length + 12;
  }
  return chunks;
}

describe('Picture', () => {
  it('writes the pixels that were drawn', () => {
    const sides = fc.integer({ min: 1, max: 40 });
    const rectangle = fc.tuple(
      fc.integer({ min: -5, max: 45 }),
      fc.integer({ min: -5, max: 45 }),
      sides,
      sides,
      fc.nat(3),
    );
    fc.assert(
      fc.property(sides, sides, fc.array(rectangle, { maxLength: 4 }), (width, height, rectangles) => {
        const picture = new Picture(width, height, ['000000', 'ff0000', '00ff00', '0000ff']);
        const expected = Array.from({ length: height }, () => Array.from({ length: width }, () => 0));
        for (const [x, y, w, h, colour] of rectangles) {
          picture.rectangle(x, y, w, h, colour);
          expected.forEach((line, row) => {
            line.forEach((_, column) => {
              if (column >= x && column < x + w && row >= y && row < y + h) line[column] = colour;
            });
          });
        }

        const chunks = new Map(chunksOf(picture.png()));
        const header = chunks.get('IHDR') ?? Buffer.alloc(13);
        expect([header.readUInt32BE(0), header.readUInt32BE(4)]).toEqual([width, height]);
        const data = inflateSync(chunks.get('IDAT') ?? Buffer.alloc(0));
        const stride = 1 + Math.ceil(width / 2);
        const drawn = expected.map((line, row) =>
          line.map((_, column) => {
            const byte = data[row * stride + 1 + (column >> 1)] ?? 0;
            return column % 2 === 0 ? byte >> 4 : byte & 15;
          }),
        );
        expect(drawn).toEqual(expected);
      }),
    );
  });

  it('ends every chunk with its checksum', () => {
    // The CRC of an empty IEND chunk is the same in every PNG.
    const bytes = Buffer.from(new Picture(1, 1, ['000000']).png());
    expect(bytes.subarray(-4).toString('hex')).toBe('ae426082');
  });
});
