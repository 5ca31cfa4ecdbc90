/**
 * Just enough of WebAssembly's binary format to write one function down as expressions:
 *
 *     set(bits, i64.and(get(bits), i64.sub(get(bits), i64.constant(1n))))
 *
 * An expression is the bytes that leave its value on the stack (https://webassembly.github.io/spec/core/binary/).
 */
export type Code = readonly number[];

export const valueType = { i32: 0x7f, i64: 0x7e, v128: 0x7b } as const;
const emptyType = 0x40;

function unsigned(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  do {
    const low = rest & 0x7f;
    rest >>>= 7;
    bytes.push(rest === 0 ? low : low | 0x80);
  } while (rest !== 0);
  return bytes;
}

function signed(value: bigint): number[] {
  const bytes: number[] = [];
  let rest = BigInt.asIntN(64, value);
  for (;;) {
    const low = Number(rest & 0x7fn);
    rest >>= 7n;
    const done = (rest === 0n && (low & 0x40) === 0) || (rest === -1n && (low & 0x40) !== 0);
    bytes.push(done ? low : low | 0x80);
    if (done) return bytes;
  }
}

function binary(...opcode: number[]): (a: Code, b: Code) => Code {
  return (a, b) => [...a, ...b, ...opcode];
}

function unary(...opcode: number[]): (a: Code) => Code {
  return (a) => [...a, ...opcode];
}

export const get = (local: number): Code => [0x20, local];
export const set = (local: number, value: Code): Code => [...value, 0x21, local];
export const getGlobal = (index: number): Code => [0x23, index];
export const setGlobal = (index: number, value: Code): Code => [...value, 0x24, index];
export const returned = (value: Code): Code => [...value, 0x0f];

export const when = (condition: Code, then: readonly Code[], otherwise: readonly Code[] = []): Code => [
  ...condition,
  0x04,
  emptyType,
  ...then.flat(),
  ...(otherwise.length === 0 ? [] : [0x05, ...otherwise.flat()]),
  0x0b,
];

export const whileTrue = (condition: Code, body: readonly Code[]): Code => [
  0x02,
  emptyType,
  0x03,
  emptyType,
  ...condition,
  0x45,
  0x0d,
  1,
  ...body.flat(),
  0x0c,
  0,
  0x0b,
  0x0b,
];

export const i32 = {
  constant: (value: number): Code => [0x41, ...signed(BigInt(value))],
  eqz: unary(0x45),
  ltU: binary(0x49),
  add: binary(0x6a),
  sub: binary(0x6b),
  or: binary(0x72),
  shrU: binary(0x76),
  wrap: unary(0xa7),
  store: (address: Code, value: Code): Code => [...address, ...value, 0x36, 2, 0],
} as const;

export const i64 = {
  constant: (value: bigint): Code => [0x42, ...signed(value)],
  eqz: unary(0x50),
  ne: binary(0x52),
  ctz: unary(0x7a),
  sub: binary(0x7d),
  and: binary(0x83),
  or: binary(0x84),
  xor: binary(0x85),
  shl: binary(0x86),
  shrS: binary(0x87),
  shrU: binary(0x88),
  extendU: unary(0xad),
} as const;

export const v128 = {
  load: (address: Code, offset: number): Code => [...address, 0xfd, 0x00, 0, ...unsigned(offset)],
  /** The same byte sixteen times. */
  bytes: (byte: number): Code => [0xfd, 0x0c, ...Array.from({ length: 16 }, () => byte)],
  equal: binary(0xfd, 0x23),
  below: binary(0xfd, 0x26),
  or: binary(0xfd, 0x50),
  /** The highest bit of each byte, as an i32. */
  bitmask: unary(0xfd, 0x64),
} as const;

export interface FunctionCode {
  parameters: readonly number[];
  result: number;
  locals: readonly number[];
  body: readonly Code[];
  /** How many i64 the module keeps between calls, zero at first. */
  globals: number;
  /** Of memory, 64 KiB each. */
  pages: number;
}

/** `\0asm`, and version 1. */
const magic: Code = [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0];

/**
 * The function, and the memory that it works on. Undefined where the platform has no WebAssembly with vectors, or does not
 * let pages use it.
 */
export function assembled(
  code: FunctionCode,
): { call: (...parameters: number[]) => number; memory: ArrayBuffer } | undefined {
  try {
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(moduleOf(code)));
    const { call, memory } = exports;
    if (!(memory instanceof WebAssembly.Memory) || typeof call !== 'function') return undefined;
    return { call: (...parameters) => Number(call(...parameters)), memory: memory.buffer };
  } catch {
    return undefined;
  }
}

/** It exports the function as `call`, and its memory as `memory`. */
function moduleOf({
  parameters,
  result,
  locals,
  body,
  globals,
  pages,
}: FunctionCode): Uint8Array<ArrayBuffer> {
  const text = (value: string): number[] => [
    ...unsigned(value.length),
    ...Array.from(value, (letter) => letter.charCodeAt(0)),
  ];
  const section = (id: number, ...content: number[]): number[] => [
    id,
    ...unsigned(content.length),
    ...content,
  ];
  const code = [...unsigned(locals.length), ...locals.flatMap((type) => [1, type]), ...body.flat(), 0x0b];
  const variables = Array.from({ length: globals }, () => [valueType.i64, 1, 0x42, 0, 0x0b]).flat();
  return Uint8Array.from([
    ...magic,
    ...section(1, 1, 0x60, parameters.length, ...parameters, 1, result),
    ...section(3, 1, 0),
    ...section(5, 1, 0, ...unsigned(pages)),
    ...section(6, ...unsigned(globals), ...variables),
    ...section(7, 2, ...text('call'), 0, 0, ...text('memory'), 2, 0),
    ...section(10, 1, ...unsigned(code.length), ...code),
  ]);
}
