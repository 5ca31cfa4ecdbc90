import { arrayAt, at, isObject, stringAt, type StepTokens } from '../../model';
import { jsonText } from '../bounded';
import { reasoningOf } from '../chat-entry';
import type { LoggedCall, Placed } from '../model-calls';
import { tokenIds, tokenNumbers } from '../token-lists';

/**
 * A step of a trajectory: a model call with the conversation up to and with what it emitted, e.g.
 *
 *     {
 *       observation: 'You see a door.', thought: '', action: 'open', reward: 0.0, done: false,
 *       model_response: '<think>hm</think>open',
 *       chat_completions: [{ role: 'user', content: 'You see a door.' }, { role: 'assistant', content: 'open' }],
 *       prompt_ids: [...], response_ids: [...], logprobs: [...]
 *     }
 *
 * Ids are only in what the evaluation store writes. Agents without a chat leave `chat_completions` empty.
 */
export function callFrom(step: unknown, base: string): LoggedCall {
  const chat = arrayAt(step, 'chat_completions') ?? [];
  const tokens = stepTokens(step);
  const more = tokens === undefined ? {} : { tokens };
  if (chat.length === 0) {
    return { context: observed(step, base), continues: true, emitted: responseOf(step, base), ...more };
  }
  const all = chat.map((value, nth) => ({ value, raw: `${base}/chat_completions/${nth}` }));
  const last = all.at(-1);
  if (last === undefined || stringAt(last.value, 'role') !== 'assistant') {
    return { context: all, emitted: responseOf(step, base), ...more };
  }
  return { context: all.slice(0, -1), emitted: [withThoughts(last, step)], ...more };
}

/** The response has the thoughts that some agents take out of the chat. */
function withThoughts({ value, raw }: Placed, step: unknown): Placed {
  const response = stringAt(step, 'model_response') ?? '';
  const said = stringAt(value, 'content');
  const end = response.lastIndexOf('</think>');
  const isStripped =
    isObject(value) &&
    end >= 0 &&
    said !== undefined &&
    !said.includes('</think>') &&
    reasoningOf(value) === '' &&
    response.slice(end + '</think>'.length).trim() === said.trim();
  return isStripped ? { value: { ...value, content: response }, raw } : { value, raw };
}

function observed(step: unknown, base: string): Placed[] {
  const content = contentOf(at(step, 'observation'));
  return content === undefined ? [] : [{ value: { role: 'user', content }, raw: `${base}/observation` }];
}

/** What the model answered, or what the agent made of it. */
function responseOf(step: unknown, base: string): Placed[] {
  for (const key of ['model_response', 'action']) {
    const content = contentOf(at(step, key));
    if (content !== undefined) return [{ value: { role: 'assistant', content }, raw: `${base}/${key}` }];
  }
  return [];
}

function contentOf(found: unknown): string | undefined {
  if (found === undefined || found === null || found === '') return undefined;
  return typeof found === 'string' ? found : jsonText(found);
}

function stepTokens(step: unknown): StepTokens | undefined {
  const promptIds = tokenIds(at(step, 'prompt_ids'));
  const generationIds = tokenIds(at(step, 'response_ids'));
  if (promptIds === undefined || generationIds === undefined) return undefined;
  if (promptIds.length + generationIds.length === 0) return undefined;
  const logprobs = tokenNumbers(at(step, 'logprobs'));
  const isThere = logprobs !== undefined && logprobs.length > 0;
  return { promptIds, generationIds, ...(isThere ? { logprobs } : {}) };
}
