import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compareView,
  isObject,
  lintEpisode,
  maskAt,
  samplesOf,
  seenAs,
  seenDiff,
  snapshotsOf,
  type Episode,
} from '../../model';
import type { Format, SourceRecord } from '../format';
import { expectSound, parse } from '../harness.fixtures';
import { runInference, runRl, type Plan } from './loop.fixtures';
import * as formats from './index';

/** Files that were cut off, damaged, or never were what they look like: whatever comes, importers give an episode. */

const plan: Plan = {
  turns: [
    {
      text: 'look',
      calls: [
        { tool: 'read', answer: 3 },
        { tool: 'note', key: 'a', summary: 'one' },
      ],
    },
    { text: '', calls: [{ tool: 'delete', back: [2, 1, -1], broken: false }] },
    { text: 'done', calls: [{ tool: 'delete', back: [4], broken: true }] },
  ],
  end: 'overflow',
  joinedNotes: false,
  keepsDeletedText: false,
};
const { result, calls, views } = runInference(plan);
const agentdata = runRl(plan).text;
const history = JSON.stringify(fieldOf(result, 'full_history'));

/** One file of every format, as its writer would have written it. */
const files: [format: Format, text: string][] = [
  [formats.statelmInferenceResult, result],
  [
    formats.statelmSaveTrajectory,
    `{"model": "m", "session_notes_summary": "- **a**: one", "full_history": ${history}, "deleted_msg_ids": [3], "meta_info": {"sample_id": "1"}}`,
  ],
  [formats.statelmApiCalls, calls],
  [
    formats.statelmFinalResult,
    `{"session_id": "s", "question": "Q?", "final_answer": "x", "expected_answer": ["x"], "meta_info": {"sample_id": "1", "last_payload": ${JSON.stringify(views.at(-1))}}}`,
  ],
  [
    formats.statelmResultsRow,
    '{"model": "StateLM", "sample_id": 7, "question": "Q?", "final_answer": "x", "meta_info": {"api_call_count": 3, "inference_result_path": "a.json"}}',
  ],
  [
    formats.statelmTrainTrajectory,
    `{"request_id": "r", "deleted_msg_ids": [2], "messages": ${history}, "trajectory_outputs": [` +
      '{"is_snapshot": true, "num_turns": 2, "prompt_length": 3, "response_length": 4, "response_mask_sum": 2, "prompt_text": "<|im_start|>user\\nQ<|im_end|>\\n<|im_start|>assistant\\n", "response_text": "look<|im_end|>\\n<|im_start|>tool\\n{}<|im_end|>\\n<|im_start|>assistant\\ndone<|im_end|>"},' +
      '{"is_snapshot": false, "num_turns": 3}], "extra_info": {"index": 1}}',
  ],
  [
    formats.statelmDebugStep,
    '{"step": 3, "sample_idx": 0, "prompt_full": "<|endoftext|><|im_start|>user\\nQ<|im_end|>\\n<|im_start|>assistant\\n", "response_full": "A<tool_call>{\\"name\\": \\"f\\", \\"arguments\\": {}}</tool_call><|im_end|><|endoftext|>", "n_total_tokens": 9, "n_total_response_tokens": 3, "n_unmasked_response_tokens": 1, "advantages": [0, 0.5, 0], "old_log_probs": [-1, -2, -3], "total_reward": 0.5, "unmasked_token_breakdown": [{"token_idx": 1, "token_id": 5, "token_text": "A", "advantage": 0.5}], "uid": "u", "is_snapshot": false}',
  ],
  [formats.statelmAgentdata, agentdata],
];

function fieldOf(text: string, key: string): unknown {
  const value: unknown = JSON.parse(text);
  return isObject(value) ? value[key] : undefined;
}

/** Imports, and asks everything that the interface would ask. */
function importAll(format: Format, record: SourceRecord): void {
  for (const episode of expectSound(format, record)) askAll(episode);
}

function askAll(episode: Episode): void {
  for (let step = 0; step <= episode.steps.length; step++) {
    seenAs(episode, step);
    seenDiff(episode, step - 1, step);
    compareView(episode, step);
    maskAt(episode, step);
  }
  samplesOf(episode, 'aligned');
  samplesOf(episode, 'tail');
  snapshotsOf(episode);
  for (const { message, step, msgId } of lintEpisode(episode)) {
    expect(message).not.toMatch(/\n/);
    if (step !== undefined) expect(episode.steps[step]).toBeDefined();
    if (msgId !== undefined) expect(episode.messages.some((each) => each.msgId === msgId)).toBe(true);
  }
}

function tryText(format: Format, text: string): void {
  const parsed = parse(text);
  if (parsed.ok) importAll(format, { value: parsed.value, text, index: 0, line: 1 });
}

describe.each(files.map(([format, text]) => [format.id, format, text] as const))('%s', (_, format, text) => {
  it('is recognised, and sound', () => {
    const value: unknown = JSON.parse(text);
    // A log of calls is recognised by its calls.
    const [claimed]: unknown[] = format.unit === 'source' && Array.isArray(value) ? value : [value];
    expect(format.confidence(claimed)).toBeGreaterThan(0.5);
    for (const other of Object.values(formats)) {
      if (other !== format) expect(other.confidence(claimed)).toBe(0);
    }
    importAll(format, { value, text, index: 0, line: 1 });
  });

  it('is not blamed for a reward that its writer never keeps', () => {
    const episode = format.episode({ value: JSON.parse(text), text, index: 0, line: 1 }, 0);
    expect(lintEpisode(episode).map(({ rule }) => rule)).not.toContain('reward-missing');
  });

  it('survives being cut off, with the brackets that are missing put back', () => {
    const at = Array.from({ length: 50 }, (_, index) => Math.floor((index * text.length) / 50));
    for (const end of at) {
      const cut = text.slice(0, end);
      for (const closed of [cut, `${cut}${closing(cut)}`, `${cut}"${closing(`${cut}"`)}`])
        tryText(format, closed);
    }
  });

  it('survives bytes that changed', () => {
    fc.assert(
      fc.property(
        fc.nat(text.length - 1),
        fc.constantFrom('0', '9', '-', '"', '[', ',', ' ', '\u0000', 'x'),
        (at, put) => {
          tryText(format, text.slice(0, at) + put + text.slice(at + 1));
        },
      ),
      { numRuns: 30 },
    );
  });

  it('survives any other value in any place', () => {
    const strange = fc.constantFrom<unknown>(
      null,
      -1,
      1e300,
      'text',
      [],
      {},
      [[]],
      [null],
      true,
      '\ud800',
      Number.MAX_SAFE_INTEGER,
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(), strange), { minLength: 1, maxLength: 3 }), (changes) => {
        let value: unknown = JSON.parse(text);
        for (const [place, put] of changes) value = replaced(value, place, put);
        const written = JSON.stringify(value);
        importAll(format, { value, text: written, index: 0, line: 1 });
        // The text may also be that of something else.
        importAll(format, { value, text, index: 0, line: 1 });
      }),
      { numRuns: 30 },
    );
  });

  it('survives nesting deeper than the stack', () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    for (const key of [
      'content',
      'arguments',
      'last_payload',
      'messages',
      'emission_views',
      'full_history',
      'api_output',
    ]) {
      tryText(format, text.replaceAll(new RegExp(`("${key}": ?)("(?:[^"\\\\]|\\\\.)*")`, 'g'), `$1${deep}`));
      tryText(format, text.replace(`"${key}": [`, `"${key}": [${deep}, `));
    }
  });
});

/** The brackets that would close a text. */
function closing(text: string): string {
  const open: string[] = [];
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? '';
    if (inString && char === '\\') at += 1;
    else if (char === '"') inString = !inString;
    else if (!inString && (char === '{' || char === '[')) open.push(char === '{' ? '}' : ']');
    else if (!inString && (char === '}' || char === ']')) open.pop();
  }
  return open.toReversed().join('');
}

/** A copy in which the nth value, counted through all levels, is another one. */
function replaced(value: unknown, nth: number, put: unknown): unknown {
  const places: [holder: object, key: string][] = [];
  const root = { value: structuredClone(value) };
  const collect = (holder: object): void => {
    for (const [key, each] of Object.entries(holder)) {
      places.push([holder, key]);
      if (typeof each === 'object' && each !== null && places.length < 5000) collect(each);
    }
  };
  collect(root);
  const [holder, key] = places[nth % places.length] ?? [root, 'value'];
  Reflect.set(holder, key, put);
  return root.value;
}
