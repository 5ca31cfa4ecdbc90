import type { DeletionQuality, Episode } from '../../../model';
import { counted, formatCount, formatNumber } from '../../words/format';

export interface DeletionFact {
  name: string;
  value: string;
  title: string;
  amiss?: boolean;
}

/** How well the deletes served the episode, in words; none where nothing was deleted and nothing missed. */
export function deletionFacts(
  { statelm }: Pick<Episode, 'statelm'>,
  { deleted, freed, freedTruth, stepsToDelete, readAgain, missed }: DeletionQuality,
): DeletionFact[] {
  if (deleted === 0 && (missed ?? 0) === 0) return [];
  const about = freedTruth === 'inferred' ? '≈' : '';
  return [
    {
      name: 'Tokens freed',
      value: `${about}${formatCount(freed)} by ${counted(deleted, 'message')}`,
      title: {
        recorded: 'As the source counted them before and after each edit.',
        derived: 'What the messages took, without what their stubs take.',
        inferred: 'Estimated from the characters of the messages and their stubs.',
      }[freedTruth],
    },
    ...(stepsToDelete === undefined
      ? []
      : [
          {
            name: 'From read to delete',
            value: `${formatNumber(stepsToDelete)} ${stepsToDelete === 1 ? 'step' : 'steps'} on average`,
            title: 'How long the results that were deleted had stood in the context.',
          },
        ]),
    ...(deleted === 0
      ? []
      : [
          {
            name: 'Read again',
            value: readAgain === 0 ? 'nothing' : counted(readAgain, 'result'),
            title: 'Deleted results that were asked for, or came, again: they were deleted too early.',
            amiss: readAgain > 0,
          },
        ]),
    ...(missed === undefined
      ? []
      : [
          {
            name: 'Deletes missed',
            value: missed === 0 ? 'none' : counted(missed, 'message'),
            title:
              statelm === undefined
                ? 'The fewest messages whose deletion would have kept the context within its limit.'
                : 'The fewest messages whose deletion would have kept the context within max_model_length.',
            amiss: missed > 0,
          },
        ]),
  ];
}
