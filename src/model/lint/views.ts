import type { Episode } from '../episode';
import { compareView, type ViewDifference } from '../statelm/agreement';
import { noteLines, notesAt } from '../statelm/notes';
import { textOfIds } from '../statelm/characters';
import { aroundBreak, promptBreaks, type PromptBreak } from '../prompt-breaks';
import { excerpt } from '../text';
import type { Rule } from './finding';

/** What is rebuilt against what was recorded. */

const viewDiffers: Rule = {
  id: 'view-differs',
  severity: 'warning',
  explanation:
    'The source recorded what the model was sent, and the view rebuilt from the history is not the same. Either the loop ' +
    'renders differently from what is known of it, or the history is not what really happened. The recorded view is what ' +
    'the model saw.',
  check: (episode) =>
    stepsToCompare(episode).flatMap((step) => {
      const verdict = compareView(episode, step);
      if (verdict === undefined || verdict === 'agrees') return [];
      return [{ message: difference(verdict), ...(step < episode.steps.length ? { step } : {}) }];
    }),
};

function stepsToCompare(episode: Episode): number[] {
  const steps = new Set(episode.recordedViews?.map(({ step }) => step));
  if (episode.tokenIds === 'characters') {
    for (const { index, tokens } of episode.steps) if (tokens !== undefined) steps.add(index);
  }
  return [...steps].sort((a, b) => a - b);
}

function difference({ index, rebuilt, recorded }: ViewDifference): string {
  if (recorded === undefined) return `Message ${index} of the rebuilt view is not in the recorded one`;
  if (rebuilt === undefined) return `Message ${index} of the recorded view is not in the rebuilt one`;
  let at = 0;
  while (rebuilt[at] === recorded[at]) at += 1;
  // A little before the difference, for orientation.
  const from = Math.max(at - 10, 0);
  return (
    `Message ${index} of the view was rebuilt as “${excerpt(rebuilt.slice(from), 40)}” ` +
    `and recorded as “${excerpt(recorded.slice(from), 40)}”`
  );
}

const promptNotContinued: Rule = {
  id: 'prompt-not-continued',
  severity: 'warning',
  explanation:
    'The prompt of a call should start with the prompt of the call before it and what that one generated. Where it does not, ' +
    'the context was changed in between: by an edit, which explains it, or by a template or tokenizer that writes the same ' +
    'messages another way. Unexplained, the log-probabilities of earlier turns belong to another context, and the cache of ' +
    'the inference server is lost.',
  check: (episode) =>
    promptBreaks(episode).map((found) => {
      const { step, at, was, is, edited } = found;
      return {
        message:
          `Prompt and emission of step ${step - 1} are not repeated by the next prompt: token ${at.toLocaleString('en')} ` +
          `was id ${was ?? 'none'} and is ${is ?? 'missing'}${bothTexts(episode, found)}` +
          (edited ? ', explained by the edit in between' : ''),
        step,
        tokens: [at, at + 1] as [number, number],
        ...(edited ? { severity: 'info' as const } : {}),
      };
    }),
};

/** Both decodings, where ids can be read without a tokenizer. */
function bothTexts(episode: Episode, found: PromptBreak): string {
  if (episode.tokenIds !== 'characters') return '';
  const { was, is } = aroundBreak(episode, found);
  const [before, after] = [textOfIds(was), textOfIds(is)];
  return before === undefined || after === undefined
    ? ''
    : ` (“${excerpt(before, 16)}”, “${excerpt(after, 16)}”)`;
}

const notesDiffer: Rule = {
  id: 'notes-differ',
  severity: 'warning',
  explanation:
    'The source recorded the notes at the end, and folding the note calls that succeeded gives others: a call or its ' +
    'result is missing, or the memory was changed by something that is not in the history.',
  check(episode) {
    const recorded = episode.statelm?.recordedNotes;
    if (recorded === undefined) return [];
    const folded = noteLines(notesAt(episode, episode.steps.length)).join('\n');
    if (folded === recorded) return [];
    return [
      {
        message: `The notes at the end were recorded as “${excerpt(recorded)}” and fold to “${excerpt(folded)}”`,
      },
    ];
  },
};

export const viewRules: readonly Rule[] = [viewDiffers, promptNotContinued, notesDiffer];
