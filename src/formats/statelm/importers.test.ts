import { describe, expect, it } from 'vitest';
import { compareView, lintEpisode, samplesOf, seenAs, sizesOf, STUB_TEXT, type Episode } from '../../model';
import { detectFormat } from '../registry';

/** What is particular to one format or another; what they share is in the tests of the loops. */

function episodeFrom(value: unknown): Episode {
  const format = detectFormat(value);
  if (format === undefined) throw new Error('no format');
  return format.episode({ value, text: JSON.stringify(value), index: 0, line: 1 }, 0);
}

const ask = { role: 'user', content: 'Who?' };
const call = (id: string, name: string, args: string) => ({
  id,
  type: 'function',
  function: { name, arguments: args },
});

const prompt = (rest: string) =>
  `<|im_start|>user\nWho?\n\n<external_memory>\n## Available Notes\nNo notes recorded.\n</external_memory><|im_end|>\n${rest}<|im_start|>assistant\n`;
const callText = (name: string, args: string) =>
  `<tool_call>\n{"name": "${name}", "arguments": ${args}}\n</tool_call>`;
const ids = (text: string) => Array.from(text, (char) => char.codePointAt(0));

describe('an inference result', () => {
  it('counts a model call that failed as a step of its own, and says why', () => {
    const episode = episodeFrom({
      system_prompt: 'Be brief.',
      query: 'Who?',
      result_info: {},
      full_history: [
        ask,
        {
          role: 'assistant',
          content: [{ type: 'text', text: 'look' }],
          tool_calls: [call('a', 'analyzeText', '{}')],
          msg_id: 1,
        },
        {
          role: 'tool',
          content: { n: 1 },
          msg_id: 2,
          'msg_id(invoking_assistant)': 1,
          tool_use_id: 'a',
          tool_name: 'analyzeText',
        },
        {
          role: 'tool',
          content: { status: 'error', message: 'LLM API failed' },
          msg_id: 3,
          'msg_id(invoking_assistant)': 2,
          tool_use_id: 'api_failure',
          tool_name: 'finish',
        },
      ],
    });
    expect(episode.steps).toHaveLength(2);
    expect(episode.outcome).toEqual({
      components: {},
      noReward: 'never-kept',
      error: 'LLM API failed',
    });
    expect(seenAs(episode, 1)).toHaveLength(4);
    expect(lintEpisode(episode).map(({ rule }) => rule)).not.toContain('wrong-invoking-assistant');
  });
});

describe('a final result', () => {
  it('shows a deleted note by its summary at the end, and says that the original is gone', () => {
    const episode = episodeFrom({
      session_id: 's',
      question: 'Who?',
      final_answer: 'she',
      expected_answer: ['she', 'her'],
      meta_info: {
        last_payload: [
          { role: 'system', content: 'Be brief.' },
          {
            role: 'user',
            content: 'Who?\n\n<external_memory>\n## Available Notes\n- **k**: who it was\n</external_memory>',
          },
          {
            role: 'assistant',
            content: STUB_TEXT,
            tool_calls: [call('a', 'note', `{"message": "${STUB_TEXT}"}`)],
          },
          {
            role: 'tool',
            content: '{"status": "success", "key": "k", "msg_id": 2, "msg_id(invoking_assistant)": 1}',
            tool_call_id: 'a',
          },
          { role: 'assistant', content: 'drop', tool_calls: [call('b', 'deleteContext', '{"msg_id": 1}')] },
          {
            role: 'tool',
            content:
              '{"status": "success", "deleted_msg_id": 1, "deleted_role": "assistant", "msg_id": 4, "msg_id(invoking_assistant)": 3}',
            tool_call_id: 'b',
          },
        ],
      },
    });
    expect(compareView(episode, 2)).toBe('agrees');
    expect(episode.gaps.map(({ reason }) => reason)).toContain(
      'Only the stub of message 1 is in this file, not what was deleted.',
    );
    expect(episode.metrics['expected_answer']).toBe('she | her');
  });
});

describe('a training trajectory', () => {
  it('tells from its text that results are appended bare, that of the edit too', () => {
    const deleted = '{"status": "success", "deleted_msg_id": 2, "deleted_role": "tool"}';
    const episode = episodeFrom({
      deleted_msg_ids: [2],
      messages: [
        { ...ask, msg_id: 0 },
        {
          role: 'assistant',
          content: 'look',
          tool_calls: [call('tool_call_1', 'readChunk', '{}')],
          msg_id: 1,
        },
        {
          role: 'tool',
          content: '{"text": 1}',
          tool_name: 'readChunk',
          msg_id: 2,
          'msg_id(invoking_assistant)': 1,
        },
        {
          role: 'assistant',
          content: 'drop',
          tool_calls: [call('tool_call_3', 'deleteContext', '{"msg_id": 2}')],
          msg_id: 3,
        },
        {
          role: 'tool',
          content: deleted,
          tool_name: 'deleteContext',
          msg_id: 4,
          'msg_id(invoking_assistant)': 3,
        },
        { role: 'assistant', content: 'done', tool_calls: [], msg_id: 5 },
      ],
      trajectory_outputs: [
        {
          is_snapshot: true,
          num_turns: 2,
          prompt_length: 9,
          response_length: 8,
          response_mask_sum: 5,
          prompt_text: prompt(''),
          response_text: `look\n${callText('readChunk', '{}')}<|im_end|>\n<|im_start|>tool\n{"text": 1}<|im_end|>\n<|im_start|>assistant\ndrop\n${callText('deleteContext', '{"msg_id": 2}')}<|im_end|>`,
        },
        {
          is_snapshot: false,
          num_turns: 3,
          prompt_text: prompt(
            `<|im_start|>assistant\nlook\n${callText('readChunk', '{}')}<|im_end|>\n<|im_start|>tool\n` +
              `{"msg_id": 2, "msg_id(invoking_assistant)": 1, "status": "success", "message": "${STUB_TEXT}", "original_tool": "readChunk"}<|im_end|>\n` +
              `<|im_start|>assistant\ndrop\n${callText('deleteContext', '{"msg_id": 2}')}<|im_end|>\n<|im_start|>tool\n${deleted}<|im_end|>\n`,
          ),
          response_text: 'done<|im_end|>',
        },
      ],
    });
    expect(episode.statelm?.toolResults).toBe('returned-from-edit');
    expect(episode.steps.map(({ index }) => compareView(episode, index))).toEqual([
      'agrees',
      'agrees',
      'agrees',
    ]);
    expect(episode.samples?.map(sizesOf)[0]).toEqual({ prompt: 9, response: 8, mask: 8, trained: 5 });
    expect(episode.samples?.map(({ kind, firstStep, lastStep }) => [kind, firstStep, lastStep])).toEqual([
      ['snapshot', 0, 1],
      ['final', 2, 2],
    ]);
  });
});

describe('a debug step', () => {
  it('has the values of every response token, and ids and texts of the trained ones', () => {
    const episode = episodeFrom({
      step: 3,
      sample_idx: 1,
      prompt_full: '<|endoftext|><|im_start|>user\nQ<|im_end|>\n<|im_start|>assistant\n',
      response_full: 'A B<|im_end|><|endoftext|><|endoftext|>',
      n_total_tokens: 10,
      n_total_response_tokens: 4,
      n_unmasked_response_tokens: 2,
      advantages: [0, 0.5, 0.5, 0],
      old_log_probs: [-1, -2, -3, -4],
      total_reward: -0.5,
      unmasked_token_breakdown: [
        { token_idx: 1, token_id: 11, token_text: 'A', advantage: 0.75, old_log_prob: -2 },
        { token_idx: 2, token_id: 12, token_text: ' B' },
        { token_idx: 9, token_id: 13, token_text: 'past the end' },
      ],
    });
    const [sample] = episode.samples ?? [];
    expect(episode.outcome.reward).toBe(-0.5);
    expect(episode.messages.map(({ role, origin }) => [role, origin])).toEqual([
      ['user', 'prompt'],
      ['assistant', 'policy'],
    ]);
    expect(sample?.tokens?.trained).toEqual([[1, 3]]);
    expect([...(sample?.tokens?.responseIds ?? [])]).toEqual([-1, 11, 12, -1]);
    expect([...(sample?.tokens?.values?.['advantage'] ?? [])]).toEqual([0, 0.75, 0.5, 0]);
    expect(sample?.tokens?.texts).toEqual([undefined, 'A', ' B', undefined]);
    expect(sample === undefined ? undefined : sizesOf(sample)).toEqual({
      prompt: 6,
      response: 4,
      mask: 4,
      trained: 2,
    });
  });

  it('counts the trained tokens itself where the file does not, and says when a reward is none', () => {
    const episode = episodeFrom({
      sample_idx: 1,
      prompt_full: '',
      response_full: 'A B',
      advantages: [0, 1, 1, 1],
      total_reward: null,
      unmasked_token_breakdown: [{ token_idx: 1 }, { token_idx: 2 }, { token_idx: 3, token_id: 1.5 }],
    });
    const [sample] = episode.samples ?? [];
    expect(sample?.sizes?.trained).toBe(3);
    expect([...(sample?.tokens?.responseIds ?? [])]).toEqual([-1, -1, -1, -1]);
    expect(episode.outcome.noReward).toBe('not-a-number');
  });
});

describe('agent data', () => {
  it('keeps an emission that ran into a limit, which the loop left out of its history', () => {
    const view =
      '<|im_start|>user\nWho?\n\n<external_memory>\n## Available Notes\nNo notes recorded.\n</external_memory><|im_end|>\n<|im_start|>assistant\n';
    const episode = episodeFrom({
      full_history: [ask, { ...ask, msg_id: 0 }],
      deleted_msg_ids: [],
      prompt_ids: ids(`${view}I thi`),
      response_mask: [1, 1, 1, 1, 1],
      emission_views: [ids(view)],
      assistant_turn_boundaries: [[0, 5]],
      trajectory_snapshots: [],
    });
    expect(episode.steps).toMatchObject([{ unfinished: 'ended before its calls were read' }]);
    expect(episode.messages.at(-1)?.parts).toEqual([{ kind: 'text', text: 'I thi' }]);
    expect(samplesOf(episode).map(sizesOf)).toEqual([
      { prompt: view.length, response: 5, mask: 5, trained: 5 },
    ]);
    // Without recorded samples, those that the loop would have cut.
    expect(episode.samples?.map(sizesOf)).toEqual([
      { prompt: view.length, response: 5, mask: 5, trained: 5 },
    ]);
  });

  const moment = {
    full_history: [ask, { ...ask, msg_id: 0 }],
    deleted_msg_ids: [],
    prompt_ids: [1, 2, 3, 4],
    emission_views: [],
    assistant_turn_boundaries: [],
    trajectory_snapshots: [],
  };

  it('reads a mask of flags like one of numbers', () => {
    const numbers = episodeFrom({ ...moment, response_mask: [0, 1, 1] });
    const flags = episodeFrom({ ...moment, response_mask: [false, true, true] });
    expect(numbers.samples?.[0]?.tokens).toMatchObject({ maskLength: 3, trained: [[1, 3]] });
    expect(flags.samples).toEqual(numbers.samples);
  });

  it.each([
    ['a hole in the mask', { response_mask: [1, null, 1] }],
    ['an id that is no whole number', { prompt_ids: [1, 1.5], response_mask: [1] }],
    ['an id that fits no 32 bits', { prompt_ids: [1, 1e20], response_mask: [1] }],
  ])('shows no tokens where it has %s, and says so', (_, given) => {
    const episode = episodeFrom({ ...moment, ...given });
    expect(episode.samples?.map(({ tokens }) => tokens)).toEqual([undefined]);
    expect(episode.gaps.map(({ reason }) => reason)).toContain(
      'Sample 0 has no prompt ids and mask that can be read.',
    );
  });
});
