/** What the loop is told before a run. The names are those of the training code's YAML. */
export interface LoopConfig {
  /** Off: a plain tool loop. Nothing is numbered for the policy, nothing can be deleted. */
  statelm_enabled: boolean;
  /** How contexts are rendered and deletes answered: `rl` as in training, `inference` as in evaluation. */
  dialect: 'rl' | 'inference';
  /** A deleted assistant message keeps its text and loses only the arguments of its calls. */
  delete_assistant_tool_call_only: boolean;
  /** In tokens. Checked whenever the context is rendered. */
  max_model_length: number;
  context_length_penalty: number;
  /** In tokens. What training pads prompts to; the loop itself does not look at it. */
  prompt_length: number;
  /** In tokens: emissions and tool results of a run together. */
  response_length: number;
  /** `null`: no limit. */
  max_assistant_turns: number | null;
  max_user_turns: number | null;
  max_parallel_calls: number;
  /** In characters. */
  max_tool_response_length: number;
  tool_response_truncate_side: TruncateSide;
}

/** `left` keeps the head, `right` the tail, `middle` both. */
export type TruncateSide = 'left' | 'right' | 'middle';

export const DEFAULT_CONFIG: LoopConfig = {
  statelm_enabled: false,
  dialect: 'rl',
  delete_assistant_tool_call_only: false,
  max_model_length: 8192,
  context_length_penalty: -1,
  prompt_length: 4096,
  response_length: 2048,
  max_assistant_turns: 20,
  max_user_turns: 10,
  max_parallel_calls: 3,
  max_tool_response_length: 2000,
  tool_response_truncate_side: 'middle',
};
