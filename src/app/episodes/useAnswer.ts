import { useEffect, useRef, useState } from 'react';
import { errorText } from '../../model/error-text';
import { isAtWork } from './atWork';
import { restsFor } from './pace';

export interface Answer<T> {
  value?: T;
  failure?: string;
  /** It is of what is asked now, not of how that was before. */
  current: boolean;
}

interface Question<T> {
  subject: string;
  revision: string;
  ask: () => Promise<T>;
}

/**
 * Asks the worker whenever `subject` or `revision` changes, one question at a time: what is wanted while an answer is
 * on its way is asked after it, and of many such questions only the last. An answer to another subject is dropped; one
 * of an earlier revision of the same subject (a source has grown) is shown until the next. With `keepLast` so is one of
 * another subject, for things that would flash otherwise.
 */
export function useAnswer<T>(
  subject: string | undefined,
  revision: string,
  ask: () => Promise<T>,
  { keepLast = false }: { keepLast?: boolean } = {},
): Answer<T> {
  const [answer, setAnswer] = useState<{ subject: string; revision: string; value?: T; failure?: string }>();
  const wanted = useRef<Question<T>>(undefined);
  const asking = useRef(false);
  /** The last question, and until when it is not asked again only because a source has grown. */
  const rests = useRef<{ subject: string; until: number }>(undefined);

  useEffect(() => {
    wanted.current = subject === undefined ? undefined : { subject, revision, ask };
    if (!asking.current) void answerAll();

    async function answerAll(): Promise<void> {
      asking.current = true;
      let asked: Question<T> | undefined;
      while (wanted.current !== undefined && wanted.current !== asked) {
        const last = rests.current;
        // The same, asked again because a source has grown, must not keep the worker from reading on.
        const goOn = () => wanted.current?.subject !== last?.subject || !isAtWork();
        if (last !== undefined) await restUntil(last.until, goOn);
        if (wanted.current === undefined) break;
        asked = wanted.current;
        const { subject: of, revision: at } = asked;
        const start = performance.now();
        const result = await asked.ask().then(
          (value) => ({ value }),
          (error: unknown) => ({ failure: errorText(error) }),
        );
        const now = performance.now();
        rests.current = { subject: of, until: now + restsFor(now - start) };
        // The cleanup below may have run meanwhile.
        const still: Question<T> | undefined = wanted.current;
        if (still?.subject === of) setAnswer({ subject: of, revision: at, ...result });
      }
      asking.current = false;
    }
    // `subject` and `revision` stand for everything `ask` depends on.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [subject, revision]);

  useEffect(
    () => () => {
      wanted.current = undefined;
    },
    [],
  );

  const isOfThis = answer?.subject === subject;
  if (subject === undefined || answer === undefined || (!isOfThis && !keepLast)) return { current: false };
  const { value, failure } = answer;
  return {
    ...(value === undefined ? {} : { value }),
    ...(failure === undefined ? {} : { failure }),
    current: isOfThis && answer.revision === revision,
  };
}

/** Waits until a moment, or until there is no more reason to. */
async function restUntil(moment: number, goOn: () => boolean): Promise<void> {
  while (performance.now() < moment && !goOn()) {
    const left = moment - performance.now();
    await new Promise((resolve) => setTimeout(resolve, Math.min(50, left)));
  }
}
