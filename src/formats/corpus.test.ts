import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { Counts } from '../model';
import { noCounts } from '../model';
import { expectLossless, expectSound, readText, recordOf } from './harness.fixtures';
import { detectFormat, formats } from './registry';

/**
 * Real files against an independently computed ground truth. They are not part of the project: where they are not
 * there, one test says so.
 */
const corpus = fileURLToPath(new URL('../../../shared/corpus', import.meta.url));
const isPresent = existsSync(`${corpus}/INDEX.tsv`);

/** The formats whose files are checked. A format joins by being registered, and these cannot leave unnoticed. */
const atLeast = [
  'nemo_gym_rollout',
  'nemo_gym_task_input',
  'nemo_gym_reward_profiling',
  'nemo_gym_aggregate_metrics',
  'nemo_gym_agent_metrics',
  'nemo_gym_custom_row',
  'verl_dump',
  'nemo_rl_step_dump',
  'verifiers_results',
  'verifiers_v1_episode',
  'atif',
  'inspect_json',
  'swe_agent_traj',
  'bare_message_array',
  'chat_messages_array',
];

/** Formats that make one episode of all records of a file. */
const gathered = new Set(['atof', 'openhands_events', 'claude_code_session']);

/** Where steps or events that are not model calls are counted. */
const eventMetrics: Record<string, string> = {
  atif: 'recorded_steps',
  swe_agent_traj: 'trajectory_steps',
  openhands_events: 'events',
};

type Row = Record<string, string>;

function indexRows(): Row[] {
  const [head = '', ...lines] = readFileSync(`${corpus}/INDEX.tsv`, 'utf8').trimEnd().split('\n');
  const names = head.split('\t');
  return lines.map((line) => {
    const cells = line.split('\t');
    return Object.fromEntries(names.map((name, position) => [name, cells[position] ?? '']));
  });
}

/** `nemo_gym_task_input(materialized)` is of the format `nemo_gym_task_input`. */
function formatOf(row: Row): string {
  return (row['format'] ?? '').replace(/\(.*/, '');
}

const columns: [column: string, count: keyof Counts][] = [
  ['function_call_items', 'toolCalls'],
  ['function_call_output_items', 'toolResults'],
  ['messages', 'messages'],
  ['reasoning_items', 'reasoning'],
  ['input_messages', 'inputMessages'],
  ['input_function_calls', 'inputToolCalls'],
  ['input_function_call_outputs', 'inputToolResults'],
  ['input_reasoning', 'inputReasoning'],
];

const claimed = new Set(formats.filter(({ unit }) => unit === 'record').map(({ id }) => id));
claimed.delete('json');
const rows = isPresent ? indexRows() : [];
const checked = rows.filter((row) => claimed.has(formatOf(row)) && !(row['file'] ?? '').endsWith('.eval'));

if (isPresent) describe('the corpus', checkCorpus);
else test('corpus not present', sayAbsent);

function checkCorpus(): void {
  test('has files of every format that is expected of it', () => {
    const found = new Set(checked.map(formatOf));
    expect(atLeast.filter((id) => !found.has(id))).toEqual([]);
  });

  test.each(checked.map((row) => [row['file'] ?? '', row] as const))('%s', (_, row) => {
    const text = readFileSync(`${corpus}/${row['folder']}/${row['file']}`, 'utf8');
    const { records, errors } = readText(text);
    expect(errors).toBe(Number(row['parse_errors']));
    expect(records.length).toBe(Number(row['records']));

    const counts = noCounts();
    const rewards: number[] = [];
    let events = 0;
    for (const record of records) {
      const format = detectFormat(record.value);
      expect(format?.id).toBe(formatOf(row));
      if (format === undefined) continue;
      expectSound(format, record);
      for (const summary of format.summarise(record)) {
        for (const [, count] of columns) counts[count] += summary.counts[count];
        if (summary.reward !== undefined) rewards.push(summary.reward);
        events += Number(summary.metrics[eventMetrics[format.id] ?? ''] ?? 0);
      }
    }
    for (const [column, count] of columns) {
      if (row[column] !== '') expect(counts[count], column).toBe(Number(row[column]));
    }
    const metric = eventMetrics[formatOf(row)];
    if (metric !== undefined) expect(events, metric).toBe(Number(row['steps_or_events']));
    expect(rewards.length).toBe(Number(row['records_with_numeric_reward']));
    expect(rewards.reduce((sum, reward) => sum + reward, 0)).toBeCloseTo(Number(row['sum_of_rewards']), 9);
  });

  test.each(
    rows.filter((row) => gathered.has(formatOf(row))).map((row) => [row['file'] ?? '', row] as const),
  )('all of %s', (_, row) => {
    const { records } = readText(readFileSync(`${corpus}/${row['folder']}/${row['file']}`, 'utf8'));
    expect(records.length).toBe(Number(row['records']));
    const values = records.map(({ value }) => value);
    const whole: unknown = values.length === 1 && Array.isArray(values[0]) ? values[0] : values;
    for (const value of [...values, whole]) expect(detectFormat(value)?.id).toBe(formatOf(row));
    const format = detectFormat(whole);
    if (format === undefined) return;
    const record = recordOf(whole);
    expect(expectSound(format, record)).toHaveLength(1);
    const [summary] = format.summarise(record);
    for (const [column, count] of columns) {
      if (row[column] !== '') expect(summary?.counts[count], column).toBe(Number(row[column]));
    }
    const events = eventMetrics[format.id];
    if (events !== undefined) expect(summary?.metrics[events]).toBe(Number(row['steps_or_events']));
  });

  test.each(
    rows.filter(({ file = '' }) => !file.endsWith('.eval')).map((row) => [row['file'] ?? '', row] as const),
  )('is the same after export to our own format: %s', (_, row) => {
    const { records } = readText(readFileSync(`${corpus}/${row['folder']}/${row['file']}`, 'utf8'));
    const whole = detectFormat(records[0]?.value);
    const values = records.map(({ value }) => value);
    const isWhole = whole?.unit === 'source';
    for (const record of isWhole ? [recordOf(values.length === 1 ? values[0] : values)] : records) {
      const format = isWhole ? whole : detectFormat(record.value);
      format?.summarise(record).forEach((_summary, nth) => expectLossless(format.episode(record, nth)));
    }
  });

  test('tells the rollouts of nested snapshots once', () => {
    const row = checked.find(({ notes }) => notes?.includes('transition_groups'));
    const noted = (name: string): number =>
      Number(
        (row?.['notes'] ?? '')
          .split('; ')
          .find((note) => note.startsWith(`${name}=`))
          ?.slice(name.length + 1),
      );
    const { records } = readText(readFileSync(`${corpus}/${row?.['folder']}/${row?.['file']}`, 'utf8'));
    const total = (metric: string): number =>
      records
        .flatMap((record) => detectFormat(record.value)?.summarise(record) ?? [])
        .reduce((sum, { metrics }) => sum + Number(metrics[metric]), 0);
    expect(total('transitions')).toBe(noted('transition_groups'));
    expect(total('distinct_tool_calls')).toBe(noted('last_transition_function_calls'));
    expect(total('distinct_items')).toBe(noted('last_transition_items'));
  });

  test('placeholder lines are errors and not records', () => {
    const row = rows.find((each) => formatOf(each) === 'not_json');
    const { records, errors } = readText(
      readFileSync(`${corpus}/${row?.['folder']}/${row?.['file']}`, 'utf8'),
    );
    expect(records).toEqual([]);
    expect(errors).toBe(Number(row?.['parse_errors']));
  });
  test('of other formats is left to them', () => {
    const registered = new Set(formats.map(({ id }) => id));
    for (const row of rows) {
      if (registered.has(formatOf(row)) || (row['file'] ?? '').endsWith('.eval')) continue;
      const { records } = readText(readFileSync(`${corpus}/${row['folder']}/${row['file']}`, 'utf8'));
      for (const record of records) {
        const format = detectFormat(record.value);
        expect(format?.id, row['file']).toBe('json');
        if (format !== undefined) expectSound(format, record);
      }
    }
  });
}

/** On standard error, because a list of passed tests hides it. */
function sayAbsent(): void {
  process.stderr.write(`corpus not present at ${corpus}: no importer was checked against real files\n`);
  expect(rows).toEqual([]);
}
