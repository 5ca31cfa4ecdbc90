import { inspect, isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import {
  at,
  compareView,
  isObject,
  lintEpisode,
  maskAt,
  samplesOf,
  seenAs,
  seenDiff,
  snapshotsOf,
  viewAt,
  type Episode,
  type EpisodeSummary,
} from '../model';
import { calledTools } from './called-tools';
import type { Format, SourceRecord } from './format';
import { detectFormat } from './registry';
import { readEpisode } from './rollscope/read';
import { writeEpisode } from './rollscope/write';

/** What every test of an importer needs: records from text, and what must hold of whatever comes out. */

/** A record an importer could be given, as its writer would have written it. */
export interface Fixture {
  /** What is special about it. */
  name: string;
  format: string;
  value: unknown;
  /** As it stands in a file, where that is not just the value written as JSON. */
  text?: string;
}

/** Whether something that a module of fixtures exports is a list of them. */
export function isFixtureList(exported: unknown): exported is Fixture[] {
  return (
    Array.isArray(exported) &&
    exported.length > 0 &&
    exported.every(
      (each) =>
        typeof at(each, 'name') === 'string' &&
        typeof at(each, 'format') === 'string' &&
        isObject(each) &&
        'value' in each,
    )
  );
}

export function recordOf(value: unknown, index = 0): SourceRecord {
  return { value, text: JSON.stringify(value) ?? '', index, line: index + 1 };
}

/** The records of a text: JSONL, one JSON value, or an array whose elements are records unless a format wants it whole. */
export function readText(text: string): { records: SourceRecord[]; errors: number } {
  const whole = parse(text);
  if (whole.ok) {
    const values = Array.isArray(whole.value) && !isClaimed(whole.value) ? whole.value : [whole.value];
    return { records: values.map((value: unknown, index) => recordOf(value, index)), errors: 0 };
  }
  const records: SourceRecord[] = [];
  let errors = 0;
  text.split('\n').forEach((line, position) => {
    if (line.trim() === '') return;
    const parsed = parse(line);
    if (parsed.ok)
      records.push({ value: parsed.value, text: line, index: records.length, line: position + 1 });
    else errors++;
  });
  return { records, errors };
}

function isClaimed(value: unknown): boolean {
  const format = detectFormat(value);
  return format !== undefined && format.id !== 'json';
}

/** JSON, and the bare `NaN` and `Infinity` that Python writes. */
export function parse(text: string): { ok: true; value: unknown } | { ok: false } {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return /NaN|Infinity/.test(text) ? parseNonFinite(text) : { ok: false };
  }
}

const nan = '\u0000NaN';

function parseNonFinite(text: string): ReturnType<typeof parse> {
  const standIns = text.replaceAll(/"[^"\\]*(?:\\.[^"\\]*)*"|NaN|Infinity/gs, (found) => {
    if (found.startsWith('"')) return found;
    return found === 'NaN' ? JSON.stringify(nan) : '1e999';
  });
  try {
    const value: unknown = JSON.parse(standIns, (_, each: unknown) => (each === nan ? NaN : each));
    return { ok: true, value };
  } catch {
    return { ok: false };
  }
}

/** Imports a record in every way. What must hold of any import and does not is thrown. */
export function expectSound(format: Format, record: SourceRecord): Episode[] {
  const claim = format.confidence(record.value);
  if (!(claim >= 0 && claim <= 1)) expect.fail(`a confidence of ${claim}`);
  return format.summarise(record).map((summary, nth) => {
    const episode = format.episode(record, nth);
    const faults = [...historyFaults(episode), ...editFaults(episode), ...summaryFaults(summary, episode)];
    if (episode.format !== format.id) faults.push(`the format is ${episode.format}`);
    if (faults.length > 0) expect.fail(`${faults.join('; ')} in ${record.text.slice(0, 2000)}`);
    viewAt(episode, episode.steps.length);
    // What leaves the worker must survive being cloned.
    structuredClone(episode);
    return episode;
  });
}

/** Asks of an episode everything that the interface would ask. */
export function askAll(episode: Episode): void {
  const last = episode.steps.length;
  for (const step of new Set([0, Math.floor(last / 2), last - 1, last])) {
    if (step < 0) continue;
    seenAs(episode, step);
    seenDiff(episode, step - 1, step);
    compareView(episode, step);
    maskAt(episode, step);
  }
  samplesOf(episode, 'aligned');
  samplesOf(episode, 'tail');
  snapshotsOf(episode);
  lintEpisode(episode);
}

/** Findings stand on one line, and at steps and messages that are there. */
export function expectPlaced(episode: Episode): void {
  const known = new Set(episode.messages.map(({ msgId }) => msgId));
  for (const { message, step, msgId } of lintEpisode(episode)) {
    if (message.includes('\n')) expect.fail(`a finding of several lines: ${message}`);
    if (step !== undefined && episode.steps[step] === undefined) expect.fail(`a finding at step ${step}`);
    if (msgId !== undefined && !known.has(msgId)) expect.fail(`a finding at message ${msgId}`);
  }
}

/** Written in Rollscope's own format and read again, an episode is the same, but for where in the source things stood. */
export function expectLossless(episode: Episode): void {
  const read = readEpisode(JSON.parse(writeEpisode(episode)));
  if (!read.ok) expect.fail(`${read.reason} ${inspect(episode, { depth: 8 })}`);
  if (!isDeepStrictEqual(placeless(read.episode), placeless(episode))) {
    expect(placeless(read.episode)).toEqual(placeless(episode));
    expect.fail(`exported and read again it is another: ${inspect(episode, { depth: 8 })}`);
  }
}

/** Cloned, so that a record without a prototype is an object like any other. */
function placeless(episode: Episode): unknown {
  return structuredClone({ ...episode, messages: episode.messages.map((each) => ({ ...each, raw: [] })) });
}

function historyFaults({ messages, steps }: Episode): string[] {
  const faults: string[] = [];
  if (new Set(messages.map(({ msgId }) => msgId)).size < messages.length) faults.push('msgIds repeat');
  if (steps.some(({ index }, position) => index !== position)) faults.push('steps are not numbered');
  let born = -1;
  for (const { msgId, bornAtStep, origin } of messages) {
    if (bornAtStep < born || bornAtStep >= steps.length)
      faults.push(`message ${msgId} is born at ${bornAtStep}`);
    if (origin === 'policy' && bornAtStep < 0) faults.push(`message ${msgId} is of no step`);
    born = bornAtStep;
  }
  const emitting = new Set(messages.flatMap((each) => (each.origin === 'policy' ? [each.bornAtStep] : [])));
  if (emitting.size !== steps.length) faults.push('a step emitted nothing');
  return faults;
}

function editFaults({ messages, steps, edits, gaps, statelm }: Episode): string[] {
  const faults: string[] = [];
  const known = new Set(messages.map(({ msgId }) => msgId));
  let last = 0;
  for (const { step, msgIds } of edits) {
    if (step < last || step >= steps.length) faults.push(`an edit at step ${step}`);
    // A StateLM policy may name any id, or none, and its loop makes an edit of it all the same.
    const namesMessages = msgIds.length > 0 && msgIds.every((msgId) => known.has(msgId));
    if (!namesMessages && statelm === undefined) faults.push(`an edit of ${msgIds.join()}`);
    last = step;
  }
  for (const { reason, msgId, step } of gaps) {
    if (!reason.endsWith('.')) faults.push(`a gap without a sentence: ${reason}`);
    if (msgId !== undefined && !known.has(msgId)) faults.push(`a gap at message ${msgId}`);
    if (step !== undefined && !(step >= 0 && step < steps.length)) faults.push(`a gap at step ${step}`);
  }
  return faults;
}

function summaryFaults({ counts, samples, tools = [], ...told }: EpisodeSummary, episode: Episode): string[] {
  const { title, task, outcome, steps, edits, metrics, gaps } = episode;
  const expected = {
    title,
    ...(task === undefined ? {} : { task }),
    ...(outcome.reward === undefined ? {} : { reward: outcome.reward }),
    steps: steps.length,
    edits: edits.length,
    metrics,
    gaps: [...new Set(gaps.map(({ about }) => about))],
  };
  const faults: string[] = [];
  const called = calledTools(episode);
  for (const tool of tools) if (!called.includes(tool)) faults.push(`a call of ${tool}`);
  if (!isDeepStrictEqual(told, expected))
    faults.push(`the summary says ${inspect(told)}, not ${inspect(expected)}`);
  const counted = (episode.samples ?? samplesOf(episode)).length;
  if (samples !== counted) faults.push(`the summary has ${samples} samples, the episode ${counted}`);
  for (const count of Object.values(counts)) {
    if (!Number.isInteger(count) || count < 0) faults.push(`a count of ${count}`);
  }
  return faults;
}
