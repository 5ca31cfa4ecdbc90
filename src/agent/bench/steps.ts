import { chatMl, loadBundledTokenizer, type Tokenizer } from '../../tokens';
import { DEFAULT_CONFIG } from '../config';
import type { LoopEnvironment } from '../environment';
import { createLoop } from '../loop';
import type { Policy } from '../policy';

/** What the loop itself costs: its policy and its environment answer at once. */
export interface StepCosts {
  /** Milliseconds per step, over all and over the first and the last tenth. */
  mean: number;
  first: number;
  last: number;
}

const RESULT = JSON.stringify({ retrieved_chunk: 'The lamp was lit on the ninth of October. '.repeat(10) });

const environment: LoopEnvironment = {
  name: 'none',
  tools: [{ name: 'readChunk', description: 'Read a chunk.' }],
  seed: () => Promise.resolve({}),
  call: () => Promise.resolve({ text: RESULT }),
  verify: () => Promise.resolve({ reward: 1 }),
};

/** `deleteEvery`: every so many steps what was read last is deleted, and the context rendered anew. */
export async function measureSteps(steps: number, deleteEvery = Infinity): Promise<StepCosts> {
  const tokenizer = await loadBundledTokenizer();
  const at: number[] = [];
  const policy: Policy = {
    name: 'none',
    emit: ({ step, messages }) => {
      at.push(performance.now());
      const deletes = step % deleteEvery === deleteEvery - 1;
      return Promise.resolve({
        text: 'I read on.',
        toolCalls: [
          deletes
            ? { name: 'deleteContext', arguments: JSON.stringify({ message_ids: [messages.length - 1] }) }
            : { name: 'readChunk', arguments: JSON.stringify({ chunk_id: step }) },
        ],
      });
    },
  };
  await runSteps(policy, tokenizer, steps + 1);
  const tenth = Math.max(1, Math.floor(steps / 10));
  const between = (from: number, to: number): number => ((at[to] ?? NaN) - (at[from] ?? NaN)) / (to - from);
  return { mean: between(0, steps), first: between(0, tenth), last: between(steps - tenth, steps) };
}

async function runSteps(policy: Policy, tokenizer: Tokenizer, steps: number): Promise<void> {
  const loop = createLoop({
    config: {
      ...DEFAULT_CONFIG,
      statelm_enabled: true,
      max_model_length: 1e9,
      response_length: 5e8,
      max_assistant_turns: steps,
      max_user_turns: null,
    },
    policy,
    environment,
    tokenizer,
    template: chatMl,
    task: { title: 'bench', messages: [{ role: 'user', text: 'When was the lamp lit?' }] },
  });
  while (!loop.done) await loop.advance();
}
