import type { Episode, EpisodeSummary, Gap, Message, Metrics, Outcome, TaskRef } from '../model';
import { beginning, noCounts } from '../model';
import type { SourceRecord } from './format';

/** A record without a conversation: numbers about something, and the record itself to look at. */
export interface Bare {
  title: string;
  task?: TaskRef;
  outcome: Outcome;
  metrics: Metrics;
  gaps: Gap[];
}

/** Longer than anyone reads; the raw record has all of it. */
const longestShown = 1_000_000;

export function bareSummary({ title, task, outcome, metrics, gaps }: Bare): EpisodeSummary {
  return {
    title,
    ...(task === undefined ? {} : { task }),
    ...(outcome.reward === undefined ? {} : { reward: outcome.reward }),
    counts: noCounts(),
    steps: 0,
    edits: 0,
    samples: 0,
    metrics,
    gaps: [...new Set(gaps.map(({ about }) => about))],
  };
}

export function bareEpisode(bare: Bare, format: string, record: SourceRecord): Episode {
  const { title, task, outcome, metrics, gaps } = bare;
  return {
    id: String(record.index),
    format,
    title,
    ...(task === undefined ? {} : { task }),
    tools: [],
    messages: [recordMessage(record.text)],
    steps: [],
    edits: [],
    outcome,
    metrics,
    gaps,
  };
}

/** The whole record in the place of a conversation. Nobody said it: its role is `record`. */
function recordMessage(text: string): Message {
  const shown = text.length <= longestShown ? text : `${beginning(text, longestShown)}…`;
  return {
    msgId: 0,
    role: 'user',
    roleLabel: 'record',
    origin: 'environment',
    parts: [{ kind: 'json', text: shown }],
    bornAtStep: -1,
    raw: [''],
  };
}
