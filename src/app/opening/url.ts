import type { RemoteFile } from '../../ingest/protocol';
import { describeRemote } from '../../ingest/remote';
import { atLocalServer, isLocalServerThere } from './served';

/** The URL a person may mean: `example.org/run.jsonl` is one. Undefined where it is none that can be opened. */
export function urlOf(text: string): URL | undefined {
  const written = text.trim();
  const absolute = /^[a-z][a-z0-9+.-]*:\/\//i.test(written) ? written : `https://${written}`;
  if (!URL.canParse(absolute)) return undefined;
  const url = new URL(absolute);
  const isFile = /^https?:$/.test(url.protocol) && url.pathname.length > 1;
  return isFile && (url.hostname === 'localhost' || /[.\]]/.test(url.hostname)) ? url : undefined;
}

export const isUrl = (id: string) => /^https?:\/\//.test(id);

/** The file's own name: `run.jsonl`. */
export function nameOfUrl(url: URL): string {
  const last = url.pathname.split('/').findLast((part) => part !== '') ?? url.host;
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

/**
 * The page may talk to its own origin alone. What is elsewhere comes through the local server, where that is what
 * opened the page.
 */
export async function fileAtUrl(url: URL): Promise<RemoteFile> {
  if (url.origin === window.location.origin) return describeRemote(url.href);
  if (!(await isLocalServerThere())) {
    throw new Error(
      'This copy of the page cannot fetch from other hosts. Download the file and drop it here, or start rollscope on your machine and open the URL there.',
    );
  }
  const { address, headers } = atLocalServer(`api/elsewhere?url=${encodeURIComponent(url.href)}`);
  return describeRemote(address, headers);
}
