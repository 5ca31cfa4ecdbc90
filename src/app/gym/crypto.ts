/**
 * Browsers keep Web Crypto from pages outside of a secure context. The server in the tab signs its cookies all the same: with what stands
 * here, which is slower and otherwise equal. Nothing secret is at stake there: client and server are one page.
 */

/** FIPS 180-4: the first 32 bits of the fractional parts of roots of the first primes. */
const primes: number[] = [];
for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
const fraction = (root: number): number => Math.floor((root - Math.floor(root)) * 2 ** 32);
const ROUND = Uint32Array.from(primes, (prime) => fraction(Math.cbrt(prime)));
const START = Uint32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));

const turned = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

export function sha256(data: Uint8Array): Uint8Array<ArrayBuffer> {
  const padded = new Uint8Array(Math.ceil((data.length + 9) / 64) * 64);
  padded.set(data);
  padded[data.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(data.length / 2 ** 29));
  view.setUint32(padded.length - 4, (data.length * 8) >>> 0);
  const hash = START.slice();
  const words = new Uint32Array(64);
  const word = (index: number): number => words[index] ?? 0;
  for (let block = 0; block < padded.length; block += 64) {
    for (let t = 0; t < 16; t++) words[t] = view.getUint32(block + t * 4);
    for (let t = 16; t < 64; t++) {
      const [near, far] = [word(t - 15), word(t - 2)];
      const small0 = turned(near, 7) ^ turned(near, 18) ^ (near >>> 3);
      const small1 = turned(far, 17) ^ turned(far, 19) ^ (far >>> 10);
      words[t] = word(t - 16) + small0 + word(t - 7) + small1;
    }
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = hash;
    for (let t = 0; t < 64; t++) {
      const big1 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
      const one = (h + big1 + ((e & f) ^ (~e & g)) + (ROUND[t] ?? 0) + word(t)) >>> 0;
      const big0 = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
      const two = (big0 + ((a & b) ^ (a & c) ^ (b & c))) >>> 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) >>> 0, c, b, a, (one + two) >>> 0];
    }
    for (const [index, value] of [a, b, c, d, e, f, g, h].entries()) hash[index] = (hash[index] ?? 0) + value;
  }
  const bytes = new DataView(new ArrayBuffer(32));
  for (const [index, value] of hash.entries()) bytes.setUint32(index * 4, value);
  return new Uint8Array(bytes.buffer);
}

export function hmacSha256(key: Uint8Array, data: Uint8Array): Uint8Array<ArrayBuffer> {
  const block = new Uint8Array(64);
  block.set(key.length > 64 ? sha256(key) : key);
  const inner = sha256(
    joined(
      block.map((byte) => byte ^ 0x36),
      data,
    ),
  );
  return sha256(
    joined(
      block.map((byte) => byte ^ 0x5c),
      inner,
    ),
  );
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

/** Puts in what is missing of `crypto`: random ids and signatures, as the server uses them. */
export function provideCrypto(): void {
  give('randomUUID', randomUuid);
  give('subtle', {
    importKey: async (_format: string, key: Uint8Array) => key,
    sign: async (_name: string, key: Uint8Array, data: Uint8Array) => hmacSha256(key, data).buffer,
    verify: async (_name: string, key: Uint8Array, signature: Uint8Array, data: Uint8Array) =>
      hmacSha256(key, data).every((byte, index) => byte === signature[index]) && signature.length === 32,
  });
}

function give(name: string, value: unknown): void {
  if (!(name in crypto)) Object.defineProperty(crypto, name, { value, configurable: true });
}

/** Version 4: random but for the marks of version and variant. */
export function randomUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
