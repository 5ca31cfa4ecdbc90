import { createStore, del, entries, get, set, type UseStore } from 'idb-keyval';

/** A tokenizer that the person brought, kept in this browser. */
export interface KeptTokenizer {
  id: string;
  name: string;
  hasTemplate: boolean;
  addedAt: number;
}

export interface TokenizerFiles extends KeptTokenizer {
  tokenizer: Blob;
  settings?: Blob;
}

let opened: UseStore | undefined;
function store(): UseStore {
  opened ??= createStore('rollscope-tokenizers', 'files');
  return opened;
}

/** False where the browser refuses storage. */
export async function keep(files: TokenizerFiles): Promise<boolean> {
  try {
    await set(files.id, files, store());
    return true;
  } catch {
    return false;
  }
}

/** In the order they came. */
export async function keptTokenizers(): Promise<KeptTokenizer[]> {
  try {
    const all = await entries<string, TokenizerFiles>(store());
    return all
      .map(([, { id, name, hasTemplate, addedAt }]) => ({ id, name, hasTemplate, addedAt }))
      .sort((a, b) => a.addedAt - b.addedAt);
  } catch {
    return [];
  }
}

export async function filesOf(id: string): Promise<TokenizerFiles | undefined> {
  try {
    return await get<TokenizerFiles>(id, store());
  } catch {
    return undefined;
  }
}

export async function forget(id: string): Promise<void> {
  try {
    await del(id, store());
  } catch {
    // Nothing was kept.
  }
}
