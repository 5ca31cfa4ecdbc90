import { describe, expect, it } from 'vitest';
import { createIngest } from './ingest';
import type { Ingest, Partners } from './protocol';

type Item = Record<string, unknown>;

const ask = (text: string, more: Item = {}): Item => ({
  responses_create_params: { input: [{ role: 'user', content: text }] },
  ...more,
});
const done = (text: string, more: Item = {}): Item =>
  ask(text, { response: { output: [] }, reward: 1, agent_ref: { name: 'simple' }, ...more });
const numbered = (task: number, rollout: number): Item => ({
  _ng_task_index: task,
  _ng_rollout_index: rollout,
});

async function opened(files: Readonly<Record<string, readonly unknown[]>>): Promise<Ingest> {
  const ingest = createIngest();
  for (const [id, records] of Object.entries(files)) {
    const data = new Blob([records.map((record) => `${JSON.stringify(record)}\n`).join('')]);
    await ingest.open({ id, name: id, data }, () => undefined);
  }
  return ingest;
}

async function partners(ingest: Ingest, source: string, episode: number): Promise<Partners> {
  const found = await ingest.partners({ source, episode });
  if (found === undefined) throw new Error('not of a run');
  return found;
}

/** `input inputs.jsonl#1 by index` */
function told({ found }: Partners): string[] {
  return found.map(({ role, ref, by }) => `${role} ${ref.source}#${ref.episode} by ${by}`);
}

const family = {
  'run.jsonl': [done('b', numbered(1, 0)), done('a', numbered(0, 0)), done('a', numbered(0, 1))],
  'run_failures.jsonl': [
    ask('a', { ...numbered(0, 1), _ng_attempt_index: 0, _ng_failure_class: 'timeout_exceeded' }),
  ],
  'run_materialized_inputs.jsonl': [
    ask('a', { ...numbered(0, 0), expected: 5 }),
    ask('a', { ...numbered(0, 1), expected: 6 }),
  ],
  'run_reward_profiling.jsonl': [
    {
      _ng_task_index: 0,
      'mean/reward': 0.5,
      num_rollouts: 2,
      sample: ask('a'),
      rollout_infos: [{ rollout_id: '0:1', reward: 1 }],
    },
  ],
  'run_aggregate_metrics.json': [
    {
      agent_ref: { name: 'simple' },
      agent_metrics: { 'mean/reward': 0.7 },
      group_level_metrics: [{ _ng_task_index: 0, 'mean/reward': 0.5 }],
    },
  ],
  'run_agent_metrics.json': [{ agent_ref: { name: 'simple' }, 'mean/reward': 0.7 }],
  'captures/0-1.capture.jsonl': [
    { model_call_id: 'm', dialect: 'responses', request: { input: 'a' }, response: { output: [] } },
    { model_call_id: 'n', dialect: 'responses', request: { input: 'a' }, response: { output: [] } },
  ],
};

describe('the files of one run', () => {
  it('are joined on task and rollout', async () => {
    const ingest = await opened(family);
    const found = await partners(ingest, 'run.jsonl', 2);
    expect(told(found)).toEqual([
      'input run_materialized_inputs.jsonl#1 by index',
      'failure run_failures.jsonl#0 by index',
      'capture captures/0-1.capture.jsonl#0 by rollout id',
      'profile run_reward_profiling.jsonl#0 by index',
      'aggregate run_aggregate_metrics.json#0 by index',
      'agent run_agent_metrics.json#0 by agent',
    ]);
    const facts = Object.fromEntries(
      found.found.map(({ role, facts: each }) => [role, each.map(({ name, value }) => `${name} ${value}`)]),
    );
    expect(facts['input']).toEqual(['expected 6']);
    expect(facts['failure']).toContain('_ng_failure_class "timeout_exceeded"');
    expect(facts['profile']).toContain('mean/reward 0.5');
    expect(facts['profile']).toContain('this rollout {"rollout_id":"0:1","reward":1}');
    expect(facts['aggregate']).toEqual(['mean/reward 0.5']);
    expect(facts['capture']).toEqual(['model calls 2']);
    expect(found.missing).toEqual([]);
  });

  it('say which partner is not there', async () => {
    const ingest = await opened(family);
    const found = await partners(ingest, 'run.jsonl', 0);
    expect(told(found)).not.toContain('input run_materialized_inputs.jsonl#0 by index');
    expect(found.missing).toContain('No task input for task 1 · rollout 0 in run_materialized_inputs.jsonl.');
    expect(found.missing).toContain('No failed attempt for task 1 · rollout 0 in run_failures.jsonl.');
    const alone = await partners(await opened({ 'run.jsonl': family['run.jsonl'] }), 'run.jsonl', 0);
    expect(alone.found).toEqual([]);
    expect(alone.missing).toHaveLength(1);
    expect(alone.missing[0]).toContain('No task inputs are open');
  });

  it('are joined from the other side, too', async () => {
    const ingest = await opened(family);
    expect(told(await partners(ingest, 'run_reward_profiling.jsonl', 0))).toEqual([
      'input run_materialized_inputs.jsonl#0 by index',
      'input run_materialized_inputs.jsonl#1 by index',
      'rollout run.jsonl#1 by index',
      'rollout run.jsonl#2 by index',
    ]);
    expect(told(await partners(ingest, 'captures/0-1.capture.jsonl', 0))).toEqual([
      'rollout run.jsonl#2 by rollout id',
    ]);
    expect(told(await partners(ingest, 'run_materialized_inputs.jsonl', 0))).toContain(
      'rollout run.jsonl#1 by index',
    );
  });
});

describe('files without indices', () => {
  const files = {
    'example.jsonl': [ask('a', { seed: 1 }), ask('b', { seed: 2 })],
    'rollouts.jsonl': [done('b'), done('a'), done('c')],
  };

  it('are joined by what was asked', async () => {
    const ingest = await opened(files);
    expect(told(await partners(ingest, 'rollouts.jsonl', 0))).toEqual(['input example.jsonl#1 by input']);
    expect(told(await partners(ingest, 'example.jsonl', 0))).toEqual(['rollout rollouts.jsonl#1 by input']);
    const without = await partners(ingest, 'rollouts.jsonl', 2);
    expect(without.found).toEqual([]);
    expect(without.missing).toEqual(['No task input in example.jsonl.']);
  });

  it('notice a source that was opened later', async () => {
    const ingest = await opened({ 'rollouts.jsonl': files['rollouts.jsonl'] });
    expect((await partners(ingest, 'rollouts.jsonl', 0)).found).toEqual([]);
    const data = new Blob([files['example.jsonl'].map((each) => `${JSON.stringify(each)}\n`).join('')]);
    await ingest.open({ id: 'example.jsonl', name: 'example.jsonl', data }, () => undefined);
    expect(told(await partners(ingest, 'rollouts.jsonl', 0))).toHaveLength(1);
  });
});

it('the same indices with another request are said to be doubtful', async () => {
  const ingest = await opened({
    'run.jsonl': [done('a', numbered(0, 0))],
    'other_inputs.jsonl': [ask('quite another', numbered(0, 0))],
  });
  expect((await partners(ingest, 'run.jsonl', 0)).found).toMatchObject([{ by: 'index', differs: true }]);
});

it('a record of another format has no partners', async () => {
  const ingest = await opened({ 'chat.jsonl': [{ messages: [{ role: 'user', content: 'a' }] }] });
  expect(await ingest.partners({ source: 'chat.jsonl', episode: 0 })).toBeUndefined();
  expect(await ingest.partners({ source: 'none', episode: 0 })).toBeUndefined();
});
