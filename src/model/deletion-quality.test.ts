import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { STUB_TEXT } from './chat';
import { deletionQuality } from './deletion-quality';
import type { ContextEdit, Episode, Message } from './episode';
import { callPart, episodeOf, episodes, messageOf } from './episode.fixtures';

const chunk = 'The lighthouse keeper wrote down every ship that passed.';

/** A question, then steps that each read something: assistant 2k+1 calls, tool 2k+2 answers. */
function reading(reads: { args: string; answer: string }[], given: Partial<Episode> = {}): Episode {
  const messages: Message[] = [
    messageOf(0, 'prompt', { bornAtStep: -1, parts: [{ kind: 'text', text: 'Who?' }] }),
    ...reads.flatMap(({ args, answer }, step) => [
      messageOf(2 * step + 1, 'policy', {
        bornAtStep: step,
        parts: [callPart(`c${step}`, 'readChunk', args)],
      }),
      messageOf(2 * step + 2, 'environment', {
        bornAtStep: step,
        toolResultFor: [`c${step}`],
        parts: [{ kind: 'text', text: answer }],
      }),
    ]),
  ];
  return episodeOf({ messages, tokenIds: 'characters', ...given });
}

const reads = ['1', '2', '3', '4'].map((id) => ({ args: `{"chunk_id": ${id}}`, answer: `${id}: ${chunk}` }));
const remove = (step: number, ...msgIds: number[]): ContextEdit => ({ step, kind: 'delete', msgIds });

describe('deletion quality', () => {
  it('counts what was taken, the room it made, and how long it had stood', () => {
    const size = `1: ${chunk}`.length - STUB_TEXT.length;
    expect(deletionQuality(reading(reads, { edits: [remove(1, 2), remove(3, 4, 2)] }))).toEqual({
      deleted: 2,
      freed: 2 * size,
      freedTruth: 'derived',
      stepsToDelete: 1.5,
      readAgain: 0,
    });
  });

  it('takes the tokens that the source counted, and estimates where it did not', () => {
    const edits = [{ ...remove(1, 2), tokensBefore: 900, tokensAfter: 100 }];
    expect(deletionQuality(reading(reads, { edits }))).toMatchObject({ freed: 800, freedTruth: 'recorded' });
    const { tokenIds: _, ...other } = reading(reads, { edits: [remove(1, 2)] });
    expect(deletionQuality(other)).toMatchObject({
      freed: Math.round((`1: ${chunk}`.length - STUB_TEXT.length) / 4),
      freedTruth: 'inferred',
    });
  });

  it('notices what was read again, by its text or by its call, and only after it had gone', () => {
    const again = [
      ...reads.slice(0, 2),
      { args: '{"chunk_id":1}', answer: 'the same chunk in other words, and longer' },
    ];
    expect(deletionQuality(reading(again, { edits: [remove(1, 2)] })).readAgain).toBe(1);
    const sameText = [...reads.slice(0, 2), { args: '{"scan": true}', answer: `1: ${chunk}` }];
    expect(deletionQuality(reading(sameText, { edits: [remove(1, 2)] })).readAgain).toBe(1);
    // Read twice, and both deleted afterwards.
    expect(deletionQuality(reading(again, { edits: [remove(2, 2, 6)] })).readAgain).toBe(0);
  });

  it('takes short answers and calls without arguments for no reading', () => {
    const short = [
      { args: '{"id": 1}', answer: 'ok' },
      ...reads.slice(1, 2),
      { args: '{"id": 1}', answer: 'ok' },
    ];
    expect(deletionQuality(reading(short, { edits: [remove(1, 2)] })).readAgain).toBe(0);
    const stats = [
      { args: '{}', answer: 'forty characters of statistics, at least.' },
      ...reads.slice(1, 2),
      { args: '{}', answer: 'forty other characters of statistics, too.' },
    ];
    expect(deletionQuality(reading(stats, { edits: [remove(1, 2)] })).readAgain).toBe(0);
  });

  it('says how few deletes would have kept the context within its limit', () => {
    const saving = `1: ${chunk}`.length - STUB_TEXT.length;
    const over = (tokens: number) =>
      deletionQuality(
        reading(reads, {
          limits: { maxModelLength: 1000, responseLength: 200 },
          statelm: { dialect: 'rl', finalIds: new Int32Array(800 + tokens) },
          outcome: { components: {}, termination: 'context_length_exceeded' },
        }),
      ).missed;
    expect([over(-1), over(0), over(1), over(saving), over(saving + 1), over(100_000)]).toEqual([
      0, 0, 1, 1, 2, 4,
    ]);
    expect(deletionQuality(reading(reads)).missed).toBeUndefined();
  });

  it('asks for no room where a response was not refused', () => {
    const limits = { maxModelLength: 1000, responseLength: 900 };
    const statelm = { dialect: 'rl', finalIds: new Int32Array(800) } as const;
    expect(deletionQuality(reading(reads, { limits, statelm })).missed).toBe(0);
  });

  it('never takes more than there is', () => {
    fc.assert(
      fc.property(episodes(), (episode) => {
        const { deleted, readAgain, stepsToDelete } = deletionQuality(episode);
        expect(deleted).toBeLessThanOrEqual(episode.messages.length);
        expect(readAgain).toBeLessThanOrEqual(deleted);
        expect(stepsToDelete ?? 0).toBeGreaterThanOrEqual(0);
        expect(stepsToDelete ?? 0).toBeLessThanOrEqual(episode.steps.length);
      }),
    );
  });
});
