import {
  arrayAt,
  historyFrom,
  sampleEnds,
  stringAt,
  type Episode,
  type EpisodeSummary,
  type HistoryItem,
  type Metrics,
  type Outcome,
  type TaskRef,
} from '../../model';
import { distinctTools } from '../called-tools';
import type { SourceRecord } from '../format';
import { gapsIn, holdersOf, type PlacedGap } from '../gaps';
import { toolSpecs } from '../tool-specs';
import { historyItem } from './items';
import { pairResults } from './pairing';
import { stepsOf, type Timeline } from './timeline';

/** A record read as far as the table needs it. Both the summary and the episode are made from it, so that they agree. */
export interface Draft {
  title: string;
  task?: TaskRef;
  model?: string;
  timeline: Timeline;
  outcome: Outcome;
  metrics: Metrics;
  gaps: PlacedGap[];
  /** As the record lists them. */
  tools?: readonly unknown[];
  /** Why the last model call was cut off. */
  unfinished?: string;
}

export function summaryOf(draft: Draft): EpisodeSummary {
  const { title, task, outcome, metrics, gaps, timeline } = draft;
  const steps = stepsOf(timeline.entries);
  const all = [...gaps, ...pairResults(timeline.entries).gaps];
  const tools = distinctTools(
    timeline.entries.flatMap(({ item, kind, origin }) =>
      kind === 'call' && origin === 'policy' ? stringAt(item, 'name') : [],
    ),
  );
  return {
    title,
    ...(task === undefined ? {} : { task }),
    ...(outcome.reward === undefined ? {} : { reward: outcome.reward }),
    counts: timeline.counts,
    ...(tools.length === 0 ? {} : { tools }),
    steps: steps.length,
    edits: timeline.edits.length,
    samples: sampleEnds({ steps, edits: timeline.edits }).length,
    metrics,
    gaps: [...new Set(all.map(({ about }) => about))],
  };
}

export function episodeOf(draft: Draft, format: string, record: SourceRecord): Episode {
  const { title, task, model, outcome, metrics, timeline } = draft;
  const { shared, gaps } = pairResults(timeline.entries);
  const items = timeline.entries.map((entry) => historyItem(entry, shared.get(entry.raw)));
  if (draft.unfinished !== undefined) cutOff(items, draft.unfinished);
  const { messages, steps } = historyFrom(items);
  const holders = holdersOf(messages);
  return {
    // By position: a file may hold the same task and rollout twice.
    id: String(record.index),
    format,
    title,
    ...(task === undefined ? {} : { task }),
    ...(model === undefined ? {} : { model }),
    tools: toolSpecs(draft.tools ?? []),
    messages,
    steps,
    edits: timeline.edits.map(({ raws, summary, ...edit }) => {
      const standIn = summary === undefined ? undefined : holders.get(summary)?.msgId;
      return {
        ...edit,
        msgIds: [...new Set(raws.flatMap((raw) => holders.get(raw)?.msgId ?? []))],
        ...(standIn === undefined ? {} : { summary: standIn }),
      };
    }),
    outcome,
    metrics,
    gaps: gapsIn(messages, [...draft.gaps, ...gaps]),
  };
}

function cutOff(items: HistoryItem[], reason: string): void {
  const last = items.findLast((item) => item.origin === 'policy');
  if (last?.origin === 'policy') last.unfinished = reason;
}

/** The tools of a request; an environment that brings its own lists them in the response. */
export function toolsOf(params: unknown, response: unknown): readonly unknown[] {
  const asked = arrayAt(params, 'tools') ?? [];
  return asked.length > 0 ? asked : (arrayAt(response, 'tools') ?? []);
}
