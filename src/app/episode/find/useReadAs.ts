import { useEffect, useState } from 'react';
import type { TextMode } from '../../stores/preferences';
import { exactly, type ReadAs } from './texts';

/** How texts read in the mode they are shown in; what reads Markdown is fetched when it is first wanted. */
export function useReadAs(textMode: TextMode): ReadAs | undefined {
  const [markdown, setMarkdown] = useState<{ readAs: ReadAs }>();
  const wanted = textMode === 'markdown';
  useEffect(() => {
    if (!wanted) return;
    let mounted = true;
    const show = (readAs: ReadAs) => {
      if (mounted) setMarkdown({ readAs });
    };
    import('../../markdown/shownText').then(
      ({ shownText }) => show(shownText),
      // Without it nothing is drawn as Markdown either.
      () => show(exactly),
    );
    return () => {
      mounted = false;
    };
  }, [wanted]);
  return wanted ? markdown?.readAs : exactly;
}
