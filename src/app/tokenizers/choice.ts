import * as v from 'valibot';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { remembered } from '../stores/remembered';
import { filesOf, forget, keptTokenizers, type KeptTokenizer, type TokenizerFiles } from './kept';
import type { TokenizerSource } from './protocol';

/** `none`: sizes are estimated; `bundled`; or the id of a tokenizer that was brought. */
const useChosen = create<{ chosen: string }>()(
  persist((): { chosen: string } => ({ chosen: 'bundled' }), remembered('tokenizer', { chosen: v.string() })),
);

interface Brought {
  list: readonly KeptTokenizer[];
  /** Those whose storage the browser refused, for as long as the page is open. */
  held: ReadonlyMap<string, TokenizerFiles>;
}

const useBrought = create<Brought>()(() => ({ list: [], held: new Map() }));

let looked = false;

/** Reads the list from storage, once. */
export function lookForTokenizers(): void {
  if (looked) return;
  looked = true;
  void keptTokenizers().then((kept) => {
    useBrought.setState(({ list }) => ({
      list: [...kept, ...list.filter(({ id }) => kept.every((each) => each.id !== id))],
    }));
  });
}

export const useTokenizers = () => useBrought((state) => state.list);

export const useChosenTokenizer = () => useChosen((state) => state.chosen);

export function chooseTokenizer(chosen: string): void {
  useChosen.setState({ chosen });
}

export function addTokenizer(files: TokenizerFiles, isKept: boolean): void {
  const { id, name, hasTemplate, addedAt } = files;
  useBrought.setState(({ list, held }) => ({
    list: [...list.filter((each) => each.id !== id), { id, name, hasTemplate, addedAt }],
    held: isKept ? held : new Map(held).set(id, files),
  }));
  chooseTokenizer(id);
}

export function forgetTokenizer(id: string): void {
  void forget(id);
  useBrought.setState(({ list }) => ({ list: list.filter((each) => each.id !== id) }));
  chooseTokenizer('bundled');
}

/** `bundled` where none is chosen: a run cannot do without tokens. */
export function chosenForRuns(): string {
  const { chosen } = useChosen.getState();
  return chosen === 'none' ? 'bundled' : chosen;
}

/** What the worker needs of a choice; undefined for none, and for one that is gone. */
export async function sourceFor(chosen: string): Promise<TokenizerSource | undefined> {
  if (chosen === 'none') return undefined;
  if (chosen === 'bundled') return { kind: 'bundled' };
  const files = useBrought.getState().held.get(chosen) ?? (await filesOf(chosen));
  if (files === undefined) return undefined;
  const { id, name, tokenizer, settings } = files;
  return { kind: 'file', id, name, tokenizer, ...(settings === undefined ? {} : { settings }) };
}

export const bundledName = 'cl100k_base';
