import { at, isObject, numberAt, stringAt } from '../../model';
import { bareEpisode, bareSummary } from '../bare';
import type { Format, SourceRecord } from '../format';
import { metricsOf } from '../metrics';
import { episodeOf, summaryOf, type Draft } from './draft';
import { taskOf, titleOf } from './identity';
import { promptEntry, type Entry } from './items';
import { outcomeOf, rewardGaps } from './outcome';
import { emptyTimeline } from './timeline';

/**
 * Some environments (bbq) write rows of their own making, with what the policy said as a plain string and neither
 * request nor response:
 *
 *     { provenance_id: 'age-1', policy_response: 'The older one.', answer_judgment: {...},
 *       reward_answer: 1, reward_explanation_quality: 0.5, reward: 0.5 }
 *
 * Recognised by a numeric `reward` together with a mark of NeMo Gym: parts of the reward beside it, the policy's
 * response, an agent, or indices.
 */
export const nemoGymCustomRow: Format = {
  id: 'nemo_gym_custom_row',
  name: "NeMo Gym environment's own row",
  unit: 'record',
  confidence(value) {
    if (!isObject(value) || numberAt(value, 'reward') === undefined) return 0;
    if (at(value, 'responses_create_params') !== undefined) return 0;
    return Object.keys(value).some((key) => isMark(key, value[key])) ? 0.4 : 0;
  },
  summarise(record) {
    const draft = draftOf(record);
    return [draft.timeline.entries.length === 0 ? bareSummary(draft) : summaryOf(draft)];
  },
  episode(record) {
    const draft = draftOf(record);
    const make = draft.timeline.entries.length === 0 ? bareEpisode : episodeOf;
    return make(draft, 'nemo_gym_custom_row', record);
  },
};

function isMark(key: string, value: unknown): boolean {
  if (key === 'policy_response') return typeof value === 'string';
  if (key.startsWith('reward_')) return typeof value === 'number' || key === 'reward_components';
  return key === 'agent_ref' || key.startsWith('_ng_');
}

function draftOf({ value, index }: SourceRecord): Draft {
  const said = stringAt(value, 'policy_response');
  const task = taskOf(value);
  return {
    title: titleOf(value, index),
    ...(task === undefined ? {} : { task }),
    timeline: { ...emptyTimeline(), entries: said === undefined ? [] : [saidBy(said)] },
    outcome: outcomeOf(value),
    metrics: metricsOf(value, new Set(['reward', '_ng_task_index', '_ng_rollout_index'])),
    gaps: [
      {
        about: 'messages',
        reason:
          said === undefined
            ? 'This row holds neither request nor response. It is shown as it is.'
            : 'This row holds what the policy answered, and not what it was asked.',
      },
      ...(said === undefined
        ? []
        : [{ about: 'tokens' as const, reason: 'This record has no token ids: masks cannot be shown.' }]),
      ...rewardGaps(value),
    ],
  };
}

function saidBy(text: string): Entry {
  return { ...promptEntry({ role: 'assistant', content: text }, '/policy_response'), origin: 'policy' };
}
