import { create } from 'zustand';

/** Why something cannot be done with the table; undefined where it can. */
export interface Lacks {
  check: string | undefined;
  group: string | undefined;
  columns: string | undefined;
}

export const noColumns = 'There are no columns to choose from';

export const unknownLacks: Lacks = { check: undefined, group: undefined, columns: undefined };

/** As the region says it, for the commands; nothing is known while that is closed. */
export const useLacks = create<Lacks>()(() => unknownLacks);
