import { useEffect } from 'react';
import { ingest } from '../data/ingest';

/** What shows a dropped file is made ready while nobody waits for it. */

/** Once the page has drawn itself. */
const fetchAfterMs = 200;
/** Once that is mostly there. */
const rehearseAfterMs = 500;
let rehearsed = false;

export function useFetchedAhead(): void {
  useEffect(() => {
    const timer = setTimeout(() => {
      ingest();
      // What cannot be fetched now is asked for again, and said, when it is needed.
      import('../shell/Workspace').catch(() => undefined);
    }, fetchAfterMs);
    return () => clearTimeout(timer);
  }, []);
}

export function useRehearsal(): void {
  useEffect(() => {
    let end = (): void => undefined;
    let left = false;
    const timer = setTimeout(() => {
      if (rehearsed) return;
      import('../shell/rehearsal').then(
        ({ rehearse }) => {
          if (left || rehearsed) return;
          rehearsed = true;
          end = rehearse();
        },
        // Nothing is lost but time.
        () => undefined,
      );
    }, rehearseAfterMs);
    return () => {
      left = true;
      clearTimeout(timer);
      end();
    };
  }, []);
}
