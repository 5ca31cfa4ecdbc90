import { pause } from '../../ingest/breathe';
import { errorText } from '../../model/error-text';
import { isAtWork } from './atWork';
import { restsFor } from './pace';

export interface Question<T> {
  subject: string;
  /** Of the same subject another one is wanted when a source has grown. */
  revision: string;
  ask: () => Promise<T>;
}

export interface Answered<T> {
  subject: string;
  revision: string;
  value?: T;
  failure?: string;
}

/**
 * Asks the worker one question at a time: what is wanted while an answer is on its way is asked after it, and of many
 * such questions only the last. An answer to another subject than is wanted by then is dropped.
 */
export class Asker<T> {
  private readonly answered: (answer: Answered<T>) => void;
  private wanted: Question<T> | undefined;
  private asking = false;
  /** The last question, and until when it is not asked again only because a source has grown. */
  private rests: { subject: string; until: number } | undefined;

  constructor(answered: (answer: Answered<T>) => void) {
    this.answered = answered;
  }

  want(question: Question<T> | undefined): void {
    this.wanted = question;
    if (!this.asking) void this.answerAll();
  }

  private async answerAll(): Promise<void> {
    this.asking = true;
    let asked: Question<T> | undefined;
    while (this.wanted !== undefined && this.wanted !== asked) {
      await this.rest();
      // It may be another one by now, or none.
      asked = this.wanted;
      if (asked !== undefined) await this.answer(asked);
    }
    this.asking = false;
  }

  private async answer({ subject, revision, ask }: Question<T>): Promise<void> {
    const start = performance.now();
    const result = await ask().then(
      (value) => ({ value }),
      (error: unknown) => ({ failure: errorText(error) }),
    );
    const now = performance.now();
    this.rests = { subject, until: now + restsFor(now - start) };
    if (this.wanted?.subject === subject) this.answered({ subject, revision, ...result });
  }

  /** The same, asked again because a source has grown, must not keep the worker from reading on. */
  private async rest(): Promise<void> {
    const { rests } = this;
    if (rests === undefined) return;
    for (;;) {
      const left = rests.until - performance.now();
      if (left <= 0 || this.wanted?.subject !== rests.subject || !isAtWork()) return;
      await pause(Math.min(50, left));
    }
  }
}
