import {
  countBornBefore,
  coveredBy,
  historyOf,
  maskAt,
  samplesOf,
  snapshotsOf,
  viewAt,
  type ContextEdit,
  type Episode,
  type MaskState,
  type Message,
  type Sample,
} from '../../../model';

/** A moment of the episode that was kept: before an edit, or when all was over. */
export interface Moment {
  name: string;
  /** The last step in it; undefined for the end, which is in no edit's way. */
  step: number | undefined;
  /** The edits it was kept for. */
  edits: readonly ContextEdit[];
  messageCount: number;
  /** Messages that were no longer there to be seen. */
  gone: number;
  /** Ones in the loop's mask, before the edit cleared them. */
  trained: number | undefined;
  /** Tokens of its context, emission included. */
  context: number | undefined;
}

/** What a message was at a moment: all there, a stub, or out of the view. */
export interface Kept {
  message: Message;
  state: 'whole' | 'stub' | 'out';
  /** The edit that made it so. */
  edit: ContextEdit | undefined;
  /** Goes with the edit that the snapshot was taken for. */
  goes: boolean;
}

export function momentsOf(episode: Episode): Moment[] {
  const goneAt = countGone(episode);
  const aligned = samplesOf(episode);
  const snapshots = snapshotsOf(episode).map(({ index, step, edits, messageCount, sample }): Moment => ({
    name: `snapshot ${index + 1}`,
    step,
    edits,
    messageCount,
    gone: goneAt(step),
    trained: onesOf(aligned[sample.index]),
    context: contextAfter(episode, step),
  }));
  if (snapshots.length === 0) return [];
  const last = episode.steps.length;
  return [
    ...snapshots,
    {
      name: 'the end',
      step: undefined,
      edits: [],
      messageCount: countBornBefore(episode, last),
      gone: goneAt(last),
      trained: onesOf(aligned.at(-1)),
      context: episode.statelm?.finalIds?.length ?? contextAfter(episode, last - 1),
    },
  ];
}

/** How many messages had become a stub, or gone, before a step; asked for steps that ascend. */
function countGone(episode: Episode): (step: number) => number {
  const went = Array.from(historyOf(episode).editsOf.values(), ({ stubbed, removed }) =>
    Math.min(stubbed?.step ?? Infinity, removed?.step ?? Infinity),
  ).sort((a, b) => a - b);
  let gone = 0;
  return (step) => {
    while ((went[gone] ?? Infinity) < step) gone += 1;
    return gone;
  };
}

/** A sample's own emissions are all that is 1 in the mask when it is taken. */
function onesOf(sample: Sample | undefined): number | undefined {
  return sample?.tokens === undefined ? undefined : coveredBy(sample.tokens.trained, Infinity);
}

/** The loop's mask at a moment, before its edit cleared it. Made when it is looked at: it is as long as the episode. */
export function maskOf(episode: Episode, { step }: Pick<Moment, 'step'>): MaskState | undefined {
  return step === undefined ? maskAt(episode, episode.steps.length) : maskAfter(episode, step);
}

/** The mask when a step's emission was in it and nothing was cleared yet. */
function maskAfter(episode: Episode, step: number): MaskState | undefined {
  const before = maskAt(episode, step);
  const emitted = episode.steps[step]?.tokens?.generationIds.length;
  if (before === undefined || emitted === undefined) return undefined;
  const turn: [number, number] = [before.length, before.length + emitted];
  return {
    length: turn[1],
    trained: emitted === 0 ? before.trained : [...before.trained, turn],
    turns: [...before.turns, turn],
  };
}

function contextAfter(episode: Episode, step: number): number | undefined {
  const tokens = episode.steps[step]?.tokens;
  return tokens === undefined ? undefined : tokens.promptIds.length + tokens.generationIds.length;
}

/** The messages of a moment as they were: its own edit has not touched them yet. */
export function keptAt(episode: Episode, { step }: Pick<Moment, 'step'>): Kept[] {
  const end = episode.steps.length;
  return viewAt(episode, step === undefined ? end : step + 1).map((entry) => {
    const { message } = entry;
    if (entry.state === 'verbatim') return { message, state: 'whole', edit: undefined, goes: false };
    const goes = entry.edit.step === step;
    if (goes) return { message, state: 'whole', edit: entry.edit, goes };
    return { message, state: entry.state === 'stub' ? 'stub' : 'out', edit: entry.edit, goes };
  });
}

/** What happened between two moments, in the order of the later one. */
export interface Between {
  added: Kept[];
  /** Whole in the earlier one, a stub or out in the later. */
  taken: Kept[];
}

export function between(earlier: readonly Kept[], later: readonly Kept[]): Between {
  const before = new Map(earlier.map((kept) => [kept.message.msgId, kept.state]));
  // What an edit after the later one takes is no difference between the two.
  const after = later.map((kept) => ({ ...kept, goes: false }));
  return {
    added: after.filter(({ message }) => !before.has(message.msgId)),
    taken: after.filter(({ message, state }) => state !== 'whole' && before.get(message.msgId) !== state),
  };
}
