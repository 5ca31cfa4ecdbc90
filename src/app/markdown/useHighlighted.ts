import { useEffect, useMemo, useState } from 'react';
import type * as highlighterModule from './highlighter';
import type { CodeSpan } from './spans';

type Highlighter = Pick<typeof highlighterModule, 'highlight'>;

let loaded: Highlighter | undefined;
let loading: Promise<Highlighter> | undefined;

/** Code of more pieces stays plain: each is an element. */
const MOST_SPANS = 3_000;

/** The spans of the code once the highlighter is there; undefined until then, and where it has no colours for it. */
export function useHighlighted(code: string, language: string | undefined): CodeSpan[] | undefined {
  const [highlighter, setHighlighter] = useState(loaded);
  const wanted = language !== undefined;
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
  return useMemo(() => {
    const spans = wanted && highlighter !== undefined ? highlighter.highlight(code, language) : undefined;
    return spans === undefined || spans.length > MOST_SPANS ? undefined : spans;
  }, [wanted, highlighter, code, language]);
}
