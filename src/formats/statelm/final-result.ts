import { arrayAt, at, pointer, stringAt, type Episode } from '../../model';
import type { SourceRecord } from '../format';
import { metricsOf } from '../metrics';
import { stubGaps } from './api-calls';
import { chatMessages } from './chat';
import { oneEpisode } from '../episodes';
import { noTokenIds } from '../gaps';
import { titleFrom } from '../title';
import { fitted, rewardGap, statelmEpisode } from './episode';
import { readHistory } from './history';
import {
  answersOf,
  finalView,
  inferenceOutcome,
  inferenceTraits,
  inferenceVariants,
} from './inference-result';
import { Unrenderer } from './rendered';

/**
 * `{sample_id}_final_result_{time}.json` of StateLM's inference code: the answer, and of the conversation only the
 * last view. What had been deleted by then is not in it. Nothing is counted: it is a view and not a history.
 */
export const statelmFinalResult = oneEpisode(
  {
    id: 'statelm_final_result',
    name: 'StateLM final result',
    unit: 'record',
    confidence: (value) =>
      ['session_id', 'question', 'final_answer', 'expected_answer', 'meta_info'].every(
        (key) => at(value, key) !== undefined,
      )
        ? 0.9
        : 0,
  },
  read,
);

function read(record: SourceRecord): Episode {
  const { value } = record;
  const info = at(value, 'meta_info');
  const payload = at(info, 'last_payload');
  const view = chatMessages(payload);
  const unrendered = new Unrenderer();
  view.forEach((message, index) => {
    unrendered.add(message, pointer('meta_info', 'last_payload', index));
  });
  const history = readHistory(unrendered.entries);
  const sampleId = stringAt(info, 'sample_id');
  const question = stringAt(value, 'question');
  const episode = statelmEpisode(record, 'statelm_final_result', history, inferenceTraits, {
    title: titleFrom(question, 'StateLM result'),
    ...(sampleId === undefined ? {} : { task: { key: sampleId } }),
    outcome: inferenceOutcome(history, undefined, payload),
    metrics: { ...metricsOf(info), ...metricsOf(value), ...answersOf(value) },
    recordedViews: finalView(history, view),
    gaps: [
      rewardGap,
      noTokenIds,
      {
        about: 'views',
        reason:
          arrayAt(info, 'last_payload') === undefined
            ? 'This file holds no conversation.'
            : 'This file holds only the last view: what was deleted before it shows as its stub in earlier ones too.',
      },
      ...stubGaps(unrendered),
    ],
  });
  return fitted(withKnownSummaries(episode, unrendered), inferenceVariants);
}

/** The arguments of a deleted note call are gone, but the notes block at the end still has its summary. */
function withKnownSummaries(episode: Episode, { stubs, notes }: Unrenderer): Episode {
  const deleted = new Set(stubs.map(({ value }) => at(value, 'msg_id')));
  return {
    ...episode,
    notes: (episode.notes ?? []).map((edit) => {
      const summary = notes.get(edit.key);
      if (edit.change.kind !== 'write' || !deleted.has(edit.by) || summary === undefined) return edit;
      return { ...edit, change: { ...edit.change, summary } };
    }),
  };
}
