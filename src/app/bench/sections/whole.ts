import type { Page } from 'playwright';
import { dropFiles } from '../../../../e2e/support/drop';
import { median, type Section } from '../section';

/** A large file dropped on the app as it is shipped: when rows appear, what it costs in memory, whether the page stays free. */
export const whole: Section = {
  id: 'whole',
  async run({ openApp, rolloutFile, sizes, quick, processes, say }) {
    const file = await rolloutFile(sizes.whole);
    const times = quick ? 1 : 5;
    const seen: { seen: Seen; growth: number }[] = [];
    for (let time = 0; time < times; time++) {
      const page = await openApp(watch);
      const before = await settled(processes.memory);
      await dropFiles(page, [file]);
      await page.waitForFunction(() => watched.ended > 0, undefined, { timeout: 0, polling: 500 });
      const after = await settled(processes.memory);
      await lastEpisodeOpens(page);
      seen.push({ seen: await page.evaluate(() => watched), growth: after - before });
      await page.close();
      say(`whole: ${time + 1} of ${times}`);
    }
    // By itself: a look at the memory holds up the processes that are looked at.
    const highest = await highestWhileReading(await openApp(watch), file, processes.memory);
    const all = seen.map(({ seen }) => seen);
    const took = median(all.map(({ dropped, ended }) => ended - dropped));
    const size = `${Math.round(sizes.whole / 1e6)} MB`;
    const few = times === 1 ? 'once, as this is a quick run' : `median of ${times}: each reads ${size}`;
    return [
      {
        what: `${size} dropped on the app, to the last row`,
        value: sizes.whole / 1e3 / took,
        unit: 'MB/s',
        how: few,
      },
      {
        what: 'first rows on screen, against the time of the whole file',
        value: median(all.map(({ dropped, ended, rows }) => (rows - dropped) / (ended - dropped))),
        unit: '%',
        bound: { under: 0.05 },
        how: `${few}; ${Math.round(median(all.map(({ dropped, rows }) => rows - dropped)))} of ${Math.round(took)} ms`,
      },
      {
        what: 'memory kept after the whole file, against its size',
        value: median(seen.map(({ growth }) => growth)) / sizes.whole,
        unit: '%',
        bound: { under: 0.15 },
        how: `${few}; ${processes.measure}; ${Math.round(highest / 1e6)} MB more at its highest, in a run of its own`,
      },
      {
        what: 'longest task of the main thread while reading, median of the runs',
        value: median(all.map(({ longest }) => longest)),
        unit: 'ms',
        bound: { under: 50 },
        how: `${few}, 0 where no task took 50 ms; the longest of all ${Math.round(Math.max(...all.map(({ longest }) => longest)))} ms`,
      },
    ];
  },
};

/** What the page notes of itself. */
interface Seen {
  dropped: number;
  rows: number;
  ended: number;
  /** Of the main thread's tasks. */
  longest: number;
}

declare let watched: Seen;

/** Runs in the page, before the app. */
function watch(): void {
  const watched: Seen = { dropped: 0, rows: 0, ended: 0, longest: 0 };
  Object.assign(globalThis, { watched });
  window.addEventListener('drop', () => (watched.dropped = performance.now()), { capture: true });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) {
      if (watched.dropped > 0 && watched.ended === 0) watched.longest = Math.max(watched.longest, duration);
    }
  }).observe({ type: 'longtask', buffered: true });
  let reading = false;
  const frame = (now: number): void => {
    if (watched.dropped > 0 && watched.ended === 0) {
      // Drawn in the frame before this one.
      if (watched.rows === 0 && document.querySelector('[data-row]') !== null) watched.rows = now;
      const bar = document.querySelector('progress[aria-label="Reading"]');
      reading ||= bar !== null;
      if (reading && bar === null) watched.ended = now;
    }
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}

/** How much more than before it takes at most. */
async function highestWhileReading(
  page: Page,
  file: string,
  memory: () => number | undefined,
): Promise<number> {
  const before = await settled(memory);
  await dropFiles(page, [file]);
  let highest = 0;
  while (!(await page.evaluate(() => watched.ended > 0))) {
    highest = Math.max(highest, memory() ?? NaN);
    await page.waitForTimeout(200);
  }
  await page.close();
  return highest - before;
}

/** Once it falls no more: what a collection is about to free is not kept. */
async function settled(memory: () => number | undefined): Promise<number> {
  let least = Infinity;
  for (let calm = 0, time = 0; calm < 3 && time < 20; time++) {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const now = memory() ?? NaN;
    calm = now < least * 0.99 ? 0 : calm + 1;
    least = Math.min(least, now);
  }
  return least;
}

/** A file of which the last episode does not open has not been read. */
async function lastEpisodeOpens(page: Page): Promise<void> {
  const grid = page.getByRole('grid', { name: 'Episodes' });
  await grid.focus();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  const rows = Number(await grid.getAttribute('aria-rowcount')) - 1;
  await page.waitForURL(new RegExp(`episode=${rows - 1}(&|$)`));
  await page.getByRole('slider', { name: 'Step' }).waitFor();
}
