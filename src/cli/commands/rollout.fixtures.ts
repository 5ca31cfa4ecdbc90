import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A NeMo Gym rollout on one line: a question, a thought, a tool call, its result, an answer. Two steps. */
export function rolloutLine(task: number, reward: number, answer = 'Four.'): string {
  return JSON.stringify({
    _ng_task_index: task,
    _ng_rollout_index: 0,
    responses_create_params: { input: [{ role: 'user', content: 'What is two and two?' }] },
    response: {
      output: [
        { type: 'reasoning', id: 'r1', summary: [{ type: 'summary_text', text: 'Better ask the tool.' }] },
        { type: 'function_call', call_id: 'c1', name: 'add', arguments: '{"a":2,"b":2}' },
        { type: 'function_call_output', call_id: 'c1', output: '4' },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: answer }] },
      ],
    },
    reward,
  });
}

/** Files in a folder that lives as long as the test. Gives the folder. */
export async function folderOf(files: Record<string, string | Uint8Array>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rollscope-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  return folder;
}
