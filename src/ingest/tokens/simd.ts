import {
  assembled,
  get,
  getGlobal,
  i32,
  i64,
  returned,
  set,
  setGlobal,
  v128,
  valueType,
  when,
  whileTrue,
  type Code,
} from './assemble';

/**
 * Where tokens stand in JSON, 64 bytes at a time, as simdjson finds them (Langdale and Lemire, Parsing Gigabytes of
 * JSON per Second, 2019): comparisons make a bit per byte, and arithmetic on those bits tells what is inside a string.
 */

/** Bytes that are looked at in one call. */
export const windowBytes = 16 * 1024;

/** Tokens are written behind the bytes; there are as many as bytes at most. A block may be read past the end. */
const tokensAt = windowBytes + 64;
const pages = Math.ceil((tokensAt + windowBytes * 4) / 65_536);

export interface Finder {
  /** Of `windowBytes`, to be filled before a call. */
  readonly input: Uint8Array;
  /** Offsets in the input, as many as `find` says. */
  readonly tokens: Uint32Array;
  /**
   * Finds quotes, brackets, colons, commas, and where other words begin, outside strings. `first` is 1 for the first
   * window of a text, and 0 where the one of the last call goes on. Twice the number of tokens, and one more where the
   * window ends inside a string; -1 where a control character stands that JSON does not allow.
   */
  find(length: number, first: 0 | 1): number;
}

// Locals: parameters first.
const length = 0;
const isFirst = 1;
const at = 2;
const out = 3;
const quotes = 4;
const inside = 5;
const controls = 6;
const operators = 7;
const words = 8;
const bits = 9;
const valid = 10;
const slashes = 11;
const chunk = [12, 13, 14, 15];

// Globals: what the bytes before tell about those that come.
/** All ones inside a string. */
const insideBefore = 0;
/** 1 where the next byte is escaped. */
const escapedBefore = 1;
/** 1 where the last byte was of a word. */
const wordBefore = 2;

/** One bit for each of the 64 bytes for which a test of sixteen is true. */
function bitsWhere(test: (sixteen: Code) => Code): Code {
  return chunk
    .map((local, nth) => i64.shl(i64.extendU(v128.bitmask(test(get(local)))), i64.constant(BigInt(nth * 16))))
    .reduce((all, each) => i64.or(all, each));
}

const is = (byte: string) => (sixteen: Code) => v128.equal(sixteen, v128.bytes(byte.charCodeAt(0)));
/** `{` and `[` differ in one bit only, and so do their closing ones. */
const isBracket = (byte: string) => (sixteen: Code) =>
  v128.equal(v128.or(sixteen, v128.bytes(0x20)), v128.bytes(byte.charCodeAt(0)));

const isControl = (sixteen: Code): Code => v128.below(sixteen, v128.bytes(0x20));

const not = (value: Code): Code => i64.xor(value, i64.constant(-1n));
const oddBits = i64.constant(BigInt.asIntN(64, 0xaaaa_aaaa_aaaa_aaaan));

/** Takes quotes away that are escaped: those after an odd number of backslashes. */
const withoutEscaped: Code = when(i64.ne(i64.or(get(slashes), getGlobal(escapedBefore)), i64.constant(0n)), [
  // `bits` starts as the backslashes that may escape: not those that are escaped by the block before.
  set(bits, i64.and(get(slashes), not(getGlobal(escapedBefore)))),
  // Subtracting runs of them carries to the end of each, where parity shows.
  set(bits, i64.xor(i64.sub(i64.or(i64.shl(get(bits), i64.constant(1n)), oddBits), get(bits)), oddBits)),
  set(quotes, i64.and(get(quotes), not(i64.xor(get(bits), i64.or(get(slashes), getGlobal(escapedBefore)))))),
  setGlobal(escapedBefore, i64.shrU(i64.and(get(bits), get(slashes)), i64.constant(63n))),
]);

/** Ones from each opening quote to just before its closing one. */
const insideFromQuotes: readonly Code[] = [
  set(inside, get(quotes)),
  ...[1n, 2n, 4n, 8n, 16n, 32n].map((shift) =>
    set(inside, i64.xor(get(inside), i64.shl(get(inside), i64.constant(shift)))),
  ),
  set(inside, i64.xor(get(inside), getGlobal(insideBefore))),
  setGlobal(insideBefore, i64.shrS(get(inside), i64.constant(63n))),
];

const allowedSpace = bitsWhere((x) => v128.or(v128.or(is('\t')(x), is('\n')(x)), is('\r')(x)));

const tokens: readonly Code[] = [
  set(
    operators,
    i64.and(
      i64.and(
        bitsWhere((x) =>
          v128.or(v128.or(isBracket('{')(x), isBracket('}')(x)), v128.or(is(',')(x), is(':')(x))),
        ),
        get(valid),
      ),
      not(get(inside)),
    ),
  ),
  // Neither space nor operator, quote, nor in a string.
  set(
    words,
    i64.and(
      i64.and(
        bitsWhere((x) => v128.below(v128.bytes(0x20), x)),
        get(valid),
      ),
      not(i64.or(i64.or(get(inside), get(quotes)), get(operators))),
    ),
  ),
  set(
    bits,
    i64.or(
      i64.or(get(operators), get(quotes)),
      i64.and(get(words), not(i64.or(i64.shl(get(words), i64.constant(1n)), getGlobal(wordBefore)))),
    ),
  ),
  setGlobal(wordBefore, i64.shrU(get(words), i64.constant(63n))),
  whileTrue(i32.eqz(i64.eqz(get(bits))), [
    i32.store(get(out), i32.add(get(at), i32.wrap(i64.ctz(get(bits))))),
    set(out, i32.add(get(out), i32.constant(4))),
    set(bits, i64.and(get(bits), i64.sub(get(bits), i64.constant(1n)))),
  ]),
];

const body: readonly Code[] = [
  set(out, i32.constant(tokensAt)),
  when(get(isFirst), [
    setGlobal(insideBefore, i64.constant(0n)),
    setGlobal(escapedBefore, i64.constant(0n)),
    setGlobal(wordBefore, i64.constant(0n)),
  ]),
  whileTrue(i32.ltU(get(at), get(length)), [
    ...chunk.map((local, nth) => set(local, v128.load(get(at), nth * 16))),
    set(valid, i64.constant(-1n)),
    when(i32.ltU(i32.sub(get(length), get(at)), i32.constant(64)), [
      set(
        valid,
        i64.sub(i64.shl(i64.constant(1n), i64.extendU(i32.sub(get(length), get(at)))), i64.constant(1n)),
      ),
    ]),
    set(quotes, i64.and(bitsWhere(is('"')), get(valid))),
    set(slashes, i64.and(bitsWhere(is('\\')), get(valid))),
    withoutEscaped,
    set(inside, getGlobal(insideBefore)),
    when(i64.ne(get(quotes), i64.constant(0n)), insideFromQuotes),
    // Seldom there is one, and then it is mostly a newline between tokens.
    when(
      v128.bitmask(chunk.map((local) => isControl(get(local))).reduce((any, each) => v128.or(any, each))),
      [
        set(controls, i64.and(bitsWhere(isControl), get(valid))),
        when(i64.ne(i64.and(get(controls), i64.or(get(inside), not(allowedSpace))), i64.constant(0n)), [
          returned(i32.constant(-1)),
        ]),
      ],
    ),
    // Most blocks lie within a long string, where there are no tokens.
    when(i64.ne(i64.or(not(get(inside)), get(quotes)), i64.constant(0n)), tokens, [
      setGlobal(wordBefore, i64.constant(0n)),
    ]),
    set(at, i32.add(get(at), i32.constant(64))),
  ]),
  i32.or(
    i32.shrU(i32.sub(get(out), i32.constant(tokensAt)), i32.constant(1)),
    i32.wrap(i64.and(getGlobal(insideBefore), i64.constant(1n))),
  ),
];

/** Undefined where the platform has no WebAssembly for it. */
export function finder(): Finder | undefined {
  const made = assembled({
    parameters: [valueType.i32, valueType.i32],
    result: valueType.i32,
    locals: [
      valueType.i32,
      valueType.i32,
      ...Array.from({ length: slashes - out }, () => valueType.i64),
      ...chunk.map(() => valueType.v128),
    ],
    body,
    globals: 3,
    pages,
  });
  if (made === undefined) return undefined;
  const { call, memory } = made;
  return {
    input: new Uint8Array(memory, 0, windowBytes),
    tokens: new Uint32Array(memory, tokensAt, windowBytes),
    find: call,
  };
}
