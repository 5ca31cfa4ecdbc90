/** Reading the body of a request: bounded, UTF-8, JSON, an object. */
import { RequestError } from './errors';
import { deeperThan, isObject, parse } from './json';

export const MAX_BODY_BYTES = 10 * 1024 * 1024;
/** Far deeper than any rollout, and shallow enough for the recursion of JSON.stringify. */
const MAX_DEPTH = 500;

/** The object of a body; an empty body is `{}`, as for a tool without arguments. */
export async function readObject(request: Request): Promise<{ readonly [key: string]: unknown }> {
  const text = decode(await readBytes(request, MAX_BODY_BYTES));
  if (text.trim() === '') return {};
  let value: unknown;
  try {
    value = parse(text);
  } catch (error) {
    throw new RequestError(400, [
      {
        type: 'json_invalid',
        loc: ['body'],
        msg: `JSON decode error: ${error instanceof Error ? error.message : ''}`,
      },
    ]);
  }
  if (deeperThan(value, MAX_DEPTH)) {
    throw new RequestError(400, [
      { type: 'json_invalid', loc: ['body'], msg: `JSON nested deeper than ${MAX_DEPTH} levels` },
    ]);
  }
  if (!isObject(value)) {
    throw new RequestError(422, [
      {
        type: 'model_attributes_type',
        loc: ['body'],
        msg: 'Input should be a valid dictionary or object to extract fields from',
      },
    ]);
  }
  return value;
}

/**
 * All bytes, or 413. What is too long is read to its end (up to ten times the limit) without being kept: a client that is still
 * sending when the connection closes would see a reset instead of the answer.
 */
async function readBytes(request: Request, limit: number): Promise<Uint8Array> {
  const announced = Number(request.headers.get('content-length') ?? Infinity);
  if (announced <= limit) {
    const bytes = new Uint8Array(await request.arrayBuffer().catch(cutOff));
    if (bytes.byteLength <= limit) return bytes;
    throw new RequestError(413, tooLarge(limit));
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (request.body !== null) {
    const reader = request.body.getReader();
    for (;;) {
      const { done, value } = await reader.read().catch(cutOff);
      if (done) break;
      size += value.byteLength;
      if (size <= limit) chunks.push(value);
      else chunks.length = 0;
      if (size > 10 * limit) {
        await reader.cancel();
        break;
      }
    }
  }
  if (size > limit) throw new RequestError(413, tooLarge(limit));
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}

/** The client went away in the middle: nobody reads the answer, and the server did nothing wrong. */
function cutOff(): never {
  throw new RequestError(400, [{ type: 'json_invalid', loc: ['body'], msg: 'The body was cut off.' }]);
}

function tooLarge(limit: number): string {
  return `The body is larger than ${limit} bytes.`;
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new RequestError(400, [{ type: 'json_invalid', loc: ['body'], msg: 'The body is not UTF-8.' }]);
  }
}
