import type { PageBench } from '../page/page';
import { median, middleRound, roundsText, type Section } from '../section';

declare const bench: PageBench;

/** The reader against what the machine can do with the same file: read it, and parse it. */
export const reading: Section = {
  id: 'reading',
  async run({ openBenchPage, rolloutFile, sizes, times, say }) {
    const page = await openBenchPage();
    await page.getByLabel('Files').setInputFiles(await rolloutFile(sizes.ratios));
    const taken: Record<Stage, number[]> = { stream: [], parse: [], index: [], pipeline: [] };
    // In turn, so that what else the machine does falls on all alike. The first time is to warm up.
    for (let time = 0; time <= times; time++) {
      for (const stage of stages) {
        const ms = await page.evaluate(
          (stage) => (stage === 'pipeline' ? bench.pipeline() : bench.limit(stage)),
          stage,
        );
        if (time > 0) taken[stage].push(ms);
      }
      say(`reading: ${time} of ${times}`);
    }
    await page.close();
    const { stream, parse, index, pipeline } = taken;
    const rate = (ms: number) => sizes.ratios / 1e3 / ms;
    const against = (what: readonly number[], limit: readonly number[], unit: string) => {
      const { ratio, a, b } = middleRound(limit, what);
      const how = `${roundsText(times)}; ${Math.round(rate(b))} against ${Math.round(rate(a))} MB/s (${unit})`;
      return { value: ratio, unit: 'x' as const, how };
    };
    return [
      speed('File.stream(), nothing else', stream),
      speed('decode + JSON.parse in memory, one worker', parse),
      speed('index only', index),
      speed('whole pipeline', pipeline),
      {
        what: 'whole pipeline against decode + JSON.parse',
        bound: { atLeast: 2 },
        ...against(pipeline, parse, 'decode + parse'),
      },
      {
        what: 'whole pipeline against File.stream()',
        bound: { atLeast: 0.6 },
        ...against(pipeline, stream, 'stream'),
      },
      {
        what: 'index only against File.stream()',
        bound: { atLeast: 0.75 },
        ...against(index, stream, 'stream'),
      },
    ];

    function speed(what: string, taken: readonly number[]) {
      return {
        what,
        value: rate(median(taken)),
        unit: 'MB/s' as const,
        how: `median of ${times}, ${megabytes(sizes.ratios)}`,
      };
    }
  },
};

const stages = ['stream', 'parse', 'index', 'pipeline'] as const;
type Stage = (typeof stages)[number];

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`;
}
