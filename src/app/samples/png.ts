/** A picture of at most 16 colours, drawn by rectangles and written as a PNG. */
export class Picture {
  readonly width: number;
  readonly height: number;
  readonly palette: readonly string[];
  private readonly pixels: Uint8Array;

  /** `palette`: colours as `1d2a3b`, the first one the background. */
  constructor(width: number, height: number, palette: readonly string[]) {
    this.width = width;
    this.height = height;
    this.palette = palette;
    this.pixels = new Uint8Array(width * height);
  }

  rectangle(x: number, y: number, width: number, height: number, colour: number): void {
    // A negative end would count from the end of all pixels.
    const right = Math.max(0, Math.min(x + width, this.width));
    for (let row = Math.max(y, 0); row < Math.min(y + height, this.height); row++) {
      this.pixels.fill(colour, row * this.width + Math.max(x, 0), row * this.width + right);
    }
  }

  /** `data:image/png;base64,...` */
  dataUrl(): string {
    let binary = '';
    for (const byte of this.png()) binary += String.fromCharCode(byte);
    return `data:image/png;base64,${btoa(binary)}`;
  }

  /** https://www.w3.org/TR/png-3: a palette, four bits a pixel, every line unfiltered. */
  png(): Uint8Array {
    const header = [...number32(this.width), ...number32(this.height), 4, 3, 0, 0, 0];
    const colours = this.palette.flatMap((colour) => number24(Number.parseInt(colour, 16)));
    return Uint8Array.from([
      ...signature,
      ...chunk('IHDR', header),
      ...chunk('PLTE', colours),
      ...chunk('IDAT', stored(this.lines())),
      ...chunk('IEND', []),
    ]);
  }

  private lines(): number[] {
    const bytes: number[] = [];
    for (let y = 0; y < this.height; y++) {
      bytes.push(0);
      for (let x = 0; x < this.width; x += 2) {
        const left = this.pixels[y * this.width + x] ?? 0;
        const right = x + 1 < this.width ? (this.pixels[y * this.width + x + 1] ?? 0) : 0;
        bytes.push((left << 4) | right);
      }
    }
    return bytes;
  }
}

const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

function chunk(type: string, data: readonly number[]): number[] {
  const body = [...Array.from(type, (char) => char.charCodeAt(0)), ...data];
  return [...number32(data.length), ...body, ...number32(crc32(body))];
}

/** A zlib stream that does not compress: small enough here, and the same bytes everywhere. */
function stored(bytes: readonly number[]): number[] {
  const largest = 0xffff;
  const out = [0x78, 0x01];
  for (let start = 0; start < bytes.length; start += largest) {
    const block = bytes.slice(start, start + largest);
    const isLast = start + largest >= bytes.length;
    const { length } = block;
    out.push(isLast ? 1 : 0, length & 0xff, length >> 8, ~length & 0xff, (~length >> 8) & 0xff);
    for (const byte of block) out.push(byte);
  }
  return [...out, ...number32(adler32(bytes))];
}

function crc32(bytes: readonly number[]): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

function adler32(bytes: readonly number[]): number {
  let a = 1;
  let b = 0;
  for (const byte of bytes) {
    a = (a + byte) % 65521;
    b = (b + a) % 65521;
  }
  return ((b << 16) | a) >>> 0;
}

function number24(value: number): number[] {
  return [(value >> 16) & 0xff, (value >> 8) & 0xff, value & 0xff];
}

function number32(value: number): number[] {
  return [value >>> 24, ...number24(value)];
}
