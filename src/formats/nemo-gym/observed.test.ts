import { describe, expect, test } from 'vitest';
import { viewAt, type Episode } from '../../model';
import { expectLossless, expectSound, recordOf } from '../harness.fixtures';
import { detectFormat } from '../registry';
import { call, captures, exchange, result, rollout, said, user, watched } from './nemo-gym.fixtures';

type Item = Record<string, unknown>;

function imported(value: unknown): Episode {
  const format = detectFormat(value);
  if (format === undefined) throw new Error('no format');
  const [episode] = expectSound(format, recordOf(value));
  if (episode === undefined) throw new Error('no episode');
  expectLossless(episode);
  return episode;
}

/** A rollout whose model server kept these calls. */
function captured(output: Item[], calls: Item[], more: Item = {}): Episode {
  return imported(rollout([user('Go.')], output, { ng_model_call_capture: { calls }, ...more }));
}

function seen(episode: Episode, step: number): string[] {
  return viewAt(episode, step).flatMap(({ message, state }) =>
    state === 'removed' ? [] : [`${message.role} ${message.msgId}`],
  );
}

function reasons(episode: Episode): string {
  return episode.gaps.map(({ reason }) => reason).join(' ');
}

describe('a rollout that was watched', () => {
  const episode = imported(watched);

  test('has the times of its calls and tools', () => {
    expect(episode.steps).toMatchObject([
      { timing: { startedAt: 10, durationMs: 900, firstTokenMs: 50 } },
      { timing: { startedAt: 20, durationMs: 1000 } },
      { timing: { startedAt: 30 } },
    ]);
    const tools = episode.messages.filter(({ role }) => role === 'tool');
    expect(tools.map(({ timing }) => timing?.durationMs)).toEqual([250, undefined]);
  });

  test('has its compaction as an edit, with the summary where it stood', () => {
    const [edit, ...others] = episode.edits;
    expect(others).toEqual([]);
    expect(edit).toMatchObject({ step: 1, kind: 'compact', tokensBefore: 900, tokensAfter: 100 });
    const summary = episode.messages.find(({ msgId }) => msgId === edit?.summary);
    expect(summary).toMatchObject({
      role: 'user',
      bornAtStep: 1,
      parts: [{ text: 'So far: counted to 2.' }],
    });
    expect(seen(episode, 1)).toEqual(['user 0', 'assistant 1', 'tool 2']);
    expect(seen(episode, 2)).toEqual(['user 0', `user ${summary?.msgId}`]);
    expect(reasons(episode)).toContain('Which messages a compaction took out of the context is not recorded');
  });

  test('says what else was seen, and what was not', () => {
    expect(episode.metrics).toMatchObject({
      'model_calls.num_calls': 4,
      'sandbox.wall_time_s': 12.5,
      'sandbox.outcome': 'completed',
    });
    expect(reasons(episode)).toContain('tool_timing_unavailable (c2)');
    expect(reasons(episode)).toContain('1 conversation of subagents is shown in the raw record only.');
    expect(reasons(episode)).not.toContain('no times');
  });
});

function m(nth: number, ...ids: string[]): Item {
  return { model_call_id: `m${nth}`, started_at: nth, tool_calls: ids.map((call_id) => ({ call_id })) };
}

describe('model calls', () => {
  test('that follow each other without an answer in between are steps of their own', () => {
    const episode = captured([call('a'), call('b'), result('a'), result('b')], [m(1, 'a'), m(2, 'b')]);
    expect(episode.steps).toHaveLength(2);
    expect(episode.steps.map(({ timing }) => timing?.startedAt)).toEqual([1, 2]);
  });

  test('within which a tool ran are one step', () => {
    const episode = captured(
      [call('a'), result('a'), call('b'), result('b'), said('x')],
      [m(1, 'a', 'b'), m(2)],
    );
    expect(episode.steps.map(({ timing }) => timing?.startedAt)).toEqual([1, 2]);
  });

  test('of which nothing is known by id are taken in their order', () => {
    const episode = captured([said('x'), user('and?'), said('y')], [m(1), m(2)]);
    expect(episode.steps.map(({ timing }) => timing?.startedAt)).toEqual([1, 2]);
  });

  test('in another order than what they wrote are left alone', () => {
    const episode = captured([call('a'), result('a'), call('b'), result('b')], [m(1, 'b'), m(2, 'a')]);
    expect(episode.steps.map(({ timing }) => timing)).toEqual([undefined, undefined]);
    expect(reasons(episode)).toContain('another order');
  });

  test('that wrote nothing in the response are said', () => {
    expect(reasons(captured([said('x')], [m(1), m(2), m(3)]))).toContain(
      '2 captured model calls wrote nothing',
    );
  });

  test('give their tokens to steps that have none', () => {
    const item = {
      ...said('x'),
      prompt_token_ids: [1],
      generation_token_ids: [2],
      generation_log_probs: [-1],
    };
    const episode = captured([said('x')], [{ ...m(1), response: { output: [item] } }]);
    expect([...(episode.steps[0]?.tokens?.generationIds ?? [])]).toEqual([2]);
  });
});

describe('a compaction', () => {
  const output = [
    { ...call('a'), id: 'i1' },
    result('a'),
    { ...call('b'), id: 'i2' },
    result('b'),
    said('x'),
  ];
  const calls: Item[] = ['a', 'b'].map((id, nth) => ({
    model_call_id: id,
    started_at: nth,
    completed_at: nth + 0.5,
    tool_calls: [{ call_id: id }],
  }));
  const last: Item = { model_call_id: 'c', started_at: 9, tool_calls: [] };

  function compacted(record: Item, third = last): Episode {
    const records = [{ kind: 'context_compaction', ...record }];
    return captured(output, [...calls, third], { ng_agent_observations: { records } });
  }

  test('keeps what comes from the first item it kept', () => {
    const episode = compacted({ before_model_call: { model_call_id: 'b' }, first_kept_item_id: 'i2' });
    expect(episode.edits).toMatchObject([{ step: 1, msgIds: [1, 2] }]);
    expect(reasons(episode)).not.toContain('not recorded');
  });

  test('takes out what the request after it has no more', () => {
    const request = { input: [user('Go.'), call('b'), result('b')] };
    const episode = compacted({ after_model_call: { model_call_id: 'c' } }, { ...last, request });
    expect(episode.edits).toMatchObject([{ step: 1, msgIds: [1, 2] }]);
  });

  test('is placed by its time where it names no call', () => {
    expect(compacted({ observed_at: 0.7 }).edits).toMatchObject([{ step: 0, msgIds: [1, 2] }]);
  });

  test('without any place is said', () => {
    const episode = compacted({});
    expect(episode.edits).toEqual([]);
    expect(reasons(episode)).toContain('not at which step');
  });
});

test('an empty response is told by what the harness saw', () => {
  const conversation = [{ role: 'user', content: 'Go.' }, call('a'), result('a'), said('done')];
  const episode = imported(
    rollout([user('Go.')], [], { ng_trajectory: { invocations: [{ invocation_id: 'r', conversation }] } }),
  );
  expect(episode.messages.map(({ role, origin }) => `${role} ${origin}`)).toEqual([
    'user prompt',
    'assistant policy',
    'tool environment',
    'assistant policy',
  ]);
});

describe('captured model calls', () => {
  test.each(Object.entries(captures))('%s are steps with times', (name, exchanges) => {
    const episode = imported(exchanges);
    expect(episode.steps).toHaveLength(exchanges.length);
    for (const [nth, { timing }] of episode.steps.entries()) {
      expect(timing).toEqual({ startedAt: 1000 + nth, durationMs: 500, firstTokenMs: 80 });
    }
    const emitted = episode.messages.find(({ origin }) => origin === 'policy');
    expect(
      emitted?.parts.map(({ kind }) => kind),
      name,
    ).toEqual(['reasoning', 'call']);
  });

  test('repeat their context, which is one history', () => {
    const episode = imported(captures['captured responses']);
    expect(episode.messages.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
      'assistant',
    ]);
    expect(episode.steps.map(({ unfinished }) => unfinished)).toEqual([undefined, 'max_output_tokens']);
    expect([...(episode.steps[0]?.tokens?.promptIds ?? [])]).toEqual([1, 2]);
    expect(episode.metrics).toMatchObject({ model_calls: 2, latency_ms: 1000, input_tokens: 2 });
  });

  test('that failed are steps that say so', () => {
    const episode = imported(captures['captured chat completions']);
    expect(episode.steps[1]?.unfinished).toBe('upstream_error');
    expect(episode.outcome.error).toBe('upstream_error');
  });

  test('stand in the order they began', () => {
    const [first, second] = captures['captured responses'] ?? [];
    const turned = imported([second, first]);
    expect(turned.steps.map(({ timing }) => timing?.startedAt)).toEqual([1000, 1001]);
  });

  test('of one line are told like those of many', () => {
    const only = exchange(0, 'responses', { input: 'Hi.' }, { output: [said('Hello.')] });
    expect(detectFormat(only)?.id).toBe('nemo_gym_capture');
    expect(imported([only]).messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
  });
});
