import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import {
  at,
  arrayAt,
  compareView,
  lintEpisode,
  readChatml,
  recordedViewAt,
  samplesOf,
  seenAs,
  sizesOf,
  textOfIds,
  type ChatMessage,
  type Episode,
  type Finding,
} from '../../model';
import { maskRules } from '../../model/lint/masks';
import { detectFormat } from '../registry';

/**
 * Files that the reference code itself wrote: what is rebuilt from a history must be what was really sent. They are
 * not part of the project: where they are not there, one test says so.
 */
const folder = fileURLToPath(new URL('../../../../shared/corpus/extra', import.meta.url));
const isPresent = existsSync(`${folder}/statelm_infer__api_calls.json`);

if (isPresent) describe('the files of the StateLM reference', checkReference);
else test('the files of the StateLM reference are not here', sayAbsent);

/** On standard error, because a list of passed tests hides it. */
function sayAbsent(): void {
  process.stderr.write(`no StateLM reference files at ${folder}: rebuilt views were not held against them\n`);
  expect(isPresent).toBe(false);
}

function valueOf(file: string): unknown {
  return JSON.parse(readFileSync(`${folder}/${file}`, 'utf8'));
}

function episodeOf(file: string): Episode {
  const text = readFileSync(`${folder}/${file}`, 'utf8');
  const value: unknown = JSON.parse(text);
  // The reader takes an array apart and gathers the records of a log again.
  const format = detectFormat(Array.isArray(value) ? value[0] : value);
  if (format === undefined) throw new Error(`no format for ${file}`);
  return format.episode({ value, text, index: 0, line: 1 }, 0);
}

function agentdata(name: string): Episode {
  return episodeOf(`statelm_agentdata__${name}.json`);
}

const names = ['plain', 'one_delete', 'mask_outgrows_prompt', 'overflow', 'notes'] as const;

function numbers(text: string): number[] {
  return (text.match(/\d+/g) ?? []).map(Number);
}

/** The notes of INDEX.tsv: tokens under a 1 per sample, and response ids and mask lengths as recorded. */
function truthOf(name: string): { trained: number[]; lengths: number[][] } {
  const row = readFileSync(`${folder}/../INDEX.tsv`, 'utf8')
    .split('\n')
    .find((line) => line.includes(`statelm_agentdata__${name}.json`));
  const list = (key: string): string => new RegExp(`${key}=\\[(.*?)\\]`).exec(row ?? '')?.[1] ?? '';
  return {
    trained: numbers(list('trained_tokens')),
    lengths: (list('response_vs_mask_length').match(/\(.*?\)/g) ?? []).map(numbers),
  };
}

function aboutMasks(name: string): Finding[] {
  const rules = new Set(maskRules.map(({ id }) => id));
  return lintEpisode(agentdata(name)).filter(({ rule }) => rules.has(rule));
}

function checkReference(): void {
  test('views rebuilt from the inference result are the messages that were sent, call by call', () => {
    const episode = episodeOf('statelm_infer__42_inference_result.json');
    const calls = valueOf('statelm_infer__api_calls.json');
    if (!Array.isArray(calls)) throw new Error('no list of calls');
    expect(episode.steps).toHaveLength(calls.length);
    expect(calls.length).toBeGreaterThan(10);
    calls.forEach((call: unknown, step) => {
      const sent = at(at(call, 'api_input'), 'messages');
      // As text, so that the order of keys counts too.
      expect(JSON.stringify(seenAs(episode, step))).toBe(JSON.stringify(sent));
    });
    expect(compareView(episode, calls.length)).toBe('agrees');
  });

  test.each([
    'statelm_infer__api_calls.json',
    'statelm_infer__42_final_result.json',
    'statelm_infer__trajectory.json',
  ])('%s tells the same story as the inference result', (file) => {
    const whole = episodeOf('statelm_infer__42_inference_result.json');
    const episode = episodeOf(file);
    expect(episode.steps).toHaveLength(whole.steps.length);
    expect(episode.edits.map(({ step, msgIds }) => ({ step, msgIds }))).toEqual(
      whole.edits.map(({ step, msgIds }) => ({ step, msgIds })),
    );
    for (let step = 0; step <= episode.steps.length; step++) {
      expect(compareView(episode, step)).not.toMatchObject({ step });
    }
  });

  test('what the log of calls recorded is given back whole', () => {
    const episode = episodeOf('statelm_infer__api_calls.json');
    const calls = valueOf('statelm_infer__api_calls.json');
    if (!Array.isArray(calls)) throw new Error('no list of calls');
    calls.forEach((call: unknown, step) => {
      expect(recordedViewAt(episode, step)).toEqual({
        form: 'messages',
        messages: at(at(call, 'api_input'), 'messages'),
      });
      expect(seenAs(episode, step)).toEqual(at(at(call, 'api_input'), 'messages'));
    });
  });

  test.each(names)('%s: views are what the emission views decode to', (name) => {
    const episode = agentdata(name);
    const views = arrayAt(valueOf(`statelm_agentdata__${name}.json`), 'emission_views') ?? [];
    expect(episode.steps).toHaveLength(views.length);
    views.forEach((view, step) => {
      const text = textOfIds(Int32Array.from(Array.isArray(view) ? view : [])) ?? '';
      expect(compareView(episode, step)).toBe('agrees');
      // And independently of our reading of the template: every message stands there, in order, word for word.
      let from = 0;
      for (const message of seenAs(episode, step)) {
        const found = text.indexOf(`<|im_start|>${message.role}\n${spoken(message)}`, from);
        expect(found).toBeGreaterThanOrEqual(from);
        from = found + 1;
      }
      expect(text.split('<|im_start|>')).toHaveLength(seenAs(episode, step).length + 2);
    });
  });

  test.each(names)('%s: samples', (name) => {
    const truth = truthOf(name);
    const episode = agentdata(name);
    expect(truth.trained.length).toBeGreaterThan(0);
    const aligned = samplesOf(episode, 'aligned').map(sizesOf);
    expect(aligned.map((sizes) => sizes?.trained)).toEqual(truth.trained);

    const tail = samplesOf(episode, 'tail');
    expect(tail.map(sizesOf).map((sizes) => [sizes?.response, sizes?.mask])).toEqual(truth.lengths);
    const recorded = episode.samples ?? [];
    expect(recorded).toHaveLength(tail.length);
    recorded.forEach((sample, index) => {
      expect(tail[index]?.tokens?.promptIds).toEqual(sample.tokens?.promptIds);
      expect(tail[index]?.tokens?.responseIds).toEqual(sample.tokens?.responseIds);
      expect(tail[index]?.tokens?.trained).toEqual(sample.tokens?.trained);
    });
  });

  test('mask_outgrows_prompt says why it trains nothing, and plain has nothing to say about masks', () => {
    const text = aboutMasks('mask_outgrows_prompt')
      .map(({ message }) => message)
      .join('\n');
    expect(text).toMatch(/2,?415/);
    expect(text).toMatch(/1,?318/);
    expect(text).toMatch(/\b81\b/);
    expect(aboutMasks('plain')).toEqual([]);
  });

  test('the text of training samples is the views rebuilt', () => {
    const episode = episodeOf('statelm_train__trajectory_9f0c2f5b_20260213_175437.json');
    expect(episode.statelm?.toolResults).toBe('rendered');
    expect(episode.steps.map(({ index }) => compareView(episode, index))).toEqual(
      episode.steps.map(() => 'agrees'),
    );
    expect(episode.samples?.map(({ firstStep, lastStep }) => [firstStep, lastStep])).toEqual([
      [0, 3],
      [4, 5],
    ]);
    expect(readChatml(episode.samples?.[1]?.text?.prompt ?? '')?.length).toBe(seenAs(episode, 4).length);
  });
}

/** What a message says before its calls, which templates write in their own ways. */
function spoken({ content }: ChatMessage): string {
  return typeof content === 'string' ? content : '';
}
