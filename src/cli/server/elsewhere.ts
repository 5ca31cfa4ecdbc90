/**
 * A file of another host, for the page, which may not ask others itself: its policy allows no connection but to this
 * server. Only `GET`, without anything that would tell the host who asks.
 */
export async function elsewhere(address: string, request: Request): Promise<Response> {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    return refusal(400, `'${address}' is not a URL that begins with http:// or https://.`);
  }
  const range = request.headers.get('range');
  // Compressed on the way, parts of a file could not be told.
  const headers = { 'Accept-Encoding': 'identity', ...(range === null ? {} : { Range: range }) };
  let response: Response;
  try {
    response = await fetch(url, { headers, signal: request.signal });
  } catch (error) {
    return refusal(502, `${url.host} cannot be reached: ${reasonOf(error)}.`);
  }
  if (!response.ok && response.status !== 416) {
    await response.body?.cancel();
    return refusal(
      response.status < 400 ? 502 : response.status,
      `${url.host} answered ${response.status} ${response.statusText}`.trim() + '.',
    );
  }
  const { status } = response;
  return new Response(response.body, { status, headers: passedOn(response.headers) });
}

const passed = ['content-range', 'content-length', 'accept-ranges', 'etag', 'last-modified'];

function passedOn(from: Headers): Headers {
  const headers = new Headers({ 'Content-Type': 'application/octet-stream' });
  // `fetch` has decoded it, and the length was that of the code.
  const encoded = from.has('content-encoding');
  for (const name of passed) {
    const value = from.get(name);
    if (value !== null && !(encoded && name !== 'etag' && name !== 'last-modified')) headers.set(name, value);
  }
  return headers;
}

function refusal(status: number, error: string): Response {
  return Response.json({ error }, { status });
}

/** What is behind `fetch failed`: `connect ECONNREFUSED 127.0.0.1:80`. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : error.message;
}
