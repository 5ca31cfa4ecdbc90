import { broughtBy, compareView, toolCallsOf, type Budget, type Episode, type Timing } from '../../../model';
import type { ContextMeasure } from '../measure';
import { counted, formatCount, formatDuration } from '../../words/format';
import { markWords, worst, type StepMarks } from '../timeline/marks';

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
  const total = budget === undefined || tokens !== undefined ? undefined : Math.round(budget.total);
  const calls = broughtBy(episode, step).emitted.flatMap(toolCallsOf).length;
  return [
    ...(total === undefined
      ? []
      : [
          {
            text: `${measure.about}${counted(total, measure.one, measure.unit)}`,
            title: `In the context of this call. ${measure.why}`,
          },
        ]),
    ...(tokens === undefined
      ? []
      : [
          {
            text: `${formatCount(tokens.promptIds.length)} + ${counted(tokens.generationIds.length, 'token')}`,
            title: 'Tokens of the prompt and of the generation, as recorded.',
          },
        ]),
    ...(calls > 0 ? [{ text: counted(calls, 'tool call') }] : []),
    ...timeFacts(episode.steps[step]?.timing),
    ...(marks === undefined
      ? []
      : markWords({ ...marks, findings: [] }).map((text) => markFact(text, marks))),
    ...(marks === undefined || marks.findings.length === 0
      ? []
      : [
          {
            text: counted(marks.findings.length, 'finding'),
            title: marks.findings.map(({ message }) => message).join('\n'),
            ...(worst(marks.findings) === 'info' ? {} : { tone: 'warn' as const }),
          },
        ]),
  ];
}

function timeFacts(timing: Timing | undefined): Fact[] {
  if (timing?.durationMs === undefined) return [];
  const { durationMs, firstTokenMs } = timing;
  const first =
    firstTokenMs === undefined ? '' : ` Its first token came after ${milliseconds(firstTokenMs)}.`;
  return [{ text: milliseconds(durationMs), title: `The model call took so long, as recorded.${first}` }];
}

/** `80 ms`, `1.2 s`, `2 min` */
function milliseconds(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  return ms < 60_000 ? `${(ms / 1000).toFixed(1)} s` : formatDuration(ms / 1000);
}

function markFact(text: string, { trouble, penalty }: StepMarks): Fact {
  if (text === trouble || text === penalty) return { text, tone: 'warn' };
  return /^(?:deletes|compacts) /.test(text) ? { text, tone: 'deleted' } : { text };
}

/** How the view of a step comes to be known, where it does not simply stand in the file. */
export interface ViewTruth {
  word: string;
  title: string;
  tone: 'quiet' | 'warn';
}

export function viewTruth(episode: Episode, step: number): ViewTruth | undefined {
  const verdict = hasRecordedView(episode, step) ? compareView(episode, step) : undefined;
  if (verdict === 'agrees') {
    return {
      word: 'as recorded',
      title: 'Derived: rebuilt from the history, and equal to the view that the source recorded.',
      tone: 'quiet',
    };
  }
  if (verdict !== undefined) {
    return {
      word: 'not as recorded',
      title: `Derived: rebuilt from the history. The source recorded another view; the first difference is in message ${verdict.index} of it.`,
      tone: 'warn',
    };
  }
  if (episode.statelm === undefined && !episode.edits.some((edit) => edit.step < step)) return undefined;
  const gap = episode.gaps.find(({ about, step: at }) => about === 'views' && (at ?? step) === step);
  const reason = gap === undefined ? '' : ` ${gap.reason}`;
  return {
    word: 'derived',
    title: `Derived: this view is rebuilt from the history and its edits.${reason}`,
    tone: 'quiet',
  };
}

/** Whether there is anything to hold a view against, which can take longer than a frame. */
export function hasRecordedView(episode: Episode, step: number): boolean {
  if (episode.recordedViews?.some((view) => view.step === step) === true) return true;
  return episode.tokenIds === 'characters' && episode.steps[step]?.tokens !== undefined;
}
