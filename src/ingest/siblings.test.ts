import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { inOneFile, linear, seen } from '../formats/atif/run.fixtures';
import { lintEpisode } from '../model';
import { createIngest } from './ingest';
import type { Ingest, SourceState } from './protocol';

const blob = (value: unknown): Blob => new Blob([JSON.stringify(value)]);

async function open(ingest: Ingest, name: string, data: Blob): Promise<SourceState | undefined> {
  let last: SourceState | undefined;
  await ingest.open({ id: name, name, data }, (state) => (last = state));
  return last;
}

async function opened(files: Readonly<Record<string, unknown>>, folder = ''): Promise<Ingest> {
  const ingest = createIngest();
  for (const [name, value] of Object.entries(files)) await open(ingest, `${folder}${name}`, blob(value));
  return ingest;
}

async function steps(ingest: Ingest, source: string, episode = 0): Promise<number | undefined> {
  return (await ingest.episode({ source, episode }))?.steps.length;
}

describe('a run in several files', () => {
  const first = 'trajectory.json';
  const next = 'trajectory.cont-1.json';

  it.each(['', 'jobs/7/'])('is whole where its files are open, in folder "%s"', async (folder) => {
    const ingest = await opened(linear, folder);
    expect(await steps(ingest, `${folder}${next}`)).toBe(seen.length);
    expect(await steps(ingest, `${folder}${first}`)).toBe(2);
  });

  it('is joined and parted as its files are opened and closed', async () => {
    const ingest = createIngest();
    const state = await open(ingest, next, blob(linear[next]));
    expect(state?.joins).toBe(true);
    expect(await steps(ingest, next)).toBe(2);
    const alone = await ingest.episode({ source: next, episode: 0 });
    expect(alone?.gaps.map(({ reason }) => reason).join()).toContain(`goes on from ${first}`);
    await open(ingest, first, blob(linear[first]));
    expect(await steps(ingest, next)).toBe(seen.length);
    await ingest.close(first);
    expect(await steps(ingest, next)).toBe(2);
  });

  it('is not made of files from two folders', async () => {
    const ingest = createIngest();
    await open(ingest, `a/${first}`, blob(linear[first]));
    await open(ingest, `b/${next}`, blob(linear[next]));
    expect(await steps(ingest, `b/${next}`)).toBe(2);
    expect(await ingest.partners({ source: `b/${next}`, episode: 0 })).toBeUndefined();
  });

  it('is joined within an archive', async () => {
    const entries = Object.entries(linear).map(([name, value]): [string, Uint8Array] => [
      `run/${name}`,
      new TextEncoder().encode(JSON.stringify(value)),
    ]);
    const ingest = createIngest();
    await open(ingest, 'runs.zip', new Blob([zipSync(Object.fromEntries(entries)).slice()]));
    const { rows } = await ingest.rows({ sources: ['runs.zip'], sort: [] }, 0, 10);
    const row = rows.find(({ cells }) => String(cells['path']).endsWith(next));
    expect(await steps(ingest, 'runs.zip', row?.ref.episode)).toBe(seen.length);
  });

  it('names its other files, and what they are to it', async () => {
    const ingest = await opened(linear);
    const told = async (source: string) =>
      (await ingest.partners({ source, episode: 0 }))?.found.map(({ role, ref }) => [role, ref.source]);
    const questions = 'trajectory.summarization-1-questions.json';
    expect(await told(next)).toEqual([
      ['earlier', first],
      ['summary', questions],
    ]);
    expect(await told(questions)).toEqual([
      ['run', first],
      ['run', next],
    ]);
  });

  it('is linted as it is shown', async () => {
    const ingest = await opened(inOneFile);
    await ingest.lint([first], () => undefined);
    const { rows } = await ingest.rows({ sources: [first], sort: [] }, 0, 1);
    const episode = await ingest.episode({ source: first, episode: 0 });
    expect(episode?.edits).toHaveLength(1);
    expect(rows[0]?.cells['findings']).toBe(lintEpisode(episode ?? expect.fail('no episode')).length);
  });
});
