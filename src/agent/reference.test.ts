import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import {
  arrayAt,
  at,
  contextIds,
  deletedAt,
  maskAt,
  maskOfSpans,
  messageText,
  numberAt,
  samplesOf,
  snapshotsOf,
  stringAt,
  textOfIds,
  toolCallsOf,
  type Episode,
} from '../model';
import { echoEnvironment, loopOf, runToEnd, STATELM, toyTemplate } from './loop.fixtures';
import type { Emission } from './policy';

/**
 * Runs that the reference loop itself recorded, run again: its emissions, its tools' answers, its limits, and a tokenizer
 * whose ids are character codes. They are not part of the project: where they are not there, one test says so.
 */
const folder = fileURLToPath(new URL('../../../shared/corpus/extra', import.meta.url));
const isPresent = existsSync(`${folder}/statelm_agentdata__plain.json`);

if (isPresent) {
  describe('the runs of the StateLM reference, run again', rerunReference);
  describe('the calls of the StateLM reference, made again', resendInference);
} else test('the runs of the StateLM reference are not here', sayAbsent);

/** On standard error, because a list of passed tests hides it. */
function sayAbsent(): void {
  process.stderr.write(`no StateLM reference runs at ${folder}: the loop was not held against them\n`);
  expect(isPresent).toBe(false);
}

function rerunReference(): void {
  describe.each(['plain', 'one_delete', 'mask_outgrows_prompt', 'overflow', 'notes'])('%s', (name) => {
    const recorded: unknown = JSON.parse(readFileSync(`${folder}/statelm_agentdata__${name}.json`, 'utf8'));

    test('emission views, boundaries, mask and context', async () => {
      const episode = await rerun(recorded);
      expect(momentOf(episode, episode.steps.length)).toEqual(recordedMoment(recorded));
    });

    test('history, with the ids of the reference', async () => {
      const episode = await rerun(recorded);
      expect(historyIn(episode, episode.messages.length)).toEqual(recordedHistory(recorded));
    });

    test('snapshots', async () => {
      const episode = await rerun(recorded);
      const snapshots = snapshotsOf(episode).map(({ step, messageCount }) => ({
        ...momentOf(episode, step + 1, step),
        response: textOf(episode.steps[step]?.tokens?.generationIds),
        history: historyIn(episode, messageCount),
        deleted: [...deletedAt(episode, step)],
      }));
      expect(snapshots).toEqual(
        (arrayAt(recorded, 'trajectory_snapshots') ?? []).map((snapshot) => ({
          ...recordedMoment(snapshot),
          response: text(at(snapshot, 'response_ids')),
          history: recordedHistory(snapshot),
          deleted: at(snapshot, 'deleted_msg_ids'),
        })),
      );
    });

    test('samples as the loop gave them out', async () => {
      const episode = await rerun(recorded);
      const samples = samplesOf(episode, 'tail').map(
        ({ kind, tokens, numTurns, turnScores, toolRewards }) => ({
          prompt: textOf(tokens?.promptIds),
          response: textOf(tokens?.responseIds),
          mask: [...maskOfSpans(tokens?.maskLength ?? 0, tokens?.trained ?? [])],
          numTurns,
          turnScores,
          // The reference gives a snapshot one reward, however many calls came before it; here it has one for each of them.
          ...(kind === 'final' ? { toolRewards } : {}),
        }),
      );
      expect(samples).toEqual(
        (arrayAt(recorded, 'trajectories') ?? []).map((sample) => {
          const extra = at(sample, 'extra_fields');
          return {
            prompt: text(at(sample, 'prompt_ids')),
            response: text(at(sample, 'response_ids')),
            mask: at(sample, 'response_mask'),
            numTurns: at(sample, 'num_turns'),
            turnScores: at(extra, 'turn_scores'),
            ...(at(extra, 'is_snapshot') === true ? {} : { toolRewards: at(extra, 'tool_rewards') }),
          };
        }),
      );
    });

    test('metrics and scores', async () => {
      const { metrics, scores } = await rerun(recorded);
      expect(metrics).toMatchObject(at(recorded, 'metrics') ?? {});
      expect(metrics['context_length_exceeded']).toBe(at(at(recorded, 'metrics'), 'context_length_exceeded'));
      expect(scores?.turnScores.map(({ value }) => value)).toEqual(at(recorded, 'turn_scores'));
    });
  });
}

function inferenceFile(name: string): unknown {
  return JSON.parse(readFileSync(`${folder}/statelm_infer__${name}.json`, 'utf8'));
}

function resendInference(): void {
  test('every call of the inference code is sent the same messages', async () => {
    const recorded = inferenceFile('api_calls');
    const calls: readonly unknown[] = Array.isArray(recorded) ? recorded : [];
    const answers = (arrayAt(inferenceFile('42_inference_result'), 'full_history') ?? []).filter(
      (entry) => at(entry, 'role') === 'tool',
    );
    const prompt = arrayAt(at(calls[0], 'api_input'), 'messages') ?? [];
    const sent: unknown[] = [];
    let asked = 0;
    const loop = loopOf({
      config: { ...STATELM, dialect: 'inference' },
      policy: {
        name: 'recorded',
        emit: ({ step, messages }) => {
          asked = step;
          sent.push(messages);
          const message = at(arrayAt(at(calls[step], 'api_output'), 'choices')?.[0], 'message');
          if (message === undefined) return Promise.reject(new Error('no more'));
          return Promise.resolve({
            text: stringAt(message, 'content') ?? '',
            toolCalls: toolCallsIn(message),
          });
        },
      },
      environment: echoEnvironment({
        // What is left of the budget depends on the tokenizer: as it was answered.
        tools: [
          'analyzeText',
          'buildIndex',
          'searchEngine',
          'readChunk',
          'note',
          'readNote',
          'checkBudget',
        ].map((name) => ({ name })),
        call: () => Promise.resolve({ text: JSON.stringify(at(answers[asked], 'content')) }),
      }),
      task: {
        title: 'recorded',
        messages: [
          { role: 'system', text: stringAt(prompt[0], 'content') ?? '' },
          // The notes block is the loop's.
          {
            role: 'user',
            text: (stringAt(prompt[1], 'content') ?? '').replace(/\n\n<external_memory>[^]*$/, ''),
          },
        ],
      },
    });
    await runToEnd(loop);
    const recordedCalls = calls.map((call) => at(at(call, 'api_input'), 'messages'));
    expect(sent.slice(0, calls.length)).toEqual(recordedCalls);
  });
}

/** Built for an older Python, the reference puts the heading of its notes block between the notes. */
function asWritten(context: string): string {
  return context.replace(
    /- \*\*a\*\*: (\w+)\n\n<external_memory>\n## Available Notes\n\n/,
    '\n\n<external_memory>\n## Available Notes\n- **a**: $1\n',
  );
}

function text(ids: unknown): string {
  return asWritten(Array.isArray(ids) ? textOf(Int32Array.from(ids)) : '');
}

function textOf(ids: Int32Array | undefined): string {
  return ids === undefined ? '' : (textOfIds(ids) ?? '');
}

/** What the loop holds after a number of steps; `edit`: just before the edit of that step. */
function momentOf(episode: Episode, steps: number, edit?: number) {
  const before = maskAt(episode, edit ?? Infinity);
  const emitted = episode.steps[edit ?? -1]?.tokens?.generationIds.length;
  const turn: [number, number][] =
    emitted === undefined || before === undefined ? [] : [[before.length, before.length + emitted]];
  const last = episode.steps[steps - 1]?.tokens;
  const context =
    edit === undefined ? (episode.statelm?.finalIds ?? (last && contextIds(last))) : last && contextIds(last);
  return {
    views: episode.steps.slice(0, steps).map(({ tokens }) => textOf(tokens?.promptIds)),
    turns: [...(before?.turns ?? []), ...turn],
    mask: [...maskOfSpans((before?.length ?? 0) + (emitted ?? 0), [...(before?.trained ?? []), ...turn])],
    context: textOf(context),
  };
}

function recordedMoment(moment: unknown) {
  return {
    views: (arrayAt(moment, 'emission_views') ?? []).map(text),
    turns: at(moment, 'assistant_turn_boundaries'),
    mask: at(moment, 'response_mask'),
    context: text(at(moment, 'prompt_ids')),
  };
}

function historyIn({ messages }: Episode, count: number) {
  return messages.slice(0, count).map((message) => ({
    role: message.role,
    id: message.msgId,
    caller: message.invokedBy,
    tool: message.toolName,
    text: message.parts
      .flatMap((part) => (part.kind === 'call' ? [] : [messageText({ parts: [part] })]))
      .join(''),
    calls: toolCallsOf(message).map(({ name, arguments: args }) => [name, args]),
  }));
}

/** Without the first message, which the reference puts there twice. */
function recordedHistory(moment: unknown) {
  return (arrayAt(moment, 'full_history') ?? []).slice(1).map((entry) => {
    const content = at(entry, 'content');
    return {
      role: at(entry, 'role'),
      id: at(entry, 'msg_id'),
      caller: at(entry, 'msg_id(invoking_assistant)'),
      tool: at(entry, 'tool_name'),
      text: Array.isArray(content)
        ? content.map((part: unknown) => stringAt(part, 'text')).join('')
        : content,
      calls: (arrayAt(entry, 'tool_calls') ?? []).map((call) => [
        at(at(call, 'function'), 'name'),
        at(at(call, 'function'), 'arguments'),
      ]),
    };
  });
}

async function rerun(recorded: unknown): Promise<Episode> {
  const history = arrayAt(recorded, 'full_history') ?? [];
  const answers = history.filter((entry) => at(entry, 'role') === 'tool');
  const emissions = emissionsIn(recorded);
  const config = at(recorded, 'config');
  let asked = 0;
  return runToEnd(
    loopOf({
      config: {
        ...STATELM,
        max_model_length: numberAt(config, 'max_model_length') ?? 0,
        response_length: numberAt(config, 'response_length') ?? 0,
        max_tool_response_length: 1_000_000,
      },
      template: toyTemplate,
      policy: {
        name: 'recorded',
        emit: ({ step }) => {
          asked = step;
          const emission = emissions[step];
          return emission === undefined ? Promise.reject(new Error('no more')) : Promise.resolve(emission);
        },
      },
      environment: echoEnvironment({
        tools: [...new Set(answers.map((entry) => stringAt(entry, 'tool_name') ?? ''))]
          .filter((name) => name !== 'deleteContext' && name !== 'finish')
          .map((name) => ({ name })),
        // One call a turn: the answer of a step is the tool entry of its number.
        call: () => Promise.resolve({ text: stringAt(answers[asked], 'content') ?? '' }),
      }),
      task: {
        title: 'recorded',
        messages: [{ role: 'user', text: stringAt(history[0], 'content') ?? '' }],
      },
    }),
  );
}

/** Emissions with their tokens, which stand behind their view in the context of the snapshot that followed. */
function emissionsIn(recorded: unknown): Emission[] {
  const moments = [...(arrayAt(recorded, 'trajectory_snapshots') ?? []), recorded];
  const turns = arrayAt(recorded, 'assistant_turn_boundaries') ?? [];
  const logprobs = arrayAt(recorded, 'response_logprobs') ?? [];
  return (arrayAt(recorded, 'full_history') ?? [])
    .filter((entry) => at(entry, 'role') === 'assistant')
    .map((entry, step) => {
      const moment = moments.find((each) => (arrayAt(each, 'emission_views')?.length ?? 0) > step);
      const view = arrayAt(recorded, 'emission_views')?.[step];
      const start = Array.isArray(view) ? view.length : 0;
      const [from, to] = numbersIn(turns[step]);
      const length = (to ?? 0) - (from ?? 0);
      return {
        text: stringAt(arrayAt(entry, 'content')?.[0], 'text') ?? '',
        toolCalls: toolCallsIn(entry),
        tokenIds: numbersIn(arrayAt(moment, 'prompt_ids')).slice(start, start + length),
        logprobs: numbersIn(logprobs).slice(from, to),
      };
    });
}

function toolCallsIn(message: unknown): Emission['toolCalls'] {
  return (arrayAt(message, 'tool_calls') ?? []).map((call) => ({
    callId: stringAt(call, 'id') ?? '',
    name: stringAt(at(call, 'function'), 'name') ?? '',
    arguments: stringAt(at(call, 'function'), 'arguments') ?? '',
  }));
}

function numbersIn(list: unknown): number[] {
  return Array.isArray(list) ? list.filter((each) => typeof each === 'number') : [];
}
