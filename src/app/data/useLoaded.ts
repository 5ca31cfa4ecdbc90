import { useEffect, useState } from 'react';
import { errorText } from '../../model/error-text';
import { inTurn } from './turns';

export type Loaded<T> =
  | { state: 'loading'; value?: T }
  | { state: 'ready'; value: T }
  | { state: 'failed'; error: string; value?: T };

/**
 * Loads a value whenever `key` changes; without a key nothing is loaded. An answer that comes too late is dropped.
 * With `keepLast` the last value stays while the next is on its way, for things that would flash otherwise.
 */
export function useLoaded<T>(
  key: string | undefined,
  load: () => Promise<T>,
  { keepLast = false }: { keepLast?: boolean } = {},
): Loaded<T> {
  const [result, setResult] = useState<{ key: string; loaded: Loaded<T> }>();
  useEffect(() => {
    if (key === undefined) return;
    let wanted = true;
    let forget = () => {};
    // An episode, its findings and its neighbours in the table can come at once, and each takes a while to draw.
    const show = (loaded: Loaded<T>) => {
      if (wanted) forget = inTurn(() => setResult({ key, loaded }));
    };
    load().then(
      (value) => show({ state: 'ready', value }),
      (error: unknown) => show({ state: 'failed', error: errorText(error) }),
    );
    return () => {
      wanted = false;
      forget();
    };
    // `key` stands for everything `load` depends on.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [key]);
  if (key !== undefined && result?.key === key) return result.loaded;
  const last = result?.loaded.value;
  return keepLast && last !== undefined ? { state: 'loading', value: last } : { state: 'loading' };
}
