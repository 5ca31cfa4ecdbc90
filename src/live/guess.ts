/** Which of the shipped environments an imported episode was made in. */
import { policyTools, type Environment } from '../gym';
import { at, stringAt, toolCallsOf, type Episode } from '../model';

export interface EnvironmentGuess {
  readonly environment: Environment;
  /** `its tools are increment_counter and get_counter_value` */
  readonly why: string;
}

/** As NeMo Gym calls the examples that ours answer like. */
const theirNames: Readonly<Record<string, string>> = {
  example_session_state_mgmt: 'stateful_counter',
  example_stateful_counter: 'stateful_counter',
  example_single_tool_call: 'simple_weather',
  example_simple_weather: 'simple_weather',
  example_multi_step: 'multi_step',
};

/** What a run of ours says itself; by the agent's name where that says it, else by the tools: all that were called, most of those that were offered. */
export function guessEnvironment(
  episode: Episode,
  environments: readonly Environment[],
  record?: unknown,
): EnvironmentGuess | undefined {
  const ran = environments.find(({ name }) => name === episode.metrics['environment']);
  if (ran !== undefined) return { environment: ran, why: 'it was run in it' };
  return byAgent(record, environments) ?? byTools(episode, environments);
}

function byAgent(record: unknown, environments: readonly Environment[]): EnvironmentGuess | undefined {
  const agent = stringAt(at(record, 'agent_ref'), 'name');
  if (agent === undefined) return undefined;
  const named = Object.entries(theirNames).find(([name]) => agent.startsWith(name))?.[1];
  const environment = environments.find(({ name }) => name === named || agent.startsWith(name));
  return environment === undefined ? undefined : { environment, why: `its agent is ${agent}` };
}

function byTools(episode: Episode, environments: readonly Environment[]): EnvironmentGuess | undefined {
  const offered = episode.tools.map(({ name }) => name);
  const called = new Set(episode.messages.flatMap(toolCallsOf).map(({ name }) => name));
  let best: EnvironmentGuess | undefined;
  let most = 0;
  for (const environment of environments) {
    const own = new Set(policyTools(environment).map(({ name }) => name));
    if ([...called].some((name) => !own.has(name))) continue;
    const shared = [...new Set([...offered, ...called])].filter((name) => own.has(name));
    const share = shared.length / new Set([...own, ...offered]).size;
    if (share <= most) continue;
    most = share;
    best = { environment, why: `its tools are ${shared.join(' and ')}` };
  }
  // Half of what both know: a tool called `read` alone says nothing.
  return most >= 0.5 ? best : undefined;
}
