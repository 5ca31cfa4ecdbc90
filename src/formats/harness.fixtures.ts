import { expect } from 'vitest';
import { viewAt, type Episode } from '../model';
import type { Format, SourceRecord } from './format';
import { detectFormat } from './registry';

/** What every test of an importer needs: records from text, and what must hold of whatever comes out. */

/** A record an importer could be given, as its writer would have written it. */
export interface Fixture {
  /** What is special about it. */
  name: string;
  format: string;
  value: unknown;
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

export function parse(text: string): { ok: true; value: unknown } | { ok: false } {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return { ok: false };
  }
}

/** Imports a record in every way and checks what must hold of any import. */
export function expectSound(format: Format, record: SourceRecord): Episode[] {
  const claim = format.confidence(record.value);
  expect(claim).toBeGreaterThanOrEqual(0);
  expect(claim).toBeLessThanOrEqual(1);

  return format.summarise(record).map((summary, nth) => {
    const episode = format.episode(record, nth);
    const { messages, steps, edits } = episode;
    const last = steps.length - 1;
    expect(episode.format).toBe(format.id);
    expect(new Set(messages.map(({ msgId }) => msgId)).size).toBe(messages.length);
    expect(steps.map(({ index }) => index)).toEqual([...steps.keys()]);
    let born = -1;
    for (const message of messages) {
      if (message.bornAtStep < born || message.bornAtStep > last) {
        expect.fail(`message ${message.msgId} is born at step ${message.bornAtStep}, after ${born}`);
      }
      born = message.bornAtStep;
      if (message.origin === 'policy') expect(message.bornAtStep).toBeGreaterThanOrEqual(0);
    }
    const known = new Map(messages.map((message) => [message.msgId, message]));
    for (const edit of edits) {
      expect(edit.step).toBeGreaterThanOrEqual(0);
      expect(edit.step).toBeLessThanOrEqual(last);
      expect(edit.msgIds.length).toBeGreaterThan(0);
      for (const msgId of edit.msgIds) expect(known.has(msgId)).toBe(true);
    }
    expect(edits.map(({ step }) => step)).toEqual(edits.map(({ step }) => step).toSorted((a, b) => a - b));
    for (const { msgId, step, reason } of episode.gaps) {
      expect(reason).toMatch(/\.$/);
      if (msgId !== undefined) expect(known.has(msgId)).toBe(true);
      if (step !== undefined) expect(step).toBeLessThanOrEqual(last);
    }
    expect(() => viewAt(episode, steps.length)).not.toThrow();
    // What leaves the worker must survive being cloned.
    expect(() => structuredClone(episode)).not.toThrow();

    const { counts, ...told } = summary;
    expect(Object.values(counts).every((count) => Number.isInteger(count) && count >= 0)).toBe(true);
    expect(told).toEqual({
      title: episode.title,
      ...(episode.task === undefined ? {} : { task: episode.task }),
      ...(episode.outcome.reward === undefined ? {} : { reward: episode.outcome.reward }),
      steps: steps.length,
      edits: edits.length,
      samples: summary.samples,
      metrics: episode.metrics,
      gaps: [...new Set(episode.gaps.map(({ about }) => about))],
    });
    return episode;
  });
}
