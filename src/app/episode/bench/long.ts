import type { Page } from 'playwright';
import { dropFiles } from '../../../../e2e/support/drop';
import { middleRound, quantile, roundsText, type Bench, type Row, type Section } from '../../bench/section';
import { longEpisode } from './long-episode';

const full = 10_000;

/** An episode of 10,000 messages and 1,000 deletes: what it takes, and how a change of step is drawn. */
export const longEpisodes: Section = {
  id: 'episode',
  async run(bench) {
    return [...(await memory(bench)), await stepping(bench), ...(await copying(bench))];
  },
};

async function memory(bench: Bench): Promise<Row[]> {
  const sizes: Record<'half' | 'whole', number[]> = { half: [], whole: [] };
  const times = bench.quick ? 1 : 3;
  for (let time = 0; time < times; time++) {
    const [small, half, whole] = [
      await heapOf(bench, 20),
      await heapOf(bench, full / 2),
      await heapOf(bench, full),
    ];
    sizes.half.push(half - small);
    sizes.whole.push(whole - small);
  }
  const { ratio, a, b } = middleRound(sizes.whole, sizes.half);
  return [
    {
      what: 'memory of an open episode, twice the messages and deletes against once',
      value: ratio,
      unit: 'x',
      bound: { under: 2.2 },
      how: `${roundsText(times)}; the page's heap, ${mb(a)} against ${mb(b)} MB`,
    },
  ];
}

/** The page's heap with an episode open that was stepped through from end to end. */
async function heapOf(bench: Bench, messages: number): Promise<number> {
  const page = await opened(bench, messages);
  for (const key of ['End', 'Home', 'End']) {
    await page.getByRole('slider', { name: 'Step' }).press(key);
    await page.waitForTimeout(200);
  }
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await page.close();
  return usedSize;
}

/** Sixty changes of step, one in every frame, from the middle of the episode on. */
async function stepping(bench: Bench): Promise<Row> {
  const app = await opened(bench, full);
  const empty = await bench.openPlainPage();
  await empty.setContent('<!doctype html><title>Nothing</title>');
  const slider = app.getByRole('slider', { name: 'Step' });
  await slider.press('End');
  for (let page = 0; page < 5; page++) await slider.press('PageDown');
  const p95: Record<'app' | 'empty', number[]> = { app: [], empty: [] };
  for (let time = 0; time <= bench.times; time++) {
    await app.bringToFront();
    const stepped = await frameTimes(app, 60, true);
    await empty.bringToFront();
    const idle = await frameTimes(empty, 60, false);
    if (time === 0) continue;
    p95.app.push(quantile(stepped, 0.95));
    p95.empty.push(quantile(idle, 0.95));
  }
  await app.close();
  await empty.close();
  const { ratio, a, b } = middleRound(p95.app, p95.empty);
  return {
    what: 'change of step among 5,000: p95 of the frame times against an empty page',
    value: ratio,
    unit: 'x',
    bound: { under: 1.25 },
    how: `${roundsText(bench.times)}; ${a.toFixed(1)} against ${b.toFixed(1)} ms`,
  };
}

/** The times between frames; where `stepping`, a step is made in each. */
function frameTimes(page: Page, count: number, stepping: boolean): Promise<number[]> {
  return page.evaluate(
    ({ count, stepping }) =>
      new Promise<number[]>((resolve) => {
        const slider = document.querySelector('[role="slider"]');
        const times: number[] = [];
        const frame = (now: number): void => {
          times.push(now);
          if (times.length > count) {
            resolve(times.slice(1).map((time, index) => time - (times[index] ?? 0)));
            return;
          }
          if (stepping)
            slider?.dispatchEvent(
              new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true, repeat: true }),
            );
          requestAnimationFrame(frame);
        };
        requestAnimationFrame(frame);
      }),
    { count, stepping },
  );
}

/** What the reference does at every delete: a copy of the whole history, texts shared as Python shares them. */
async function copying(bench: Bench): Promise<Row[]> {
  // As much of it as fits: at 10,000 messages the copies alone would take gigabytes.
  const [small, twice] = [2000, 4000];
  const page = await bench.openPlainPage();
  const session = await page.context().newCDPSession(page);
  const heaps: number[] = [];
  for (const messages of [0, small, twice]) {
    await page.evaluate(
      (text) => {
        const history: unknown[] = text === '' ? [] : JSON.parse(text).full_history;
        const copy = (value: unknown): unknown => {
          if (Array.isArray(value)) return value.map(copy);
          if (typeof value !== 'object' || value === null) return value;
          return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, copy(each)]));
        };
        const snapshots: unknown[] = [];
        for (let at = 10; at <= history.length; at += 10) snapshots.push(copy(history.slice(0, at)));
        Object.assign(globalThis, { snapshots });
      },
      messages === 0 ? '' : longEpisode(messages),
    );
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize } = await session.send('Runtime.getHeapUsage');
    heaps.push(usedSize);
  }
  await page.close();
  const [base = 0, once = NaN, double = NaN] = heaps;
  return [
    {
      what: 'the same with a copy at every delete, as the reference keeps it',
      value: (double - base) / (once - base),
      unit: 'x',
      how: `once, of ${twice} against ${small} messages; ${mb(double - base)} against ${mb(once - base)} MB`,
    },
  ];
}

async function opened({ openApp, textFile }: Bench, messages: number): Promise<Page> {
  const page = await openApp();
  await dropFiles(page, [await textFile(`episode-${messages}.json`, longEpisode(messages))]);
  await page.getByRole('slider', { name: 'Step' }).waitFor();
  // The tokenizer counts meanwhile.
  await page.waitForTimeout(3000);
  return page;
}

function mb(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
