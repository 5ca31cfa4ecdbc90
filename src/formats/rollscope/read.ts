import * as v from 'valibot';
import { at, pointer, type Episode, type Step } from '../../model';
import { told, type Told } from './schema';
import { grown } from './tokens';
import { upgrade } from './upgrade';

export type ReadLine = { ok: true; episode: Episode } | { ok: false; reason: string };

/** The episode of a line that `writeEpisode` wrote, in this version or an earlier one; else what is wrong with it. */
export function readEpisode(value: unknown): ReadLine {
  const upgraded = upgrade(value);
  if (!upgraded.ok) return upgraded;
  const parsed = v.safeParse(told, upgraded.line, { abortEarly: true });
  if (!parsed.success) return wrong(placeOf(parsed.issues[0]), parsed.issues[0].message);
  const steps = stepsFrom(parsed.output.steps);
  if (steps === undefined) return wrong('/steps', 'A prompt keeps more tokens than there are');
  const episode = episodeFrom(parsed.output, steps);
  const fault = faultIn(episode);
  return fault === undefined ? { ok: true, episode } : wrong(...fault);
}

function episodeFrom(line: Told, steps: Step[]): Episode {
  return {
    ...line,
    messages: line.messages.map((message, index) => ({ ...message, raw: [pointer('messages', index)] })),
    steps,
  };
}

function stepsFrom(steps: Told['steps']): Step[] | undefined {
  const tokens = grown(steps.flatMap((step) => step.tokens ?? []));
  if (tokens === undefined) return undefined;
  let next = 0;
  return steps.map(({ tokens: written, ...step }): Step => {
    const own = written === undefined ? undefined : tokens[next++];
    return own === undefined ? step : { ...step, tokens: own };
  });
}

type Fault = [place: string, what: string];

function wrong(...[place, what]: Fault): ReadLine {
  return { ok: false, reason: `This line is not a whole episode of Rollscope's format. ${what} (${place}).` };
}

function placeOf(issue: v.BaseIssue<unknown>): string {
  const path = issue.path ?? [];
  return pointer(...path.map(({ key }) => (typeof key === 'number' ? key : String(key)))) || '/';
}

/** What the model takes for granted of every episode, and a schema cannot say. */
function faultIn(episode: Episode): Fault | undefined {
  const { messages, steps, edits, notes = [], recordedViews = [], exchanges = [], states = [] } = episode;
  const ids = new Set<number>();
  let born = -1;
  for (const [index, { msgId, bornAtStep, origin }] of messages.entries()) {
    const place = pointer('messages', index);
    if (ids.has(msgId)) return [place, `The msgId ${msgId} stands there twice`];
    ids.add(msgId);
    const isOfStep = bornAtStep >= born && bornAtStep < steps.length;
    if (!isOfStep || (origin === 'policy' && bornAtStep < 0)) return [place, `Born at step ${bornAtStep}`];
    born = bornAtStep;
  }
  const unnumbered = steps.findIndex(({ index }, position) => index !== position);
  if (unnumbered >= 0) return [pointer('steps', unnumbered), 'Steps are numbered from 0'];
  return (
    disorderIn('edits', edits, steps.length) ??
    disorderIn('notes', notes, steps.length) ??
    // The context when all was over is a view too.
    disorderIn('recordedViews', recordedViews, steps.length + 1) ??
    // Seeding comes before the first step.
    disorderIn('exchanges', exchanges, steps.length, -1) ??
    disorderIn('states', states, steps.length, -1)
  );
}

/** Things that happened at steps stand in the order they happened. */
function disorderIn(
  name: string,
  list: readonly { step: number }[],
  end: number,
  first = 0,
): Fault | undefined {
  let last = first;
  for (const [index, { step }] of list.entries()) {
    if (step < last || step >= end) return [pointer(name, index), `Out of order at step ${step}`];
    last = step;
  }
  return undefined;
}

/** Whether a value says of itself that it is of this format. */
export function isLine(value: unknown): boolean {
  return typeof at(value, 'rollscope') === 'number';
}
