import * as v from 'valibot';
import type { RemoteFile } from '../../ingest/protocol';
import { TOKEN_HEADER } from '../../live/proxy-names';

const Listing = v.object({
  watch: v.optional(v.boolean(), false),
  sources: v.array(
    v.object({ id: v.string(), name: v.string(), size: v.number(), etag: v.optional(v.string()) }),
  ),
});

export interface ServedSource {
  name: string;
  file: RemoteFile;
}

/** What the local server was started with. */
export interface Served {
  /** The files are to be followed as they grow. */
  watch: boolean;
  sources: ServedSource[];
}

const TOKEN_KEY = 'rollscope.token';

/** The token that the local server put into the opened URL. */
function givenToken(): string | null {
  return new URLSearchParams(window.location.hash.slice(1)).get('token');
}

/** It is kept for this origin, so that a copied link, which does not hold it, opens in another tab as well. */
function keptToken(): string | null {
  try {
    const given = givenToken();
    if (given !== null) localStorage.setItem(TOKEN_KEY, given);
    return localStorage.getItem(TOKEN_KEY);
  } catch {
    return givenToken();
  }
}

/** What the local server asks for before it reads files or reaches other hosts; undefined where no such server opened the page. */
export function localServerToken(): string | undefined {
  return keptToken() ?? undefined;
}

/** An absolute address at the local server, for the worker too, and what it wants to see. */
export function atLocalServer(path: string): { address: string; headers: Record<string, string> } {
  return {
    address: new URL(path, document.baseURI).href,
    headers: { [TOKEN_HEADER]: localServerToken() ?? '' },
  };
}

async function askForSources(): Promise<Response | undefined> {
  if (localServerToken() === undefined) return undefined;
  const { address, headers } = atLocalServer('api/sources');
  return fetch(address, { headers });
}

/** A kept token outlives its server: this page may be served by another by now, or by none. */
export async function isLocalServerThere(): Promise<boolean> {
  return (await askForSources().catch(() => undefined))?.ok === true;
}

/** The files the local server was started with; none on a page that no such server opened. */
export async function servedSources(): Promise<Served> {
  const none = { watch: false, sources: [] };
  const response = await askForSources();
  if (response === undefined) return none;
  if (!response.ok) {
    if (givenToken() === null) return none;
    throw new Error(`The local server answered ${response.status} to the list of its files.`);
  }
  const { watch, sources } = v.parse(Listing, await response.json());
  return {
    watch,
    sources: sources.map(({ id, name, size, etag }) => {
      const { address, headers } = atLocalServer(`api/sources/${encodeURIComponent(id)}`);
      const file = { url: address, headers, size, ranges: true, ...(etag === undefined ? {} : { etag }) };
      return { name, file };
    }),
  };
}
