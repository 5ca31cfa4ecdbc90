import { useEffect } from 'react';
import { ingest } from '../data/ingest';

/** Once the page has drawn itself. */
const fetchAfterMs = 200;
/** Once that is mostly there. */
const rehearseAfterMs = 500;
let rehearsed = false;

/** What shows a dropped file is fetched and made ready while nobody waits for it. */
export function usePrepared(): void {
  useEffect(() => {
    let end = (): void => undefined;
    let left = false;
    // What cannot be fetched now is asked for again, and said, when it is needed.
    const nothing = () => undefined;
    const fetching = setTimeout(() => {
      ingest();
      import('../shell/Workspace').catch(nothing);
    }, fetchAfterMs);
    const rehearsing = setTimeout(() => {
      if (rehearsed) return;
      rehearsed = true;
      import('../shell/rehearsal').then(({ rehearse }) => {
        if (!left) end = rehearse();
      }, nothing);
    }, rehearseAfterMs);
    return () => {
      left = true;
      clearTimeout(fetching);
      clearTimeout(rehearsing);
      end();
    };
  }, []);
}
