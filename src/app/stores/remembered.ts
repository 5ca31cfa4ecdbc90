import * as v from 'valibot';

/**
 * Options of a store that is remembered in this browser. What storage holds may be from another version, or from
 * anybody: each field that does not fit is left out and keeps its default.
 */
export function remembered<T extends object>(
  name: string,
  fields: { [K in keyof T]: v.GenericSchema<unknown, T[K]> },
) {
  return {
    name: `rollscope.${name}`,
    version: 1,
    // Fields are checked one by one anyway.
    migrate: (stored: unknown) => stored,
    merge: (stored: unknown, defaults: T): T => {
      const kept = { ...defaults };
      for (const field in fields) {
        const read = v.safeParse(v.object({ [field]: fields[field] }), stored);
        if (read.success) Object.assign(kept, read.output);
      }
      return kept;
    },
  };
}
