import { noteLines, notesAt, seenAs, type Episode, type Message } from '../../model';
import { stringify } from '../raw-json';
import { writeAgentdata } from './export-agentdata';
import { deletedIds, entriesOf, textOf } from './export-entries';

/**
 * An episode as StateLM's code would have left it: in the fields of the RL loop's `AgentData` where that loop made it; else
 * as the inference code's result, or, where it has no system prompt to put there, as its saved trajectory.
 */
export function writeStatelm(episode: Episode): string {
  if (episode.statelm?.dialect === 'rl') return writeAgentdata(episode);
  const [first] = episode.messages;
  return stringify(first?.role === 'system' ? inferenceResult(episode, first) : savedTrajectory(episode));
}

function inferenceResult(episode: Episode, system: Message): object {
  const { messages, metrics } = episode;
  const query = messages.find(({ role }) => role === 'user');
  const { session_id, ...info } = metrics;
  return {
    ...(session_id === undefined ? {} : { session_id }),
    system_prompt: textOf(system),
    query: query === undefined ? '' : textOf(query),
    result_info: { ...info, last_payload: lastPayload(episode) },
    full_history: entriesOf(episode, messages.slice(1), 'inference'),
  };
}

/** The view when all was over, or why there is none. */
function lastPayload(episode: Episode): unknown {
  return episode.outcome.error === undefined
    ? seenAs(episode, episode.steps.length)
    : { error: episode.outcome.error };
}

function savedTrajectory(episode: Episode): object {
  const { messages, metrics, task, model, steps, statelm } = episode;
  return {
    ...(model === undefined ? {} : { model }),
    session_notes_summary: statelm?.recordedNotes ?? noteLines(notesAt(episode, steps.length)).join('\n'),
    api_call_count: steps.length,
    ...metrics,
    full_history: entriesOf(episode, messages, 'inference'),
    deleted_msg_ids: deletedIds(episode),
    meta_info: task === undefined ? {} : { sample_id: task.key },
  };
}
