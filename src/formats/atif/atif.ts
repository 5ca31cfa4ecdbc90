import {
  arrayAt,
  at,
  excerpt,
  historyFrom,
  noCounts,
  stringAt,
  type Counts,
  type Episode,
  type Metrics,
} from '../../model';
import type { Beside, SourceRecord } from '../format';
import { metricsOf } from '../metrics';
import { plainText } from '../content';
import { episodeId, severalEpisodes } from '../episodes';
import { gapsIn, type PlacedGap } from '../gaps';
import { titleFrom } from '../title';
import { toolSpecs } from '../tool-specs';
import { runFiles } from './files';
import { editsOf, inRecord, readRun } from './run';
import { isAtif, trajectoriesOf, type Trajectory } from './trajectories';

/**
 * ATIF, the Agent Trajectory Interchange Format of Harbor (https://harborframework.com/docs/trajectory-format), versions
 * 1.0 to 1.8, also as the NeMo Agent Toolkit writes it: one run of an agent.
 *
 *     {
 *       schema_version: 'ATIF-v1.7', session_id: 's-1', agent: { name: 'terminus-2', version: '2.0', model_name: 'm' },
 *       steps: [
 *         { step_id: 1, source: 'user', message: 'List the files.' },
 *         {
 *           step_id: 2, source: 'agent', message: 'Let me look.', reasoning_content: 'ls will do',
 *           tool_calls: [{ tool_call_id: 'c1', function_name: 'bash', arguments: { cmd: 'ls' } }],
 *           observation: { results: [{ source_call_id: 'c1', content: 'a.txt' }] },
 *           metrics: { prompt_token_ids: [1, 2], completion_token_ids: [3], logprobs: [-0.1] }, llm_call_count: 1
 *         }
 *       ],
 *       final_metrics: { total_prompt_tokens: 120 }, subagent_trajectories: [{ schema_version, steps, ... }]
 *     }
 *
 * Every step of the agent is a model call, unless it says that it asked no model or was copied from an earlier
 * trajectory. Subagents are further episodes of the record. A run whose context was summed up goes on in other files, and
 * is read together with those of them that are open (`files.ts`).
 */
export const atif = severalEpisodes({
  id: 'atif',
  name: 'ATIF trajectory',
  unit: 'record',
  confidence(value) {
    if (isAtif(value)) return Array.isArray(at(value, 'steps')) ? 1 : 0.5;
    return isAtif(at(value, 'trajectory')) ? 0.9 : 0;
  },
  parts: trajectoriesOf,
  read,
  counts,
  files: runFiles,
});

function read(record: SourceRecord, trajectory: Trajectory, nth: number, beside?: Beside): Episode {
  const { value } = trajectory;
  const run = readRun(record, trajectory, beside);
  const { messages, steps } = historyFrom(run.items);
  const agent = at(value, 'agent');
  const model = stringAt(agent, 'model_name') ?? stepModel(value);
  return {
    id: episodeId(record, nth),
    format: 'atif',
    title: titleOf(trajectory),
    ...(model === undefined ? {} : { model }),
    tools: toolSpecs(arrayAt(agent, 'tool_definitions') ?? []),
    messages: inRecord(messages),
    steps,
    edits: editsOf(messages, run),
    outcome: { components: {}, noReward: 'never-kept' },
    metrics: metricsIn(trajectory),
    gaps: gapsIn(messages, [...run.gaps, ...continuationGap(value), rewardGap, timingGap(value)]),
  };
}

function stepModel(value: unknown): string | undefined {
  const named = arrayAt(value, 'steps')?.find((step) => (stringAt(step, 'model_name') ?? '') !== '');
  return stringAt(named, 'model_name');
}

function titleOf({ value, parent }: Trajectory): string {
  const asked = arrayAt(value, 'steps')?.find((step) => stringAt(step, 'source') === 'user');
  const session = stringAt(value, 'trajectory_id') ?? stringAt(value, 'session_id');
  const title = titleFrom(plainText(at(asked, 'message')), session ?? 'Trajectory');
  const agent = stringAt(at(value, 'agent'), 'name');
  return parent === undefined || agent === undefined ? title : titleFrom(`${agent}: ${title}`, title);
}

function metricsIn({ value, parent }: Trajectory): Metrics {
  const metrics = metricsOf(at(value, 'final_metrics'));
  const add = (name: string, metric: string | number | undefined): void => {
    if (metric !== undefined && !(name in metrics)) metrics[name] = metric;
  };
  const agent = at(value, 'agent');
  add('recorded_steps', arrayAt(value, 'steps')?.length ?? 0);
  add('agent', stringAt(agent, 'name'));
  add('agent_version', stringAt(agent, 'version'));
  add('session_id', stringAt(value, 'session_id'));
  add('trajectory_id', stringAt(value, 'trajectory_id'));
  add('subagent_of', stringAt(at(parent?.value, 'agent'), 'name'));
  return metrics;
}

function continuationGap(value: unknown): PlacedGap[] {
  const file = stringAt(value, 'continued_trajectory_ref');
  if (file === undefined) return [];
  const name = excerpt(file, 200);
  return [
    {
      about: 'messages',
      reason: `This trajectory goes on in another file: ${name}. Open both together, and the episode of that file shows all of the run.`,
    },
  ];
}

const rewardGap: PlacedGap = {
  about: 'reward',
  reason:
    'ATIF keeps no reward: Harbor writes it beside the trajectory, in the verifier_result of result.json.',
};

function timingGap(value: unknown): PlacedGap {
  const isTimed = arrayAt(value, 'steps')?.some((step) => stringAt(step, 'timestamp') !== undefined);
  return {
    about: 'timing',
    reason:
      isTimed === true
        ? 'When the steps happened is shown in the raw record only.'
        : 'This trajectory has no times.',
  };
}

/** Steps that say something count as messages, and what the environment returned is counted one by one. */
function counts({ value }: Trajectory): Counts {
  const total = noCounts();
  for (const step of arrayAt(value, 'steps') ?? []) {
    const said = at(step, 'message');
    if ((typeof said === 'string' || Array.isArray(said)) && said.length > 0) total.messages += 1;
    if ((stringAt(step, 'reasoning_content') ?? '') !== '') total.reasoning += 1;
    total.toolCalls += arrayAt(step, 'tool_calls')?.length ?? 0;
    total.toolResults += arrayAt(at(step, 'observation'), 'results')?.length ?? 0;
  }
  return total;
}
