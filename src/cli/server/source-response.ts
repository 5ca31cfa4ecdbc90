import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import { rangeOf } from './range';

/** A file's bytes, or the part of them that the request asks for, read from disk while they are sent. */
export async function sourceResponse(file: string, request: Headers): Promise<Response> {
  const info = await stat(file).catch(() => undefined);
  if (info === undefined) return Response.json({ error: 'The file is not there any more.' }, { status: 410 });
  const { size, mtime } = info;
  const etag = `"${size.toString(36)}-${mtime.getTime().toString(36)}"`;
  const headers = new Headers({
    'Accept-Ranges': 'bytes',
    'Content-Type': 'application/octet-stream',
    ETag: etag,
    'Last-Modified': mtime.toUTCString(),
  });
  if (request.get('if-none-match') === etag) return new Response(null, { status: 304, headers });

  // A part of what the file was before is of no use: then the whole is sent.
  const condition = request.get('if-range');
  const current = condition === null || condition === etag;
  const range = current ? rangeOf(request.get('range') ?? undefined, size) : undefined;
  if (range === 'unsatisfiable') {
    headers.set('Content-Range', `bytes */${size}`);
    return new Response(null, { status: 416, headers });
  }
  const { start, end } = range ?? { start: 0, end: size };
  headers.set('Content-Length', String(end - start));
  if (range !== undefined) headers.set('Content-Range', `bytes ${start}-${end - 1}/${size}`);
  const blob = await openAsBlob(file);
  return new Response(blob.slice(start, end).stream(), { status: range === undefined ? 200 : 206, headers });
}
