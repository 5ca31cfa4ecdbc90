import {
  arrayAt,
  at,
  numberAt,
  spansOfMask,
  stringAt,
  tailOf,
  textOfIds,
  type ContextLimits,
  type Episode,
  type Gap,
  type Sample,
  type StatelmTraits,
} from '../../model';
import type { SourceRecord } from '../format';
import { metricsOf } from '../metrics';
import { tokenIds, tokenMask } from '../token-lists';
import { stepTokens } from './agentdata-tokens';
import { oneEpisode } from '../episodes';
import { titleFrom } from '../title';
import { countEntries, fitted, rewardGap, statelmEpisode } from './episode';
import { entriesAt, readHistory, type HistoryEntry } from './history';
import { floatsFrom, idsIn, numbersFrom, spansFrom } from './tokens';

/**
 * The fields of the RL loop's `AgentData` as JSON, after a run: history, emission views, turn boundaries, snapshots,
 * the response mask, and, where they were kept, the training samples made of them.
 */
export const statelmAgentdata = oneEpisode(
  {
    id: 'statelm_agentdata',
    name: 'StateLM agent data',
    unit: 'record',
    confidence: (value) =>
      arrayAt(value, 'full_history') !== undefined &&
      ['emission_views', 'assistant_turn_boundaries', 'trajectory_snapshots'].some(
        (key) => arrayAt(value, key) !== undefined,
      )
        ? 1
        : 0,
  },
  read,
  (value) => countEntries(arrayAt(value, 'full_history') ?? []),
);

/** Built for an older Python, the reference writes the notes block another way. Its views show it. */
const variants: Partial<StatelmTraits>[] = [{}, { notesBlock: 'joined' }];

function read(record: SourceRecord): Episode {
  const { value, text } = record;
  const { entries, repeated } = withoutRepeat(entriesAt(value, text, 'full_history'));
  const tokens = stepTokens(value);
  const first = tokens[0]?.promptIds;
  const question = stringAt(entries[0]?.value, 'content');
  const firstText = first === undefined ? undefined : textOfIds(first);
  const readable = question !== undefined && firstText?.includes(question) === true;

  const history = readHistory([...entries, ...dropped(entries, tokens, readable)]);
  const gaps: Gap[] = [rewardGap];
  for (const [index, step] of history.steps.entries()) {
    if (tokens[index] !== undefined) step.tokens = tokens[index];
    if (index >= assistantsIn(entries)) step.unfinished = 'ended before its calls were read';
  }
  if (history.steps.some((step) => step.tokens === undefined)) {
    gaps.push({
      about: 'tokens',
      reason: 'Not every emission has its token ids here: masks are not complete.',
    });
  }

  const editedAt = snapshotSteps(value).filter((step) => step >= 0 && step < history.steps.length);
  const samples = samplesFrom(value, editedAt, history.steps.length);
  for (const { index } of samples.filter(({ tokens }) => tokens === undefined)) {
    gaps.push({ about: 'tokens', reason: `Sample ${index} has no prompt ids and mask that can be read.` });
  }
  const finalIds = tokenIds(at(value, 'prompt_ids'));
  const turns = spansFrom(at(value, 'assistant_turn_boundaries'));
  const requestId = stringAt(value, 'request_id');
  const episode = statelmEpisode(
    record,
    'statelm_agentdata',
    history,
    {
      dialect: 'rl',
      recordedDeletes: idsIn(arrayAt(value, 'deleted_msg_ids') ?? []),
      ...(turns === undefined ? {} : { recordedTurns: turns }),
      ...(finalIds === undefined ? {} : { finalIds }),
      ...(repeated === undefined ? {} : { repeatedPrompt: repeated }),
    },
    {
      title: titleFrom(question, 'StateLM agent data'),
      ...(question === undefined ? {} : { task: { key: question } }),
      limits: limitsFrom(at(value, 'config')),
      ...(readable ? { tokenIds: 'characters' as const } : {}),
      outcome: {
        components: {},
        noReward: 'never-kept',
        ...terminationOf(value, history.messages.at(-1)?.toolName),
      },
      metrics: {
        ...metricsOf(at(value, 'metrics')),
        ...(requestId === undefined ? {} : { request_id: requestId }),
        had_delete_operation: at(value, 'had_delete_operation') === true,
      },
      samples,
      gaps,
    },
    editedAt,
  );
  return fitted(episode, variants);
}

/** The reference appends the first message of the prompt once more, with an id. Here it stands once. */
function withoutRepeat(entries: HistoryEntry[]): { entries: HistoryEntry[]; repeated?: number } {
  const [first] = entries;
  const start = entries.findIndex(({ value }) => at(value, 'role') === 'assistant');
  const repeat = entries.findIndex(
    ({ value }, index) =>
      index > 0 &&
      (start < 0 || index < start) &&
      numberAt(value, 'msg_id') !== undefined &&
      at(value, 'content') === at(first?.value, 'content'),
  );
  const again = entries[repeat];
  if (first === undefined || again === undefined) return { entries };
  const isPlain = stringAt(first.value, 'role') !== undefined && at(first.value, 'msg_id') === undefined;
  if (!isPlain) return { entries };
  const id = numberAt(again.value, 'msg_id') ?? 0;
  const once = {
    value: { role: at(first.value, 'role'), content: at(first.value, 'content'), msg_id: id },
    raw: [...first.raw, ...again.raw],
  };
  return { entries: [once, ...entries.slice(1, repeat), ...entries.slice(repeat + 1)], repeated: id };
}

function assistantsIn(entries: readonly HistoryEntry[]): number {
  return entries.filter(({ value }) => at(value, 'role') === 'assistant').length;
}

/** An emission that ran into a limit is missing in the history; its tokens are there, and its text where they can be read. */
function dropped(
  entries: readonly HistoryEntry[],
  tokens: ReturnType<typeof stepTokens>,
  readable: boolean,
): HistoryEntry[] {
  return tokens.slice(assistantsIn(entries)).map((step, index) => ({
    value: {
      role: 'assistant',
      content: readable && step !== undefined ? (textOfIds(step.generationIds) ?? '') : '',
    },
    raw: [`/emission_views/${assistantsIn(entries) + index}`],
  }));
}

/** The step each snapshot was taken at: it holds the emission views up to then. */
function snapshotSteps(value: unknown): number[] {
  return (arrayAt(value, 'trajectory_snapshots') ?? []).map((snapshot) => {
    const turns = arrayAt(snapshot, 'emission_views') ?? arrayAt(snapshot, 'assistant_turn_boundaries');
    return (turns?.length ?? 0) - 1;
  });
}

function limitsFrom(config: unknown): ContextLimits {
  const maxModelLength = numberAt(config, 'max_model_length');
  const responseLength = numberAt(config, 'response_length');
  return {
    ...(maxModelLength === undefined ? {} : { maxModelLength }),
    ...(responseLength === undefined ? {} : { responseLength }),
  };
}

function terminationOf(value: unknown, lastTool: string | undefined): { termination?: string } {
  if (at(at(value, 'metrics'), 'context_length_exceeded') === true)
    return { termination: 'context_length_exceeded' };
  return lastTool === 'finish' ? { termination: 'finish' } : {};
}

/** The samples as the loop gave them out; where it kept none, as it would have cut them out of its snapshots. */
function samplesFrom(value: unknown, editedAt: readonly number[], steps: number): Sample[] {
  const moments = [...(arrayAt(value, 'trajectory_snapshots') ?? []), value];
  const given = arrayAt(value, 'trajectories');
  return (given ?? moments).map((sample, index, all) => {
    const extra = at(sample, 'extra_fields');
    const isFinal = given === undefined ? index === all.length - 1 : at(extra, 'is_snapshot') !== true;
    const numTurns = numberAt(sample, 'num_turns');
    const turnScores = numbersFrom(at(extra, 'turn_scores'));
    const toolRewards = numbersFrom(at(extra, 'tool_rewards'));
    const tokens = trackFrom(sample, given === undefined, isFinal ? value : moments[index]);
    return {
      kind: isFinal ? 'final' : 'snapshot',
      index,
      firstStep: index === 0 ? 0 : Math.min((editedAt[index - 1] ?? steps - 1) + 1, steps),
      lastStep: isFinal ? steps - 1 : (editedAt[index] ?? steps - 1),
      ...(tokens === undefined ? {} : { tokens }),
      ...(numTurns === undefined ? {} : { numTurns }),
      ...(turnScores === undefined ? {} : { turnScores }),
      ...(toolRewards === undefined ? {} : { toolRewards }),
    };
  });
}

function trackFrom(sample: unknown, isMoment: boolean, moment: unknown): Sample['tokens'] {
  const prompt = tokenIds(at(sample, 'prompt_ids'));
  const mask = tokenMask(at(sample, 'response_mask'));
  if (prompt === undefined || mask === undefined) return undefined;
  const response = isMoment ? undefined : tokenIds(at(sample, 'response_ids'));
  const logprobs = floatsFrom(at(sample, 'response_logprobs'));
  return {
    ...(response === undefined ? tailOf(prompt, mask.length) : { promptIds: prompt, responseIds: response }),
    maskLength: mask.length,
    trained: spansOfMask(mask),
    turns: spansFrom(at(moment, 'assistant_turn_boundaries')) ?? [],
    ...(logprobs === undefined ? {} : { logprobs }),
  };
}
