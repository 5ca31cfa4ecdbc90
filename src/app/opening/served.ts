import * as v from 'valibot';

const Listing = v.object({
  sources: v.array(v.object({ id: v.string(), name: v.string(), size: v.number() })),
});

export interface ServedSource {
  name: string;
  size: number;
  load: () => Promise<Blob>;
}

/** The token that the local server put into the opened URL, if this page was opened by it. */
function token(): string | undefined {
  return new URLSearchParams(window.location.hash.slice(1)).get('token') ?? undefined;
}

/** The files the local server was started with; none on a page that no such server opened. */
export async function servedSources(): Promise<ServedSource[]> {
  const secret = token();
  if (secret === undefined) return [];
  const headers = { 'x-rollscope-token': secret };
  const response = await fetch('api/sources', { headers });
  if (!response.ok) throw new Error(`The local server answered ${response.status} to the list of its files.`);
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
