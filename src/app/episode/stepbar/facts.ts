import { broughtBy, toolCallsOf, type Budget, type Episode } from '../../../model';
import type { ContextMeasure } from '../measure';
import { count, plural } from '../numbers';
import { markWords, type StepMarks } from '../timeline/marks';

export interface Fact {
  text: string;
  title?: string;
  tone?: 'warn' | 'deleted';
}

/** A step in a few words: how full the context was, what the call did, what is special about it. */
export function factsOf(
  episode: Episode,
  step: number,
  budget: Budget | undefined,
  marks: StepMarks | undefined,
  measure: ContextMeasure,
): Fact[] {
  const tokens = episode.steps[step]?.tokens;
  const calls = broughtBy(episode, step).emitted.flatMap(toolCallsOf).length;
  return [
    ...(budget === undefined
      ? []
      : [
          {
            text: plural(budget.total, measure.one, measure.unit),
            title: `In the context of this call, in ${measure.unit}.`,
          },
        ]),
    ...(tokens === undefined
      ? []
      : [
          {
            text: `${count(tokens.promptIds.length)} + ${plural(tokens.generationIds.length, 'token')}`,
            title: 'Tokens of the prompt and of the generation, as recorded.',
          },
        ]),
    ...(calls > 0 ? [{ text: plural(calls, 'tool call') }] : []),
    ...(marks === undefined
      ? []
      : markWords({ ...marks, findings: [] }).map((text) => markFact(text, marks))),
    ...(marks === undefined || marks.findings.length === 0
      ? []
      : [
          {
            text: plural(marks.findings.length, 'finding'),
            title: marks.findings.map(({ message }) => message).join('\n'),
            tone: 'warn' as const,
          },
        ]),
  ];
}

function markFact(text: string, { trouble }: StepMarks): Fact {
  return { text, tone: text === trouble ? 'warn' : 'deleted' };
}

/** Why the view is not simply what the file says, if so. */
export function viewTruth(episode: Episode, step: number): string | undefined {
  const gap = episode.gaps.find(
    ({ about, step: at }) => about === 'views' && (at === undefined || at === step),
  );
  const edited = episode.edits.some((edit) => edit.step < step);
  if (!edited) return undefined;
  return `Derived: this view is rebuilt by replaying the edits before it.${gap === undefined ? '' : ` ${gap.reason}`}`;
}
