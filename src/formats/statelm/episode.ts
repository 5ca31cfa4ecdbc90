import {
  arrayAt,
  at,
  compareView,
  editsFrom,
  isObject,
  noCounts,
  noteEditsFrom,
  renderedAt,
  type Counts,
  type Episode,
  type Gap,
  type StatelmTraits,
} from '../../model';
import type { SourceRecord } from '../format';
import type { History } from './history';

type Given = Pick<Episode, 'title' | 'outcome' | 'metrics'> &
  Partial<Omit<Episode, 'id' | 'format' | 'messages' | 'steps' | 'edits' | 'notes'>>;

/**
 * An episode from a StateLM history: deletes replayed, notes folded. `editedAt`: steps at which the source recorded a
 * snapshot.
 */
export function statelmEpisode(
  record: SourceRecord,
  format: string,
  { messages, steps, gaps }: History,
  traits: StatelmTraits,
  given: Given,
  editedAt: readonly number[] = [],
): Episode {
  const { title, gaps: more = [], tools = [], ...rest } = given;
  return {
    id: String(record.index),
    format,
    title,
    tools,
    messages,
    steps,
    edits: editsFrom(messages, editedAt),
    notes: noteEditsFrom(messages, traits.dialect),
    statelm: traits,
    ...rest,
    gaps: [...gaps, ...more],
  };
}

/** Counted as the source lists them: an entry that stands twice counts twice. */
export function countEntries(entries: readonly unknown[]): Counts {
  const counts = noCounts();
  for (const entry of entries) {
    if (!isObject(entry)) continue;
    if (at(entry, 'role') === 'tool') counts.toolResults += 1;
    else counts.messages += 1;
    counts.toolCalls += arrayAt(entry, 'tool_calls')?.length ?? 0;
  }
  return counts;
}

/**
 * The episode with the variant of its traits under which the rebuilt views agree with the recorded ones. Where none
 * does, it stays as it is, and lint says where it differs.
 */
export function fitted(episode: Episode, variants: readonly Partial<StatelmTraits>[]): Episode {
  if (episode.statelm === undefined) return episode;
  for (const variant of variants) {
    const candidate = { ...episode, statelm: { ...episode.statelm, ...variant } };
    if (agrees(candidate)) return candidate;
  }
  return episode;
}

/** Enough to tell the variants apart: an episode of a thousand steps need not be rendered a thousand times for it. */
const mostCompared = 12;

function agrees(episode: Episode): boolean {
  const telling: number[] = [];
  for (let step = episode.steps.length; step >= 0 && telling.length < mostCompared; step--) {
    if (step + 2 >= episode.steps.length || step - renderedAt(episode, step) < 2) telling.push(step);
  }
  const verdicts = telling.map((step) => compareView(episode, step));
  return verdicts.some((verdict) => verdict === 'agrees') && !verdicts.some(isDifference);
}

function isDifference(verdict: ReturnType<typeof compareView>): boolean {
  return verdict !== undefined && verdict !== 'agrees';
}

export const rewardGap: Gap = { about: 'reward', reason: 'StateLM writes no reward into this file.' };
