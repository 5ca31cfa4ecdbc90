import {
  contextIds,
  maskAt,
  maskOfSpans,
  samplesOf,
  snapshotsOf,
  type Episode,
  type MaskState,
  type Message,
  type Sample,
  type Snapshot,
  type StepTokens,
} from '../../model';
import { stringify } from '../raw-json';
import { deletedIds, entriesOf } from './export-entries';

/**
 * The fields of `AgentData` at the end of a run. Everything the loop copied at each delete is copied here too: that is
 * the shape its training code reads, and it grows with the square of the run.
 */
export function writeAgentdata(episode: Episode): string {
  const { statelm, metrics, limits, messages } = episode;
  const final = (episode.samples ?? samplesOf(episode, 'tail')).at(-1);
  return stringify({
    request_id: metrics['request_id'] ?? episode.id,
    config: { response_length: limits?.responseLength, max_model_length: limits?.maxModelLength },
    full_history: historyOf(episode, messages),
    deleted_msg_ids: deletedIds(episode),
    msg_id_counter: 1 + messages.reduce((last, { msgId }) => Math.max(last, msgId), -1),
    ...momentOf(episode, episode.steps.length, maskAt(episode, Infinity)),
    ...(statelm?.recordedTurns === undefined ? {} : { assistant_turn_boundaries: statelm.recordedTurns }),
    ...(statelm?.finalIds === undefined ? {} : { prompt_ids: statelm.finalIds }),
    trajectory_snapshots: snapshotsOf(episode).map((snapshot) => snapshotOf(episode, snapshot)),
    had_delete_operation: episode.edits.length > 0,
    metrics: Object.fromEntries(Object.entries(metrics).filter(([name]) => !ownFields.has(name))),
    turn_scores: final?.turnScores ?? [],
    tool_rewards: final?.toolRewards ?? [],
    trajectories: trajectoriesOf(episode),
  });
}

/** Metrics of the episode that stand beside the loop's own. */
const ownFields = new Set(['request_id', 'had_delete_operation']);

/** An emission that the loop never took into its history is told by its tokens alone. */
const dropped = 'ended before its calls were read';

function historyOf(episode: Episode, messages: readonly Message[]): object[] {
  const kept = messages.filter(
    ({ role, bornAtStep }) => role !== 'assistant' || episode.steps[bornAtStep]?.unfinished !== dropped,
  );
  const entries = entriesOf(episode, kept, 'rl');
  const [first] = kept;
  if (first === undefined || first.msgId !== episode.statelm?.repeatedPrompt) return entries;
  // The loop appended the first message of the prompt once more, with an id.
  const [plain] = entriesOf(episode, [{ ...first, msgId: -1 }], 'rl');
  return [plain ?? {}, ...entries];
}

function snapshotOf(episode: Episode, { step, messageCount }: Snapshot): object {
  const generated = episode.steps[step]?.tokens?.generationIds;
  const before = new Set<number>();
  for (const edit of episode.edits) if (edit.step < step) for (const id of edit.msgIds) before.add(id);
  return {
    ...(generated === undefined ? {} : { response_ids: generated }),
    full_history: historyOf(episode, episode.messages.slice(0, messageCount)),
    deleted_msg_ids: [...before],
    ...momentOf(episode, step + 1, maskBeforeEdit(episode, step)),
  };
}

/** The mask when the step's emission was over and its edit not yet made. */
function maskBeforeEdit(episode: Episode, step: number): MaskState | undefined {
  const before = maskAt(episode, step);
  const emitted = episode.steps[step]?.tokens?.generationIds.length;
  if (before === undefined || emitted === undefined) return undefined;
  const turn: [number, number] = [before.length, before.length + emitted];
  return { length: turn[1], trained: [...before.trained, turn], turns: [...before.turns, turn] };
}

/** What the loop holds after a number of steps; nothing of it where the steps have no tokens. */
function momentOf(episode: Episode, steps: number, mask: MaskState | undefined): object {
  const tokens = episode.steps.slice(0, steps).flatMap((step) => step.tokens ?? []);
  const last = tokens.at(-1);
  if (mask === undefined || last === undefined || tokens.length < steps) return { emission_views: [] };
  const logprobs = logprobsOf(tokens, mask);
  return {
    prompt_ids: contextIds(last),
    response_mask: maskOfSpans(mask.length, mask.trained),
    ...(logprobs === undefined ? {} : { response_logprobs: logprobs }),
    emission_views: tokens.map(({ promptIds }) => promptIds),
    assistant_turn_boundaries: mask.turns,
  };
}

/** The loop has 0 where no one emitted. */
function logprobsOf(tokens: readonly StepTokens[], { length, turns }: MaskState): number[] | undefined {
  if (tokens.some(({ logprobs }) => logprobs === undefined)) return undefined;
  const all = Array.from({ length }, () => 0);
  tokens.forEach(({ logprobs }, index) => {
    logprobs?.forEach((each, at) => (all[(turns[index]?.[0] ?? 0) + at] = each));
  });
  return all;
}

function trajectoriesOf(episode: Episode): object[] {
  const samples: readonly Sample[] = episode.samples ?? samplesOf(episode, 'tail');
  return samples.map(({ kind, index, tokens, numTurns, turnScores, toolRewards }) => ({
    ...(tokens === undefined
      ? {}
      : {
          prompt_ids: tokens.promptIds,
          response_ids: tokens.responseIds,
          response_mask: maskOfSpans(tokens.maskLength, tokens.trained),
          ...(tokens.logprobs === undefined ? {} : { response_logprobs: [...tokens.logprobs] }),
        }),
    ...(numTurns === undefined ? {} : { num_turns: numTurns }),
    extra_fields: {
      ...(turnScores === undefined ? {} : { turn_scores: turnScores }),
      ...(toolRewards === undefined ? {} : { tool_rewards: toolRewards }),
      is_snapshot: kind === 'snapshot',
      ...(kind === 'snapshot' ? { snapshot_index: index } : {}),
    },
  }));
}
