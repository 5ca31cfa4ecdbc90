import { arrayAt, at, numberAt, stringAt, type Episode } from '../../model';
import type { SourceRecord } from '../format';
import { metricsOf } from '../metrics';
import { oneEpisode } from '../episodes';
import { noTokenIds } from '../gaps';
import { titleFrom } from '../title';
import { countEntries, rewardGap, statelmEpisode } from './episode';
import { entriesAt, readHistory } from './history';
import { answersOf, inferenceOutcome } from './inference-result';
import { idsIn } from './tokens';

/**
 * `trajectory_{time}.json` of StateLM's `save_trajectory`: the history, and what was deleted and noted at the end. The
 * system prompt is not in it.
 */
export const statelmSaveTrajectory = oneEpisode(
  {
    id: 'statelm_save_trajectory',
    name: 'StateLM saved trajectory',
    unit: 'record',
    confidence: (value) =>
      arrayAt(value, 'full_history') !== undefined && stringAt(value, 'session_notes_summary') !== undefined
        ? 1
        : 0,
  },
  read,
  (value) => countEntries(arrayAt(value, 'full_history') ?? []),
);

function read(record: SourceRecord): Episode {
  const { value, text } = record;
  const entries = entriesAt(value, text, 'full_history');
  const history = readHistory(entries);
  const info = at(value, 'meta_info');
  const model = stringAt(value, 'model');
  const notes = stringAt(value, 'session_notes_summary');
  const deleted = arrayAt(value, 'deleted_msg_ids');
  const sampleId = stringAt(info, 'sample_id') ?? numberAt(info, 'sample_id');
  return statelmEpisode(
    record,
    'statelm_save_trajectory',
    history,
    {
      dialect: 'inference',
      ...(notes === undefined ? {} : { recordedNotes: notes }),
      ...(deleted === undefined ? {} : { recordedDeletes: idsIn(deleted) }),
    },
    {
      title: titleFrom(stringAt(entries[0]?.value, 'content'), 'StateLM trajectory'),
      ...(sampleId === undefined ? {} : { task: { key: String(sampleId) } }),
      ...(model === undefined ? {} : { model }),
      outcome: inferenceOutcome(history, entries.at(-1)?.value),
      metrics: { ...metricsOf(info), ...metricsOf(value, topLevel), ...answersOf(value) },
      gaps: [
        rewardGap,
        noTokenIds,
        { about: 'views', reason: 'This file has no system prompt: it stood before everything shown here.' },
      ],
    },
  );
}

const topLevel = new Set(['session_notes_summary', 'model', 'timestamp']);
