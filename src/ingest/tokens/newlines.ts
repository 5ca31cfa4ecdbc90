import { assembled, get, i32, i64, set, v128, valueType, when, whileTrue, type Code } from './assemble';

/**
 * Where lines end, 64 bytes at a time: a file has few of them, and `indexOf` takes longer to get from one to the next
 * than it takes to find all tokens in between.
 */

/** Bytes that are looked at in one call. */
const windowBytes = 64 * 1024;
/** Offsets are written behind the bytes. A block may be read past the end. */
const foundAt = windowBytes + 64;
const pages = Math.ceil((foundAt + windowBytes * 4) / 65_536);

// Locals: the parameter first.
const length = 0;
const at = 1;
const out = 2;
const bits = 3;
const sixteens = [4, 5, 6, 7];

const body: readonly Code[] = [
  set(out, i32.constant(foundAt)),
  whileTrue(i32.ltU(get(at), get(length)), [
    ...sixteens.map((local, nth) => set(local, v128.equal(v128.load(get(at), nth * 16), v128.bytes(0x0a)))),
    when(v128.bitmask(sixteens.map(get).reduce((all, each) => v128.or(all, each))), [
      set(
        bits,
        sixteens
          .map((local, nth) => i64.shl(i64.extendU(v128.bitmask(get(local))), i64.constant(BigInt(nth * 16))))
          .reduce((all, each) => i64.or(all, each)),
      ),
      whileTrue(i32.eqz(i64.eqz(get(bits))), [
        i32.store(get(out), i32.add(get(at), i32.wrap(i64.ctz(get(bits))))),
        set(out, i32.add(get(out), i32.constant(4))),
        set(bits, i64.and(get(bits), i64.sub(get(bits), i64.constant(1n)))),
      ]),
    ]),
    set(at, i32.add(get(at), i32.constant(64))),
  ]),
  i32.shrU(i32.sub(get(out), i32.constant(foundAt)), i32.constant(2)),
];

interface Lines {
  input: Uint8Array;
  found: Uint32Array;
  find: (length: number) => number;
}

/** Undefined where the platform has no WebAssembly for it. */
function linesFinder(): Lines | undefined {
  const made = assembled({
    parameters: [valueType.i32],
    result: valueType.i32,
    locals: [valueType.i32, valueType.i32, valueType.i64, ...sixteens.map(() => valueType.v128)],
    body,
    globals: 0,
    pages,
  });
  if (made === undefined) return undefined;
  const { call, memory } = made;
  return {
    input: new Uint8Array(memory, 0, foundAt),
    found: new Uint32Array(memory, foundAt, windowBytes),
    find: call,
  };
}

/** Made when it is first needed. */
let lines: Lines | null | undefined;

/** Calls `take` with the place of each newline. */
export function eachNewline(bytes: Uint8Array, take: (at: number) => void): void {
  lines ??= linesFinder() ?? null;
  if (lines === null) eachNewlinePlainly(bytes, take);
  else eachNewlineBy(lines, bytes, take);
}

function eachNewlineBy({ input, found, find }: Lines, bytes: Uint8Array, take: (at: number) => void): void {
  for (let base = 0; base < bytes.length; base += windowBytes) {
    const length = Math.min(windowBytes, bytes.length - base);
    input.set(base === 0 && length === bytes.length ? bytes : bytes.subarray(base, base + length));
    // What is left of the window before is no part of this one.
    input.fill(0, length, Math.min(length + 64, input.length));
    const count = find(length);
    for (let nth = 0; nth < count; nth++) take(base + (found[nth] ?? 0));
  }
}

/** The same without WebAssembly. */
export function eachNewlinePlainly(bytes: Uint8Array, take: (at: number) => void): void {
  for (let at = bytes.indexOf(0x0a); at >= 0; at = bytes.indexOf(0x0a, at + 1)) take(at);
}
