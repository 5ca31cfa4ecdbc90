import { existsSync, readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { fileURLToPath } from 'node:url';
import { zipSync, unzipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { detectFormat, exportEpisode, exporters } from '../formats';
import type { Episode } from '../model';
import { readSource, type ReadResult } from './read';

/**
 * Real files as the reader opens them: without a name, which nothing may need. They are not part of the project: where
 * they are not there, one test says so.
 */
const corpus = fileURLToPath(new URL('../../../shared/corpus', import.meta.url));
const isPresent = existsSync(`${corpus}/INDEX.tsv`);

interface Expected {
  file: string;
  format: string;
  records: number;
  parseErrors: number;
}

function expectedFiles(): Expected[] {
  const [head = '', ...lines] = readFileSync(`${corpus}/INDEX.tsv`, 'utf8').trimEnd().split('\n');
  const names = head.split('\t');
  return lines.map((line) => {
    const cells = line.split('\t');
    const cell = (name: string): string => cells[names.indexOf(name)] ?? '';
    return {
      file: `${cell('folder')}/${cell('file')}`,
      format: cell('format').replace(/\(.*/, ''),
      records: Number(cell('records')),
      parseErrors: Number(cell('parse_errors')),
    };
  });
}

async function episodesOf(
  bytes: Uint8Array<ArrayBuffer>,
): Promise<{ result: ReadResult; episodes: Episode[] }> {
  const episodes: Episode[] = [];
  const result = await readSource(new Blob([bytes]), {
    record: ({ record, format, summaries }) => {
      summaries.forEach((_, nth) => {
        const episode = format?.episode(record, nth);
        if (episode !== undefined) episodes.push(episode);
      });
    },
  });
  return { result, episodes };
}

/** Where in the source things stood is not kept. */
function placeless(episode: Episode): unknown {
  return structuredClone({ ...episode, messages: episode.messages.map((each) => ({ ...each, raw: [] })) });
}

/** No format for what is not opened: these are told by name instead. */
const unopened = new Set(['not_json', 'git_lfs_pointer']);

if (isPresent) describe('the corpus, without names', checkCorpus);
else test('corpus not present', sayAbsent);

function checkCorpus(): void {
  test.each(expectedFiles().map((row) => [row.file, row] as const))('%s', async (file, row) => {
    const { result, episodes } = await episodesOf(readFileSync(`${corpus}/${file}`));
    expect(result.format?.id).toBe(unopened.has(row.format) ? undefined : row.format);
    expect(result.records).toBe(row.records);
    expect(result.problems).toBe(row.parseErrors);
    if (unopened.has(row.format)) expect(result.failure?.next).toBeTruthy();
    for (const episode of episodes) {
      const { text, losses } = exportEpisode(episode, exporters[0]);
      expect(losses).toEqual([]);
      const value: unknown = JSON.parse(text);
      const again = detectFormat(value)?.episode({ value, text, index: 0, line: 1 }, 0);
      if (again === undefined || !isDeepStrictEqual(placeless(again), placeless(episode))) {
        expect(again).toEqual(episode);
        expect.fail('exported and read again it is another');
      }
    }
  });

  test('an Inspect log opens without its header', async () => {
    const logs = expectedFiles().filter(({ format }) => format === 'inspect_eval_zip');
    expect(logs).not.toEqual([]);
    for (const { file, records } of logs) {
      const entries = unzipSync(readFileSync(`${corpus}/${file}`));
      delete entries['header.json'];
      const { result, episodes } = await episodesOf(zipSync(entries));
      expect(result.format?.id).toBe('inspect_eval_zip');
      expect(episodes).toHaveLength(records);
    }
  });
}

/** On standard error, because a list of passed tests hides it. */
function sayAbsent(): void {
  process.stderr.write(`corpus not present at ${corpus}: the reader was not checked against real files\n`);
  expect(isPresent).toBe(false);
}
