import { useEffect, useMemo, useState } from 'react';
import type * as highlighterModule from './highlighter';
import type { CodeSpan } from './spans';

type Highlighter = Pick<typeof highlighterModule, 'highlight'>;

let loaded: Highlighter | undefined;
let loading: Promise<Highlighter> | undefined;

/** Above this, colours are not worth the time they take. */
const LONGEST = 30_000;

/** The spans of the code once the highlighter is there; undefined until then, and where it has no colours for it. */
export function useHighlighted(code: string, language: string | undefined): CodeSpan[] | undefined {
  const [highlighter, setHighlighter] = useState(loaded);
  const wanted = language !== undefined && code.length <= LONGEST;
  useEffect(() => {
    if (!wanted || highlighter !== undefined) return;
    let mounted = true;
    loading ??= import('./highlighter');
    loading.then(
      (module) => {
        loaded = module;
        if (mounted) setHighlighter(module);
      },
      // Without it code stays plain; the next block tries again.
      () => {
        loading = undefined;
      },
    );
    return () => {
      mounted = false;
    };
  }, [wanted, highlighter]);
  return useMemo(
    () => (wanted && highlighter !== undefined ? highlighter.highlight(code, language) : undefined),
    [wanted, highlighter, code, language],
  );
}
