import { at, isObject, numberAt, stringAt, type Episode } from '../../model';
import type { SourceRecord } from '../format';
import { metricsOf } from '../metrics';
import { oneEpisode } from '../episodes';
import { titleFrom } from '../title';
import { rewardGap } from './episode';
import { readHistory } from './history';
import { answersOf } from './inference-result';

/** A line of the results file of StateLM's inference runner: question and answers, and where the whole run was written. */
export const statelmResultsRow = oneEpisode(
  {
    id: 'statelm_results_row',
    name: 'StateLM results',
    unit: 'record',
    confidence(value) {
      const info = at(value, 'meta_info');
      const isRow = at(value, 'sample_id') !== undefined && isObject(info);
      const isRun =
        at(info, 'inference_result_path') !== undefined || at(info, 'api_call_count') !== undefined;
      return isRow && isRun && stringAt(value, 'model') === 'StateLM' ? 1 : 0;
    },
  },
  read,
);

function read(record: SourceRecord): Episode {
  const { value } = record;
  const info = at(value, 'meta_info');
  const question = stringAt(value, 'question');
  const sampleId = stringAt(value, 'sample_id') ?? numberAt(value, 'sample_id');
  const path = stringAt(info, 'inference_result_path');
  const { messages, steps } = readHistory(
    question === undefined ? [] : [{ value: { role: 'user', content: question }, raw: ['/question'] }],
  );
  return {
    id: String(record.index),
    format: 'statelm_results_row',
    title: titleFrom(question, `Sample ${sampleId ?? record.index}`),
    ...(sampleId === undefined ? {} : { task: { key: String(sampleId) } }),
    tools: [],
    messages,
    steps,
    edits: [],
    outcome: { components: {}, noReward: 'never-kept' },
    metrics: { ...metricsOf(info), ...metricsOf(value), ...answersOf(value) },
    gaps: [
      rewardGap,
      {
        about: 'messages',
        reason: `A results row has no conversation: open ${path ?? 'the inference result'} to see it.`,
      },
    ],
  };
}
