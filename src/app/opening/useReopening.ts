import { useCallback, useEffect, useState } from 'react';
import type { SourceId } from '../../ingest/protocol';
import { errorText } from '../../model/error-text';
import { sourceOf } from '../stores/sources';
import { say } from '../stores/toasts';
import { openServed, reopen, type Reopened } from './open';

/**
 * A link names its source. Where that is not open, it is opened if it can be had without the person: a sample, a
 * file of the local server, a file kept from before. `missing` means that the person has to drop it, `ask` that a
 * click is enough.
 */
export type Reopening =
  | { state: 'trying' | 'missing' }
  | { state: 'ask'; what: 'file' | 'url'; open: () => void }
  | { state: 'failed'; error: string };

export function useReopening(source: SourceId | undefined): Reopening {
  const [result, setResult] = useState<{ source: SourceId; reopened: Reopened | { error: string } }>();
  const settle = useCallback((source: SourceId, asked: boolean) => {
    reopen(source, asked).then(
      (reopened) => setResult({ source, reopened }),
      (error: unknown) => setResult({ source, reopened: { error: errorText(error) } }),
    );
  }, []);
  useEffect(() => {
    if (source === undefined) openServed().catch((error: unknown) => say(errorText(error)));
    else if (sourceOf(source) === undefined) settle(source, false);
  }, [source, settle]);

  if (source === undefined || result === undefined || result.source !== source) return { state: 'trying' };
  const { reopened } = result;
  if (typeof reopened === 'object') return { state: 'failed', ...reopened };
  if (reopened === 'opened') return { state: 'trying' };
  if (reopened === 'missing') return { state: 'missing' };
  return {
    state: 'ask',
    what: reopened === 'ask for file' ? 'file' : 'url',
    open: () => settle(source, true),
  };
}
