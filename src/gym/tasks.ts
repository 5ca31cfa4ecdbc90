/** Task inputs as they stand in a JSONL file: the tools are those of the environment, from their schemas. */
import type { Environment, Task, ToolSchema } from './environment';
import { toolSchemas } from './openapi';

/** Tools that the policy may call: the server's, and those that the agent loop runs. */
export function policyTools(environment: Environment): ToolSchema[] {
  return [...toolSchemas(environment), ...environment.loopTools];
}

export function taskRows(environment: Environment): Task[] {
  const tools = policyTools(environment);
  return environment.tasks.map((task) => ({
    ...task,
    responses_create_params: { ...task.responses_create_params, tools },
  }));
}

export function tasksJsonl(environment: Environment): string {
  return taskRows(environment)
    .map((row) => `${JSON.stringify(row)}\n`)
    .join('');
}
