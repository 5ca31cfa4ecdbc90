import { createHash, timingSafeEqual } from 'node:crypto';
import { stat } from 'node:fs/promises';
import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { contentSecurityPolicy } from '../csp';
import { proxied } from './proxy';
import { elsewhere } from './elsewhere';
import { etagOf, sourceResponse } from './source-response';
import type { StaticFile } from './static';

/** A file the page may read. */
export interface ServedSource {
  name: string;
  /** Where it is on disk; never told to the page. */
  file: string;
}

export interface ServerOptions {
  port: number;
  /** Whoever has it may read the sources. It is in the URL that is opened, after the `#`, which no request carries. */
  token: string;
  files: ReadonlyMap<string, StaticFile>;
  sources: readonly ServedSource[];
  /** The files are followed as they grow: gives all there are by now, in the same order, new ones at the end. */
  watch?: () => Promise<readonly ServedSource[]>;
}

/** The local server, as a function from request to response. */
export function serverApp(options: ServerOptions): Hono<{ Bindings: HttpBindings }> {
  const { port, token, files, watch } = options;
  let { sources } = options;
  const hosts = new Set(['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${port}`));
  const origins = new Set([...hosts].map((host) => `http://${host}`));
  const app = new Hono<{ Bindings: HttpBindings }>();

  // A page elsewhere can point its own name at 127.0.0.1 (DNS rebinding): then `Host` gives it away. Or it can send
  // requests here from its own origin: then `Origin` does.
  app.use(async (context, next) => {
    const origin = context.req.header('origin');
    const known =
      hosts.has(context.req.header('host') ?? '') && (origin === undefined || origins.has(origin));
    if (known) await next();
    else context.res = context.text('This server answers only to its own page.', 403);
    context.header('Content-Security-Policy', contentSecurityPolicy);
    context.header('X-Content-Type-Options', 'nosniff');
    context.header('Referrer-Policy', 'no-referrer');
    context.header('Cross-Origin-Resource-Policy', 'same-origin');
  });

  app.use('/api/*', async (context, next) => {
    if (!sameSecret(context.req.header('x-rollscope-token') ?? '', token)) {
      return context.json({ error: 'This needs the token of the URL that rollscope printed.' }, 403);
    }
    await next();
    context.header('Cache-Control', 'no-store');
  });

  app.get('/api/sources', async (context) => {
    if (watch !== undefined) sources = await watch();
    const listed = await Promise.all(
      sources.map(async ({ name, file }, index) => {
        const info = await stat(file).catch(() => undefined);
        const known = info?.isFile() === true ? { size: info.size, etag: etagOf(info) } : { size: 0 };
        return { id: String(index), name, ...known };
      }),
    );
    return context.json({ watch: watch !== undefined, sources: listed });
  });

  app.get('/api/sources/:id', async (context) => {
    const id = context.req.param('id');
    const source = /^\d+$/.test(id) ? sources[Number(id)] : undefined;
    if (source === undefined) return context.json({ error: 'There is no such source.' }, 404);
    return sourceResponse(source.file, context.req.raw, () => context.env.outgoing.destroy());
  });

  app.all('/api/proxy', (context) => proxied(context.req.raw, port));

  app.get('/api/elsewhere', (context) => elsewhere(context.req.query('url') ?? '', context.req.raw));

  app.all('/api/*', (context) => context.json({ error: 'There is nothing here.' }, 404));

  app.get('*', async (context) => {
    const file = files.get(context.req.path);
    if (file === undefined) return context.text('There is nothing here.', 404);
    return context.body(await file.read(), 200, {
      'Content-Type': file.type,
      'Cache-Control': file.immutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    });
  });

  return app;
}

function sameSecret(given: string, wanted: string): boolean {
  // Digests have one length, which the comparison needs.
  return timingSafeEqual(digest(given), digest(wanted));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
