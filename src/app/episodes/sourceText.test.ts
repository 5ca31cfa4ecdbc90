import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SourceState } from '../../ingest/protocol';
import { problemCount, type Growable } from './ledger';
import { announcement, readingText, restingText, writingText } from './sourceText';

const source: SourceState = {
  id: 'run.jsonl',
  name: 'run.jsonl',
  phase: 'reading',
  bytesRead: 420,
  bytesTotal: 1000,
  records: 1204,
  episodes: 1204,
  problems: 0,
};

describe('what is said of a source', () => {
  it('while it is read: how far, how fast, how long', () => {
    expect(readingText(source, 29)).toBe('42% of 1.0 kB · 1,204 records · 29 B/s · 20 s left');
    expect(readingText(source, undefined)).toBe('42% of 1.0 kB · 1,204 records');
    expect(readingText({ ...source, bytesTotal: 0 }, undefined)).toBe('420 B · 1,204 records');
  });

  it('when it was stopped: what is here', () => {
    expect(restingText({ ...source, phase: 'cancelled' })).toBe(
      'Stopped at 42%: the first 1,204 episodes are here.',
    );
    expect(restingText({ ...source, phase: 'cancelled', episodes: 0 })).toContain('before the first episode');
  });

  it('when it failed: what happened and what to do', () => {
    const failure = { what: 'This is a Git LFS pointer.', next: 'Run git lfs pull.' };
    expect(restingText({ ...source, phase: 'failed', failure })).toBe(
      'This is a Git LFS pointer. Run git lfs pull.',
    );
  });

  it('when it is read: its format, or why it has nothing', () => {
    const ready: SourceState = { ...source, phase: 'ready', bytesRead: 1000 };
    expect(restingText({ ...ready, format: { id: 'x', name: 'StateLM trajectories' } })).toBe(
      'StateLM trajectories',
    );
    expect(restingText({ ...ready, episodes: 0, bytesTotal: 0 })).toContain('empty');
    expect(restingText({ ...ready, episodes: 0, records: 0, problems: 3 })).toContain('Problems');
    expect(restingText({ ...ready, episodes: 0 })).toContain('no episode');
  });

  it('an unfinished last line is a problem only of a file that is not being written', () => {
    const torn: SourceState = {
      ...source,
      phase: 'ready',
      format: { id: 'x', name: 'StateLM trajectories' },
      problems: 1,
      torn: { line: 1205, byteStart: 415 },
    };
    expect(problemCount(torn)).toBe(1);
    expect(restingText(torn)).toBe('StateLM trajectories');
    expect(writingText(torn)).toBeUndefined();
    expect(announcement(torn)).toContain('1 problem');

    const growing = { ...torn, growing: true };
    expect(problemCount(growing)).toBe(0);
    expect(problemCount({ ...growing, problems: 3 })).toBe(2);
    expect(restingText(growing)).toBe('Still being written · StateLM trajectories');
    expect(writingText(growing)).toContain('line 1,205 · byte 415');
    expect(announcement(growing)).toBe('run.jsonl is read: 1,204 episodes.');
  });

  it('a first line that is being written is no failure', () => {
    const failure = { what: 'Nothing in this file is JSON.', next: 'Open a JSON or JSONL file.' };
    const begun: Growable = {
      ...source,
      phase: 'failed',
      failure,
      records: 0,
      episodes: 0,
      problems: 1,
      torn: { line: 1, byteStart: 0 },
      growing: true,
    };
    expect(restingText(begun)).toMatch(/^Still being written\. /);
    expect(announcement(begun)).toMatch(/^run\.jsonl: Still being written\. /);
    expect(problemCount(begun)).toBe(0);
    expect(restingText({ ...begun, growing: false })).toContain(failure.what);
    // The lines before it are none either.
    expect(restingText({ ...begun, problems: 2 })).toContain(failure.what);
  });

  it('screen readers hear of a reading at most five times', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1e12 }),
        fc.array(fc.integer({ min: 0, max: 1000 }), { maxLength: 200 }),
        (bytesTotal, parts) => {
          const said = parts
            .toSorted((a, b) => a - b)
            .map((part, index) =>
              announcement({ ...source, bytesTotal, bytesRead: (part / 1000) * bytesTotal, records: index }),
            );
          expect(new Set(said).size).toBeLessThanOrEqual(5);
        },
      ),
    );
    expect(announcement({ ...source, phase: 'ready', problems: 1 })).toBe(
      'run.jsonl is read: 1,204 episodes, 1 problem.',
    );
  });
});
