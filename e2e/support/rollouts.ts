import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newFolder } from './folder';

/** Small NeMo Gym rollouts for the browser tests, written here. */

interface RolloutOptions {
  task?: number;
  rollout?: number;
  reward?: number;
  question?: string;
  answer?: string;
}

/** One line: a question, two tool calls one after the other, an answer. Three steps. */
export function rollout({
  task = 0,
  rollout: nth = 0,
  reward = 1,
  question = 'How many apples are in the basket?',
  answer = 'There are seven apples.',
}: RolloutOptions = {}): string {
  return JSON.stringify({
    responses_create_params: {
      input: [
        { role: 'system', content: 'You count things.' },
        { role: 'user', content: question },
      ],
      tools: [
        {
          type: 'function',
          name: 'look',
          description: 'Looks into a basket',
          parameters: { type: 'object' },
        },
      ],
    },
    response: {
      id: `resp_${task}_${nth}`,
      model: 'counter-7b',
      object: 'response',
      output: [
        call('call_1', 'look', { basket: 'left' }),
        result('call_1', '{"apples": 3}'),
        call('call_2', 'look', { basket: 'right' }),
        result('call_2', '{"apples": 4}'),
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: answer }] },
      ],
    },
    reward,
    difficulty: task + nth / 10,
    _ng_task_index: task,
    _ng_rollout_index: nth,
  });
}

function call(id: string, name: string, args: object) {
  return { type: 'function_call', call_id: id, name, arguments: JSON.stringify(args) };
}

function result(id: string, output: string) {
  return { type: 'function_call_output', call_id: id, output };
}

/** A file of `count` rollouts, four to a task, with rewards that can be told apart. */
export function rolloutFile(count: number): string {
  const lines = Array.from({ length: count }, (_, index) =>
    rollout({
      task: Math.floor(index / 4),
      rollout: index % 4,
      reward: index / 10,
      question: `Question number ${index}?`,
    }),
  );
  return `${lines.join('\n')}\n`;
}

/** Two files of one name and size, in folders of their own. */
export async function filesOfOneName(): Promise<string[]> {
  const paths: string[] = [];
  for (const task of [1, 2]) {
    const path = join(await newFolder(), 'run.jsonl');
    await writeFile(path, rollout({ task }));
    // Written at another time, as any two files are.
    await utimes(path, task, task);
    paths.push(path);
  }
  return paths;
}
