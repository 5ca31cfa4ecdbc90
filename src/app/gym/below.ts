/** The same request to what stands below a path: of `/gym/verify` below `/gym` it is `/verify`. */
export async function below(request: Request, path: string): Promise<Request> {
  const url = new URL(request.url);
  if (url.pathname.startsWith(path)) url.pathname = url.pathname.slice(path.length) || '/';
  const hasBody = request.method !== 'GET' && request.method !== 'HEAD';
  const inner = new Request(url, {
    method: request.method,
    ...(hasBody ? { body: await request.arrayBuffer() } : {}),
  });
  // As they are: copied by a browser they would lose the cookies.
  Object.defineProperty(inner, 'headers', { value: request.headers, configurable: true });
  return inner;
}
