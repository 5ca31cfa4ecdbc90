/** A task row of NeMo Gym as a run begins with it: the prompt, the tools, and how the loop is set up for it. */
import { CONTEXT_TOOLS, DEFAULT_CONFIG, type LoopConfig, type RunTask } from '../agent';
import { policyTools, toolSchemas, type Environment, type JsonObject } from '../gym';
import { arrayAt, at, isObject, stringAt, type TaskRef, type ToolSpec } from '../model';

/** Tools that need the context: the loop runs them, whatever the server. */
export const LOOP_TOOLS: ReadonlySet<string> = new Set(CONTEXT_TOOLS.map(({ name }) => name));

const promptRoles = { system: 'system', developer: 'developer', user: 'user' } as const;

/** What stands in the prompt. Undefined where it holds something else than instructions and requests in text. */
export function promptIn(task: unknown): RunTask['messages'] | undefined {
  const params = at(task, 'responses_create_params');
  const input = at(params, 'input');
  const instructions = stringAt(params, 'instructions');
  const before: RunTask['messages'] =
    instructions === undefined ? [] : [{ role: 'system', text: instructions }];
  if (typeof input === 'string') return [...before, { role: 'user', text: input }];
  if (!Array.isArray(input)) return undefined;
  const messages = input.map((item: unknown) => {
    const role = Object.entries(promptRoles).find(([name]) => name === stringAt(item, 'role'))?.[1];
    const text = textOf(at(item, 'content'));
    return role === undefined || text === undefined ? undefined : { role, text };
  });
  const whole = messages.filter((message) => message !== undefined);
  return whole.length === messages.length && whole.length > 0 ? [...before, ...whole] : undefined;
}

function textOf(content: unknown): string | undefined {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return undefined;
  const texts = content.map((part: unknown) => stringAt(part, 'text'));
  return texts.includes(undefined) ? undefined : texts.join('\n');
}

/** `runTask(row, { key: '3', rollout: 1 })` */
export function runTask(task: JsonObject, ref?: TaskRef, id?: string): RunTask {
  const messages = promptIn(task);
  if (messages === undefined) {
    throw new Error('The prompt of this task is not made of texts by system, developer and user.');
  }
  const asked = messages.findLast(({ role }) => role === 'user')?.text ?? '';
  return {
    title: ref === undefined ? (asked.split('\n', 1)[0] ?? '').slice(0, 120) : titleOf(ref),
    messages,
    ...(ref === undefined ? {} : { task: ref }),
    ...(id === undefined ? {} : { id }),
  };
}

/** `task 3 · rollout 1`, `document_qa 0 · rollout 1` */
function titleOf({ key, rollout }: TaskRef): string {
  const task = /^\d+$/.test(key) ? `task ${key}` : key;
  return `${task}${rollout === undefined ? '' : ` · rollout ${rollout}`}`;
}

/** The tools that a policy is told of: those of the task, else those of the environment. */
export function toolsFor(
  task: unknown,
  environment: Environment | undefined,
): { tools: ToolSpec[]; loopTools: ToolSpec[] } {
  const listed = arrayAt(at(task, 'responses_create_params'), 'tools') ?? [];
  const own = environment === undefined ? [] : policyTools(environment);
  const specs = (listed.length > 0 ? listed : own).flatMap(specOf);
  const served = new Set(environment === undefined ? [] : toolSchemas(environment).map(({ name }) => name));
  const isLoops = ({ name }: ToolSpec): boolean => !served.has(name) && LOOP_TOOLS.has(name);
  return { tools: specs.filter((spec) => !isLoops(spec)), loopTools: specs.filter(isLoops) };
}

function specOf(tool: unknown): ToolSpec[] {
  // Chat completions nest what the Responses API writes flat.
  const given = isObject(at(tool, 'function')) ? at(tool, 'function') : tool;
  const name = stringAt(given, 'name');
  if (name === undefined) return [];
  const description = stringAt(given, 'description');
  const parameters = at(given, 'parameters');
  return [
    {
      name,
      ...(description === undefined ? {} : { description }),
      ...(parameters === undefined ? {} : { parameters }),
    },
  ];
}

/** Deleting from the context is on where the task has the tool for it. */
export function configFor(task: unknown, environment: Environment | undefined): LoopConfig {
  const { loopTools } = toolsFor(task, environment);
  return { ...DEFAULT_CONFIG, statelm_enabled: loopTools.some(({ name }) => name === 'deleteContext') };
}
