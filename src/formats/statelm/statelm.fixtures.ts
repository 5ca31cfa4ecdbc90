import { isObject } from '../../model';
import type { Fixture } from '../harness.fixtures';
import { runInference, runRl, type Plan } from './loop.fixtures';

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
const parsed: unknown = JSON.parse(result);
const history = JSON.stringify(isObject(parsed) ? parsed['full_history'] : undefined);

/** One file of every format, as its writer would have written it. */
const files: Record<string, string> = {
  statelm_inference_result: result,
  statelm_save_trajectory: `{"model": "m", "session_notes_summary": "- **a**: one", "full_history": ${history}, "deleted_msg_ids": [3], "meta_info": {"sample_id": "1"}}`,
  statelm_api_calls: calls,
  statelm_final_result: `{"session_id": "s", "question": "Q?", "final_answer": "x", "expected_answer": ["x"], "meta_info": {"sample_id": "1", "last_payload": ${JSON.stringify(views.at(-1))}}}`,
  statelm_results_row:
    '{"model": "StateLM", "sample_id": 7, "question": "Q?", "final_answer": "x", "meta_info": {"api_call_count": 3, "inference_result_path": "a.json"}}',
  statelm_train_trajectory:
    `{"request_id": "r", "deleted_msg_ids": [2], "messages": ${history}, "trajectory_outputs": [` +
    '{"is_snapshot": true, "num_turns": 2, "prompt_length": 3, "response_length": 4, "response_mask_sum": 2, "prompt_text": "<|im_start|>user\\nQ<|im_end|>\\n<|im_start|>assistant\\n", "response_text": "look<|im_end|>\\n<|im_start|>tool\\n{}<|im_end|>\\n<|im_start|>assistant\\ndone<|im_end|>"},' +
    '{"is_snapshot": false, "num_turns": 3}], "extra_info": {"index": 1}}',
  statelm_debug_step:
    '{"step": 3, "sample_idx": 0, "prompt_full": "<|endoftext|><|im_start|>user\\nQ<|im_end|>\\n<|im_start|>assistant\\n", "response_full": "A<tool_call>{\\"name\\": \\"f\\", \\"arguments\\": {}}</tool_call><|im_end|><|endoftext|>", "n_total_tokens": 9, "n_total_response_tokens": 3, "n_unmasked_response_tokens": 1, "advantages": [0, 0.5, 0], "old_log_probs": [-1, -2, -3], "total_reward": 0.5, "unmasked_token_breakdown": [{"token_idx": 1, "token_id": 5, "token_text": "A", "advantage": 0.5}], "uid": "u", "is_snapshot": false}',
  statelm_agentdata: runRl(plan).text,
};

export const statelmFixtures: Fixture[] = Object.entries(files).map(([format, text]) => ({
  name: 'a file of its writer',
  format,
  value: JSON.parse(text) as unknown,
  text,
}));
