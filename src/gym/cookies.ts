/** Cookies on requests and responses, also in a browser, whose own Request and Response drop both headers. */

/** The first cookie of a name in a `Cookie` header. Values are taken as they stand, without decoding. */
export function readCookie(header: string | null, name: string): string | undefined {
  for (const pair of (header ?? '').split(';')) {
    const equals = pair.indexOf('=');
    if (equals < 0 || pair.slice(0, equals).trim() !== name) continue;
    const value = pair.slice(equals + 1).trim();
    return value.startsWith('"') && value.endsWith('"') && value.length > 1 ? value.slice(1, -1) : value;
  }
  return undefined;
}

export function cookieFor(name: string, value: string): string {
  return `${name}=${value}; Path=/; HttpOnly; SameSite=Lax`;
}

/** The request with a `Cookie` header, which a browser's Request does not let one set. */
export function withCookie(request: Request, cookie: string): Request {
  if (cookie === '') return request;
  return withHeaders(request, 'cookie', cookie);
}

/** The response with one more `Set-Cookie`, which a browser's Response does not let one set. */
export function withSetCookie(response: Response, cookie: string): Response {
  return withHeaders(response, 'set-cookie', cookie);
}

/**
 * Appends where the message allows it (Node). Where it does not, it is made to answer with headers of their own, which nobody guards.
 */
function withHeaders<Message extends Request | Response>(
  message: Message,
  name: string,
  value: string,
): Message {
  try {
    message.headers.append(name, value);
  } catch {
    // The headers of a message that came over the network cannot be changed.
  }
  if (message.headers.get(name)?.includes(value) === true) return message;
  const headers = new Headers(message.headers);
  headers.append(name, value);
  Object.defineProperty(message, 'headers', { value: headers, configurable: true });
  return message;
}
