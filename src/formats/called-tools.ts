import type { Episode } from '../model';

/** A name that is longer is cut: it is something else. */
const longestName = 80;

/** Names of tools, each once, as they first came. */
export function distinctTools(names: readonly (string | undefined)[]): string[] {
  return [...new Set(names.map((name) => (name ?? '').slice(0, longestName)))].filter((name) => name !== '');
}

/** The tools that the policy called. */
export function calledTools({ messages }: Episode): string[] {
  return distinctTools(
    messages.flatMap(({ origin, parts }) =>
      origin === 'policy' ? parts.flatMap((part) => (part.kind === 'call' ? part.call.name : [])) : [],
    ),
  );
}
