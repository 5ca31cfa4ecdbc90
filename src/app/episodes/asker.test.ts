import * as fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Asker, type Answered } from './asker';
import { isAtWork } from './atWork';

vi.mock(import('./atWork'), () => ({ isAtWork: vi.fn<typeof isAtWork>() }));

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** What is asked of a worker that takes its time, and what comes of it. */
function slowWorker(took = 100) {
  const asked: string[] = [];
  const answers: Answered<string>[] = [];
  let atOnce = 0;
  let most = 0;
  let wanted = '';
  const asker = new Asker<string>((answer) => {
    expect(answer.subject).toBe(wanted);
    answers.push(answer);
  });
  const want = (subject: string, revision: number) => {
    wanted = subject;
    asker.want({
      subject,
      revision: String(revision),
      ask: async () => {
        asked.push(`${subject}${revision}`);
        most = Math.max(most, ++atOnce);
        await new Promise((resolve) => setTimeout(resolve, took));
        atOnce -= 1;
        return `${subject}${revision}`;
      },
    });
  };
  return { asker, want, asked, answers, most: () => most };
}

test('one question is asked at a time, and what is wanted last is answered in the end', async () => {
  const wish = fc.record({ after: fc.nat(300), subject: fc.constantFrom('a', 'b'), atWork: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(wish, { minLength: 1, maxLength: 12 }), async (wishes) => {
      const { want, answers, most } = slowWorker();
      let last = '';
      for (const [index, { after, subject, atWork }] of wishes.entries()) {
        vi.mocked(isAtWork).mockReturnValue(atWork);
        await vi.advanceTimersByTimeAsync(after);
        want(subject, index);
        last = `${subject}${index}`;
      }
      await vi.runAllTimersAsync();
      expect(answers.at(-1)?.value).toBe(last);
      expect(most()).toBe(1);
    }),
  );
});

test('of what was wanted meanwhile only the last is asked', async () => {
  vi.mocked(isAtWork).mockReturnValue(false);
  const { want, asked } = slowWorker();
  for (let revision = 0; revision < 5; revision++) {
    want('rows', revision);
    await vi.advanceTimersByTimeAsync(10);
  }
  await vi.runAllTimersAsync();
  expect(asked).toEqual(['rows0', 'rows4']);
});

test('the same takes a tenth of the worker, as long as that reads', async () => {
  vi.mocked(isAtWork).mockReturnValue(true);
  const { want, asked } = slowWorker(100);
  for (let revision = 0; revision < 95; revision++) {
    want('rows', revision);
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(asked).toHaveLength(10);
  vi.mocked(isAtWork).mockReturnValue(false);
  want('rows', 95);
  await vi.advanceTimersByTimeAsync(150);
  expect(asked).toHaveLength(11);
});

test('another subject does not wait for that', async () => {
  vi.mocked(isAtWork).mockReturnValue(true);
  const { want, answers } = slowWorker(100);
  want('rows', 0);
  await vi.advanceTimersByTimeAsync(110);
  want('rows', 1);
  await vi.advanceTimersByTimeAsync(10);
  want('groups', 1);
  await vi.advanceTimersByTimeAsync(160);
  expect(answers.map(({ value }) => value)).toEqual(['rows0', 'groups1']);
});

test('who wants nothing any more hears nothing', async () => {
  vi.mocked(isAtWork).mockReturnValue(false);
  const { asker, want, answers } = slowWorker();
  want('rows', 0);
  await vi.advanceTimersByTimeAsync(10);
  asker.want(undefined);
  await vi.runAllTimersAsync();
  expect(answers).toEqual([]);
});

test('what went wrong is an answer, too', async () => {
  vi.mocked(isAtWork).mockReturnValue(false);
  const answers: Answered<string>[] = [];
  const asker = new Asker<string>((answer) => answers.push(answer));
  asker.want({ subject: 'rows', revision: '0', ask: () => Promise.reject(new Error('the worker is gone')) });
  await vi.runAllTimersAsync();
  expect(answers).toEqual([{ subject: 'rows', revision: '0', failure: 'the worker is gone' }]);
});
