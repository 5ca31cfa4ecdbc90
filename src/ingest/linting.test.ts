import { describe, expect, it } from 'vitest';
import { deletionQuality, lintEpisode } from '../model';
import { lineWithSessions } from '../formats/rollscope/sessions.fixtures';
import { nemoGymFixtures } from '../formats/nemo-gym/nemo-gym.fixtures';
import { nemoGymRollout } from '../formats/nemo-gym/rollout';
import { statelmFixtures } from '../formats/statelm/statelm.fixtures';
import { createIngest } from './ingest';
import type { Ingest, LintState } from './protocol';

const records = nemoGymFixtures.flatMap(({ value }) => (nemoGymRollout.confidence(value) > 0 ? [value] : []));

async function opened(times = 1): Promise<Ingest> {
  const ingest = createIngest();
  const lines = Array.from({ length: times }, () => records.map((record) => JSON.stringify(record)));
  const data = new Blob([lines.flat().join('\n')]);
  await ingest.open({ id: 'run', name: 'run', data }, () => undefined);
  return ingest;
}

const all = { sources: ['run'], sort: [{ column: 'findings', descending: true }] };

describe('lint over all episodes', () => {
  it('fills columns with what lint says of each, to be sorted and filtered by', async () => {
    const ingest = await opened();
    expect((await ingest.columns(['run'])).map(({ key }) => key)).not.toContain('findings');
    const states: LintState[] = [];
    await ingest.lint(['run'], (state) => states.push(state));
    const { rows, total } = await ingest.rows(all, 0, 1000);
    expect(states.at(-1)).toEqual({ phase: 'done', episodes: total, total });

    const rules = new Set<string>();
    for (const { ref, cells } of rows) {
      const episode = await ingest.episode(ref);
      const findings = episode === undefined ? [] : lintEpisode(episode);
      for (const { rule } of findings) rules.add(rule);
      expect(cells['findings']).toBe(findings.length);
      expect(cells['errors']).toBe(findings.filter(({ severity }) => severity === 'error').length);
      expect(cells['warnings']).toBe(findings.filter(({ severity }) => severity === 'warning').length);
      expect(await ingest.findings(ref)).toEqual(findings);
    }
    const counts = rows.map(({ cells }) => Number(cells['findings']));
    expect(counts).toEqual(counts.toSorted((a, b) => b - a));
    const [rule] = rules;
    expect(rule).toBeDefined();
    const found = await ingest.rows({ ...all, filter: `finding:"${rule}"` }, 0, 1000);
    expect(found.total).toBe(rows.filter(({ cells }) => String(cells['rules']).includes(rule ?? '')).length);
    expect(found.total).toBeGreaterThan(0);
    const columns = await ingest.columns(['run']);
    expect(columns.find(({ key }) => key === 'findings')?.filled).toBe(total);
  });

  it('says how well deletions served, where there were any', async () => {
    const ingest = createIngest();
    for (const { format, text } of statelmFixtures) {
      await ingest.open({ id: format, name: format, data: new Blob([text ?? '']) }, () => undefined);
    }
    const sources = statelmFixtures.map(({ format }) => format);
    await ingest.lint(sources, () => undefined);
    const { rows } = await ingest.rows({ sources, sort: [] }, 0, 1000);
    let deleted = 0;
    for (const { ref, cells } of rows) {
      const episode = await ingest.episode(ref);
      if (episode === undefined) continue;
      const quality = deletionQuality(episode);
      const says = quality.deleted > 0 || quality.missed !== undefined;
      deleted += quality.deleted;
      expect(cells['freed']).toBe(says ? quality.freed : undefined);
      expect(cells['stepsToDelete']).toBe(quality.stepsToDelete);
      expect(cells['readAgain']).toBe(says ? quality.readAgain : undefined);
      expect(cells['missedDeletes']).toBe(quality.missed);
    }
    expect(deleted).toBeGreaterThan(0);
  });

  it('keeps what was linted before a cancel, and goes on from there', async () => {
    const ingest = await opened(40);
    const before = await ingest.rows(all, 0, 1);
    const states: LintState[] = [];
    const running = ingest.lint(['run'], (state) => states.push(state));
    await new Promise((resolve) => setTimeout(resolve, 5));
    await ingest.cancelLint();
    await running;
    const last = states.at(-1);
    expect(last?.phase).toBe('cancelled');
    expect(last?.episodes).toBeLessThan(before.total);
    const linted = await ingest.rows({ ...all, filter: 'findings is filled' }, 0, 1);
    expect(linted.total).toBe(last?.episodes);
    await ingest.lint(['run'], (state) => states.push(state));
    expect(states.at(-1)).toEqual({ phase: 'done', episodes: before.total, total: before.total });
    const after = await ingest.rows({ ...all, filter: 'findings is filled' }, 0, 1);
    expect(after.total).toBe(before.total);
  });
});

const open = (ingest: Ingest, id: string, ...lines: string[]): Promise<void> =>
  ingest.open({ id, name: `${id}.jsonl`, data: new Blob([lines.join('\n')]) }, () => undefined);
const shared = 'finding:"session-shared"';

async function titles(ingest: Ingest, sources: string[], filter: string): Promise<string[]> {
  return (await ingest.rows({ sources, sort: [], filter }, 0, 100)).rows.map(({ title }) => title);
}

describe('a session that several episodes have', () => {
  it('is a finding of each of them, in the tab and in the columns', async () => {
    const ingest = createIngest();
    await open(
      ingest,
      'run',
      lineWithSessions('a', 's1'),
      lineWithSessions('b', 's2', 's1'),
      lineWithSessions('c', 's3', 's3'),
    );
    await ingest.lint(['run'], () => undefined);
    expect(await titles(ingest, ['run'], shared)).toEqual(['a', 'b']);
    const { rows } = await ingest.rows({ sources: ['run'], sort: [] }, 0, 100);
    for (const { ref, cells } of rows) {
      const findings = await ingest.findings(ref);
      expect(cells['findings']).toBe(findings.length);
      expect(cells['errors']).toBe(findings.filter(({ severity }) => severity === 'error').length);
      expect(cells['rules']).toBe([...new Set(findings.map(({ rule }) => rule))].join(' ') || undefined);
    }
    const told = (await ingest.findings({ source: 'run', episode: 0 })).map(({ message }) => message);
    expect(told).toContain('Session s1 was used by episode 1 of run.jsonl, too');
  });

  it('is known as soon as the other source is there, and as long', async () => {
    const ingest = createIngest();
    await open(ingest, 'one', lineWithSessions('a', 's1'), lineWithSessions('b', 's2'));
    await ingest.lint(['one'], () => undefined);
    expect(await titles(ingest, ['one'], shared)).toEqual([]);
    await open(ingest, 'two', lineWithSessions('other', 's2'));
    expect(await titles(ingest, ['one'], shared)).toEqual(['b']);
    await ingest.lint(['two'], () => undefined);
    expect(await titles(ingest, ['one', 'two'], shared)).toEqual(['b', 'other']);
    await ingest.close('two');
    expect(await titles(ingest, ['one'], shared)).toEqual([]);
    const { rows } = await ingest.rows({ sources: ['one'], sort: [] }, 0, 100);
    for (const { ref, cells } of rows) expect(cells['findings']).toBe((await ingest.findings(ref)).length);
  });

  it('is none of an episode that is open twice', async () => {
    const ingest = createIngest();
    const lines = [lineWithSessions('a', 's1'), lineWithSessions('b', 's2')];
    await open(ingest, 'one', ...lines);
    await open(ingest, 'copy', ...lines);
    await ingest.lint(['one', 'copy'], () => undefined);
    expect(await titles(ingest, ['one', 'copy'], shared)).toEqual([]);
  });
});
