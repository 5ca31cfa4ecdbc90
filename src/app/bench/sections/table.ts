import type { CDPSession, Page } from 'playwright';
import { dropFiles } from '../../../../e2e/support/drop';
import type { PageBench } from '../page/page';
import { middleRound, quantile, roundsText, type Bench, type Row, type Section } from '../section';

declare const bench: PageBench;

const many = 1_000_000;
const few = 1000;

/** A million rows: sorting and filtering in the worker, drawing and scrolling in the page. */
export const table: Section = {
  id: 'table',
  async run(context) {
    const worker = await inWorker(context);
    context.say('table: worker done');
    const drawing = await drawn(context);
    context.say('table: drawing done');
    return [...worker, ...drawing, await scrolled(context)];
  },
};

async function inWorker({ openBenchPage, rowsFile, times }: Bench): Promise<Row[]> {
  const page = await openBenchPage();
  await page.getByLabel('Files').setInputFiles(await rowsFile(many));
  const { sort, bareSort, filter, bareScan } = await page.evaluate((times) => bench.table(times), times);
  await page.close();
  return [
    against('sort', sort, bareSort, 'sorting a bare Float64Array'),
    against('filter', filter, bareScan, 'scanning a bare Float64Array'),
  ];
}

function against(what: string, taken: readonly number[], bare: readonly number[], unit: string): Row {
  const round = middleRound(taken, bare);
  return {
    what: `${what} of 1,000,000 rows against ${unit}`,
    value: round.ratio,
    unit: 'x',
    bound: { under: 3 },
    how: `${roundsText(taken.length)}; ${round.a.toFixed(1)} against ${round.b.toFixed(1)} ms`,
  };
}

/** What the main thread does between a click on a column's name and the rows in their new order. */
async function drawn({ openApp, rowsFile, times }: Bench): Promise<Row[]> {
  const small = await opened(openApp, await rowsFile(few), few);
  const large = await opened(openApp, await rowsFile(many), many);
  const busy: [number[], number[]] = [[], []];
  for (let time = 0; time <= times; time++) {
    const taken = [await sortAndDraw(small), await sortAndDraw(large)] as const;
    if (time === 0) continue;
    busy[0].push(taken[0]);
    busy[1].push(taken[1]);
  }
  await small.close();
  await large.close();
  const [bySmall, byLarge] = busy;
  const { ratio, a, b } = middleRound(byLarge, bySmall);
  return [
    {
      what: 'drawing after a sort of 1,000,000 rows against 1,000',
      value: ratio,
      unit: 'x',
      // As long as, within what two measurements of the same differ by.
      bound: { under: 1.15 },
      how: `${roundsText(times)}; the main thread was busy for ${a.toFixed(1)} against ${b.toFixed(1)} ms`,
    },
  ];
}

async function sortAndDraw(page: Page): Promise<number> {
  await page.bringToFront();
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const was = await page.locator('[data-row="0"]').innerText();
  const before = await busyMs(session);
  await page.getByRole('button', { name: 'Reward', exact: true }).click();
  await page.waitForFunction(
    (was) => document.querySelector<HTMLElement>('[data-row="0"]')?.innerText !== was,
    was,
  );
  await page.evaluate(twoFrames);
  const after = await busyMs(session);
  await session.detach();
  return after - before;
}

async function busyMs(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN) * 1000;
}

async function scrolled({ openApp, openPlainPage, rowsFile, times, say }: Bench): Promise<Row> {
  const app = await opened(openApp, await rowsFile(many), many);
  const plain = await openPlainPage();
  const p95: Record<'app' | 'plain', number[]> = { app: [], plain: [] };
  for (let time = 0; time <= times; time++) {
    for (const [name, page] of [
      ['app', app],
      ['plain', plain],
    ] as const) {
      await page.bringToFront();
      const frames = await scroll(page, time % 2 === 0 ? -1 : 1);
      if (time > 0) p95[name].push(quantile(frames, 0.95));
    }
    say(`scrolling: ${time} of ${times}`);
  }
  await app.close();
  await plain.close();
  const { ratio, a, b } = middleRound(p95.app, p95.plain);
  return {
    what: 'scrolling 1,000,000 rows: p95 of the frame times against a plain page of text',
    value: ratio,
    unit: 'x',
    bound: { under: 1.25 },
    how: `${roundsText(times)}; ${a.toFixed(1)} against ${b.toFixed(1)} ms`,
  };
}

/** Turns the wheel over what scrolls in the page, and gives the time of every frame meanwhile. */
async function scroll(page: Page, direction: 1 | -1): Promise<number[]> {
  const box = await page.locator('[role="grid"], pre').first().boundingBox();
  const session = await page.context().newCDPSession(page);
  await page.evaluate(noteFrames);
  await session.send('Input.synthesizeScrollGesture', {
    x: (box?.x ?? 0) + 60,
    y: 400,
    yDistance: direction * 6000,
    speed: 3000,
    gestureSourceType: 'mouse',
  });
  const times = await page.evaluate(() => framesNoted);
  await session.detach();
  return times.slice(1).map((time, index) => time - (times[index] ?? 0));
}

declare let framesNoted: number[];

function noteFrames(): void {
  const framesNoted: number[] = [];
  Object.assign(globalThis, { framesNoted });
  const frame = (now: number): void => {
    framesNoted.push(now);
    if (framesNoted.length < 10_000 && Reflect.get(globalThis, 'framesNoted') === framesNoted)
      requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}

function twoFrames(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
  });
}

async function opened(openApp: Bench['openApp'], file: string, rows: number): Promise<Page> {
  const page = await openApp();
  await dropFiles(page, [file]);
  const grid = page.locator(`[role="grid"][aria-rowcount="${rows + 1}"]`);
  await grid.waitFor({ timeout: 120_000 });
  await page.locator('progress[aria-label="Reading"]').waitFor({ state: 'detached', timeout: 120_000 });
  await page.waitForTimeout(1000);
  return page;
}
