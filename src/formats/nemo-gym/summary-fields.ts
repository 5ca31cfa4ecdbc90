import type { Fields } from '../fields';

/** Only that there is something. */
const there: Fields = { text: 1, items: { text: 1 } };

/** What tells items apart, pairs calls with results, and shows whether there are thoughts and token ids. */
const item = {
  keys: {
    type: {},
    role: {},
    name: { text: 80 },
    id: 'all',
    call_id: 'all',
    tool_call_id: 'all',
    content: there,
    summary: there,
    prompt_token_ids: { items: {} },
    generation_token_ids: { items: {} },
  },
} as const satisfies Fields;

/** The same as columns of numbers. Token ids tell samples apart, and are compared one by one. */
const itemKinds = {
  type: 'word',
  role: 'word',
  name: 'word',
  id: 'id',
  call_id: 'id',
  tool_call_id: 'id',
  content: 'some',
  summary: 'some',
  prompt_token_ids: 'none',
  generation_token_ids: 'none',
} as const;
const itemTable: Fields = { table: itemKinds };

/** Where a column of such a table stands in its rows. */
export function placeOf(key: keyof typeof itemKinds): number {
  return Object.keys(itemKinds).indexOf(key);
}

/** What the summary of a rollout looks at, which is little of it: texts, arguments and tool outputs are most. */
export const rolloutFields = {
  others: {},
  keys: {
    task_idx: 'all',
    task_id: 'all',
    instance_id: 'all',
    uuid: 'all',
    problem_id: 'all',
    id: 'all',
    responses_create_params: {
      keys: { ...item.keys, input: { text: 1, ...item, items: item }, instructions: { text: 1 }, model: {} },
    },
    response: {
      keys: {
        // Snapshots of the context, one list each, are compared word for word.
        output: { text: 1, ...item, items: { ...item, items: 'record' } },
        model: {},
        status: {},
        incomplete_details: { keys: { reason: {} } },
        usage: { others: {} },
      },
    },
    // Calls and compactions change what the steps are.
    ng_trajectory: 'record',
    ng_agent_observations: 'record',
    ng_model_call_capture: 'record',
    agent_ref: { keys: { name: 'all' } },
    instance_config: { keys: { mask_sample: {} } },
    reward_components: { others: {} },
    info: { keys: { reward_terms: { others: {} } } },
    result: { keys: { reward_info: { keys: { reward_breakdown: { others: {} } } } } },
    all_attempts: { items: { keys: { reward: {} } } },
    verifier_metadata: { keys: { osworld_steps: { items: { keys: { reward: {} } } } } },
  },
} as const satisfies Fields;

/** The same for `sketchOf`, which reads no single items. */
export const sketchFields: Fields = {
  ...rolloutFields,
  keys: {
    ...rolloutFields.keys,
    responses_create_params: { keys: { input: itemTable, instructions: { text: 1 } } },
    response: { keys: { ...rolloutFields.keys.response.keys, output: itemTable } },
  },
};
