/** One event of a server-sent stream. */
export interface ServerSentEvent {
  readonly event: string;
  readonly data: string;
}

/** Characters of one event that are held at most: nobody's turn is longer, and an endless line would fill the memory. */
const MOST = 64 * 1024 * 1024;

/**
 * The events of a stream, however it was cut into pieces: within a character, within a line, between `\r` and `\n`. An
 * event that its blank line does not end is still one.
 */
export async function* serverSentEvents(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<ServerSentEvent> {
  let event = '';
  let data: string[] = [];
  let size = 0;
  for await (const line of linesOf(body)) {
    if (line === '') {
      if (data.length > 0) yield { event, data: data.join('\n') };
      event = '';
      data = [];
      size = 0;
      continue;
    }
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'data') data.push(value);
    if (field === 'event') event = value;
    size += line.length;
    if (size > MOST) throw new Error('The stream has an event that is too long.');
  }
  if (data.length > 0) yield { event, data: data.join('\n') };
}

async function* linesOf(body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let pieces: string[] = [];
  let size = 0;
  let endedWithReturn = false;
  for await (const bytes of body) {
    let text = decoder.decode(bytes, { stream: true });
    if (endedWithReturn && text !== '') {
      // The `\n` of a `\r\n` that was cut in two.
      if (text.startsWith('\n')) text = text.slice(1);
      endedWithReturn = false;
    }
    const parts = text.split(/\r\n|\n|\r/);
    if (text.endsWith('\r')) endedWithReturn = true;
    const last = parts.pop() ?? '';
    for (const part of parts) {
      yield pieces.length === 0 ? part : pieces.join('') + part;
      pieces = [];
      size = 0;
    }
    pieces.push(last);
    size += last.length;
    if (size > MOST) throw new Error('The stream has a line that is too long.');
  }
  const rest = pieces.join('') + decoder.decode();
  if (rest !== '') yield rest;
}
