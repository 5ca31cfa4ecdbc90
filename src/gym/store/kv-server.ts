/** The smallest service that `httpStore` can work with, in memory: for tests, and as an example of what one has to do. */
import { Hono } from 'hono';

export function createKeyValueServer(): {
  fetch(request: Request): Promise<Response>;
  readonly size: number;
} {
  const entries = new Map<string, { body: string; etag: string }>();
  let writes = 0;
  const app = new Hono();

  app.get('/:key', (c) => {
    const entry = entries.get(c.req.param('key'));
    if (entry === undefined) return c.text('', 404);
    return c.body(entry.body, 200, { 'content-type': 'application/json', etag: entry.etag });
  });
  app.put('/:key', async (c) => {
    const key = c.req.param('key');
    // The body first: what follows must not be interrupted between the check and the write.
    const body = await c.req.text();
    if (!allowed(entries.get(key)?.etag, c.req.header('if-match'), c.req.header('if-none-match')))
      return c.text('', 412);
    writes += 1;
    const etag = `"${writes}"`;
    entries.set(key, { body, etag });
    return c.body(null, 204, { etag });
  });
  app.delete('/:key', (c) => {
    const key = c.req.param('key');
    const etag = entries.get(key)?.etag;
    if (etag === undefined) return c.text('', 404);
    if (!allowed(etag, c.req.header('if-match'), undefined)) return c.text('', 412);
    entries.delete(key);
    return c.body(null, 204);
  });

  return {
    fetch: async (request) => app.fetch(request),
    get size() {
      return entries.size;
    },
  };
}

function allowed(
  etag: string | undefined,
  ifMatch: string | undefined,
  ifNoneMatch: string | undefined,
): boolean {
  if (ifMatch !== undefined && (etag === undefined || (ifMatch !== '*' && ifMatch !== etag))) return false;
  return !(ifNoneMatch === '*' && etag !== undefined);
}
