import { messageOf } from '../data/messageOf';
import { useEffect, useState } from 'react';
import type { SourceId } from '../../ingest/protocol';
import { sourceOf } from '../stores/sources';
import { say } from '../stores/toasts';
import { openServed, reopen } from './open';

/**
 * A link names its source. Where that is not open, it is opened if it can be had without the person: a sample, a
 * file of the local server, a file kept from before. `missing` means that the person has to drop it.
 */
export type Reopening = { state: 'trying' | 'missing' } | { state: 'failed'; error: string };

export function useReopening(source: SourceId | undefined): Reopening {
  const [result, setResult] = useState<{ source: SourceId; reopening: Reopening }>();
  useEffect(() => {
    if (source === undefined) {
      openServed().catch((error: unknown) => say(messageOf(error)));
      return;
    }
    if (sourceOf(source) !== undefined) return;
    let wanted = true;
    const settle = (reopening: Reopening) => {
      if (wanted) setResult({ source, reopening });
    };
    reopen(source).then(
      (done) => settle({ state: done ? 'trying' : 'missing' }),
      (error: unknown) => settle({ state: 'failed', error: messageOf(error) }),
    );
    return () => {
      wanted = false;
    };
  }, [source]);
  return result !== undefined && result.source === source ? result.reopening : { state: 'trying' };
}
