import type { Stats } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { rangeOf } from './range';
import type { ByteRange } from './range';

/**
 * A file's bytes, or the part of them that the request asks for, read from disk while they are sent. The file may
 * grow meanwhile: what it was when it was asked for is sent. Where it shrinks, `breakOff` ends the connection, so that
 * nobody takes what was sent for the whole.
 */
export async function sourceResponse(
  file: string,
  request: Request,
  breakOff: () => void,
): Promise<Response> {
  const info = await stat(file).catch(() => undefined);
  // Opening a pipe would wait for whoever writes into it.
  if (info?.isFile() !== true) return gone();
  const { size, mtime } = info;
  const etag = etagOf(info);
  const headers = new Headers({
    'Accept-Ranges': 'bytes',
    'Content-Type': 'application/octet-stream',
    ETag: etag,
    'Last-Modified': mtime.toUTCString(),
  });
  if (request.headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers });

  // A part of what the file was before is of no use: then the whole is sent.
  const condition = request.headers.get('if-range');
  const current = condition === null || condition === etag;
  const range = current ? rangeOf(request.headers.get('range') ?? undefined, size) : undefined;
  if (range === 'unsatisfiable') {
    headers.set('Content-Range', `bytes */${size}`);
    return new Response(null, { status: 416, headers });
  }
  const { start, end } = range ?? { start: 0, end: size };
  headers.set('Content-Length', String(end - start));
  if (range !== undefined) headers.set('Content-Range', `bytes ${start}-${end - 1}/${size}`);
  const status = range === undefined ? 200 : 206;
  if (request.method === 'HEAD') return new Response(null, { status, headers });
  const opened = await open(file).catch(() => undefined);
  return opened === undefined
    ? gone()
    : new Response(bytesOf(opened, { start, end }, breakOff), { status, headers });
}

/** Another one whenever the file is. */
export function etagOf({ size, mtime }: Pick<Stats, 'size' | 'mtime'>): string {
  return `"${size.toString(36)}-${mtime.getTime().toString(36)}"`;
}

function gone(): Response {
  return Response.json({ error: 'The file is not there any more, or can not be read.' }, { status: 410 });
}

const chunkBytes = 256 * 1024;

function bytesOf(
  file: FileHandle,
  { start, end }: ByteRange,
  breakOff: () => void,
): ReadableStream<Uint8Array> {
  let at = start;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const length = Math.min(chunkBytes, end - at);
        const bytes = await read(file, at, length);
        at += bytes.length;
        if (bytes.length > 0) controller.enqueue(bytes);
        if (bytes.length > 0 && at < end) return;
        await file.close();
        // An error would be told as one of this program.
        if (at < end) breakOff();
        else controller.close();
      },
      cancel: () => file.close(),
    },
    { highWaterMark: 0 },
  );
}

/** Nothing where there is nothing more, or it can not be read. */
async function read(file: FileHandle, position: number, length: number): Promise<Uint8Array> {
  const buffer = new Uint8Array(length);
  const { bytesRead } = await file.read(buffer, 0, length, position).catch(() => ({ bytesRead: 0 }));
  return buffer.subarray(0, bytesRead);
}
