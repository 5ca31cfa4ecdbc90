import { useEffect, useState } from 'react';
import { Asker, type Answered } from './asker';

export interface Answer<T> {
  value?: T;
  failure?: string;
  /** It is of what is asked now, not of how that was before. */
  current: boolean;
}

/**
 * Asks the worker whenever `subject` or `revision` changes. An answer of an earlier revision of the same subject (a
 * source has grown) is shown until the next. With `keepLast` so is one of another subject, for things that would flash
 * otherwise.
 */
export function useAnswer<T>(
  subject: string | undefined,
  revision: string,
  ask: () => Promise<T>,
  { keepLast = false }: { keepLast?: boolean } = {},
): Answer<T> {
  const [answer, setAnswer] = useState<Answered<T>>();
  const [asker] = useState(() => new Asker<T>(setAnswer));

  useEffect(() => {
    asker.want(subject === undefined ? undefined : { subject, revision, ask });
    // `subject` and `revision` stand for everything `ask` depends on.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [asker, subject, revision]);

  useEffect(() => () => asker.want(undefined), [asker]);

  const isOfThis = answer?.subject === subject;
  if (subject === undefined || answer === undefined || (!isOfThis && !keepLast)) return { current: false };
  const { value, failure } = answer;
  return {
    ...(value === undefined ? {} : { value }),
    ...(failure === undefined ? {} : { failure }),
    current: isOfThis && answer.revision === revision,
  };
}
