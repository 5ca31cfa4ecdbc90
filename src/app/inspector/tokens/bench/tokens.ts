import type { Page } from 'playwright';
import { dropFiles } from '../../../../../e2e/support/drop';
import {
  middleRound,
  quantile,
  roundsText,
  type Bench,
  type Row,
  type Section,
} from '../../../bench/section';
import { manyTokens, plainText } from './many-tokens';

const many = 200_000;

/** 200,000 tokens of a sample: their first paint and scrolling them, against the same text without colours. */
export const tokens: Section = {
  id: 'tokens',
  async run(bench) {
    const app = await opened(bench);
    const plain = await bench.openPlainPage();
    await plain.setContent(
      '<!doctype html><title>Text</title><style>div { width: 420px; height: 600px; overflow: auto; ' +
        'font: 12px/20px monospace; white-space: pre-wrap; overflow-wrap: anywhere }</style><div></div>',
    );
    return [await painted(bench, app, plain), await scrolled(bench, app, plain)];
  },
};

async function painted(bench: Bench, app: Page, plain: Page): Promise<Row> {
  const taken: Record<'app' | 'plain', number[]> = { app: [], plain: [] };
  for (let time = 0; time <= bench.times; time++) {
    await app.bringToFront();
    const shown = await paintTokens(app);
    await plain.bringToFront();
    const text = await paintText(plain);
    if (time === 0) continue;
    taken.app.push(shown);
    taken.plain.push(text);
  }
  const { ratio, a, b } = middleRound(taken.app, taken.plain);
  return {
    what: 'first paint of 200,000 tokens against the same text without colours',
    value: ratio,
    unit: 'x',
    bound: { under: 2 },
    how: `${roundsText(bench.times)}; ${a.toFixed(0)} against ${b.toFixed(0)} ms`,
  };
}

/** From the click on the tab until the frame after its tokens were drawn. */
function paintTokens(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        // All of this runs in the page, without what stands around it.
        // oxlint-disable-next-line unicorn/consistent-function-scoping
        const tab = (name: string) =>
          [...document.querySelectorAll<HTMLElement>('[role="tab"]')].find(
            ({ innerText }) => innerText === name,
          );
        tab('Info')?.click();
        requestAnimationFrame(() =>
          requestAnimationFrame(() => {
            const start = performance.now();
            tab('Tokens')?.click();
            const look = (): void => {
              if (document.querySelector('[data-start]') === null) requestAnimationFrame(look);
              else requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - start)));
            };
            requestAnimationFrame(look);
          }),
        );
      }),
  );
}

function paintText(page: Page): Promise<number> {
  return page.evaluate(
    (text) =>
      new Promise<number>((resolve) => {
        const element = document.querySelector('div');
        if (element !== null) element.textContent = '';
        requestAnimationFrame(() =>
          requestAnimationFrame(() => {
            const start = performance.now();
            if (element !== null) element.textContent = text;
            requestAnimationFrame(() =>
              requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - start))),
            );
          }),
        );
      }),
    plainText(many),
  );
}

async function scrolled(bench: Bench, app: Page, plain: Page): Promise<Row> {
  const p95: Record<'app' | 'plain', number[]> = { app: [], plain: [] };
  for (let time = 0; time <= bench.times; time++) {
    for (const [name, page, selector] of [
      ['app', app, '[aria-label="Tokens of the sample"]'],
      ['plain', plain, 'div'],
    ] as const) {
      await page.bringToFront();
      const frames = await scroll(page, selector);
      if (time > 0) p95[name].push(quantile(frames, 0.95));
    }
  }
  await app.close();
  await plain.close();
  const { ratio, a, b } = middleRound(p95.app, p95.plain);
  return {
    what: 'scrolling 200,000 tokens: p95 of the frame times against that text',
    value: ratio,
    unit: 'x',
    bound: { under: 1.25 },
    how: `${roundsText(bench.times)}; ${a.toFixed(1)} against ${b.toFixed(1)} ms`,
  };
}

/** 120 frames of 90 pixels each, down from where it stands; at the end again from the top. */
function scroll(page: Page, selector: string): Promise<number[]> {
  return page.evaluate(
    (selector) =>
      new Promise<number[]>((resolve) => {
        const element = document.querySelector(selector);
        const times: number[] = [];
        const frame = (now: number): void => {
          times.push(now);
          if (times.length > 120) {
            resolve(times.slice(1).map((time, index) => time - (times[index] ?? 0)));
            return;
          }
          if (element !== null) {
            const end = element.scrollTop + element.clientHeight >= element.scrollHeight - 1;
            element.scrollTop = end ? 0 : element.scrollTop + 90;
          }
          requestAnimationFrame(frame);
        };
        requestAnimationFrame(frame);
      }),
    selector,
  );
}

async function opened({ openApp, textFile }: Bench): Promise<Page> {
  const page = await openApp();
  await dropFiles(page, [await textFile('tokens.jsonl', manyTokens(many))]);
  await page.getByRole('slider', { name: 'Step' }).waitFor();
  await page.waitForTimeout(1000);
  return page;
}
