import * as v from 'valibot';

const Listing = v.object({
  sources: v.array(v.object({ id: v.string(), name: v.string(), size: v.number() })),
});

export interface ServedSource {
  name: string;
  size: number;
  load: () => Promise<Blob>;
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

/** The files the local server was started with; none on a page that no such server opened. */
export async function servedSources(): Promise<ServedSource[]> {
  const secret = keptToken();
  if (secret === null) return [];
  const headers = { 'x-rollscope-token': secret };
  const response = await fetch('api/sources', { headers });
  if (!response.ok) {
    // A kept token outlives its server: this page is then served by another, or by none.
    if (givenToken() === null) return [];
    throw new Error(`The local server answered ${response.status} to the list of its files.`);
  }
  const { sources } = v.parse(Listing, await response.json());
  return sources.map(({ id, name, size }) => ({
    name,
    size,
    load: async () => {
      const file = await fetch(`api/sources/${encodeURIComponent(id)}`, { headers });
      if (!file.ok) throw new Error(`The local server answered ${file.status} to ${name}.`);
      return file.blob();
    },
  }));
}
