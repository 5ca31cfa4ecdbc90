/** The same request to what stands below a path: of `/gym/verify` below `/gym` it is `/verify`. */
export async function below(request: Request, path: string): Promise<Request> {
  const url = new URL(request.url);
  const headers = new Headers(request.headers);
  if (url.pathname.startsWith(path)) {
    url.pathname = url.pathname.slice(path.length) || '/';
    headers.set('x-forwarded-prefix', `${headers.get('x-forwarded-prefix') ?? ''}${path}`);
  }
  const hasBody = request.method !== 'GET' && request.method !== 'HEAD';
  const inner = new Request(url, {
    method: request.method,
    ...(hasBody ? { body: await request.arrayBuffer() } : {}),
  });
  // Given to the request, a browser would drop the cookies among them.
  Object.defineProperty(inner, 'headers', { value: headers, configurable: true });
  return inner;
}
