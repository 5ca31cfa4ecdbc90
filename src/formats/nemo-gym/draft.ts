import {
  arrayAt,
  at,
  historyFrom,
  stringAt,
  type Episode,
  type EpisodeSummary,
  type Gap,
  type HistoryItem,
  type Message,
  type Metrics,
  type Outcome,
  type TaskRef,
  type ToolSpec,
} from '../../model';
import { bounded } from '../bounded';
import type { SourceRecord } from '../format';
import { historyItem } from './items';
import { pairResults } from './pairing';
import { countSteps, type Timeline } from './timeline';

/** A gap that stands at an item, which is part of a message once there are messages. */
export type PlacedGap = Omit<Gap, 'msgId'> & { at?: string };

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
  const steps = countSteps(timeline.entries);
  const all = [...gaps, ...pairResults(timeline.entries).gaps];
  return {
    title,
    ...(task === undefined ? {} : { task }),
    ...(outcome.reward === undefined ? {} : { reward: outcome.reward }),
    counts: timeline.counts,
    steps,
    edits: timeline.edits.length,
    samples: steps === 0 ? 0 : 1 + new Set(timeline.edits.map(({ step }) => step)).size,
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
    edits: timeline.edits.map(({ step, kind, raws, stub }) => ({
      step,
      kind,
      msgIds: [...new Set(raws.flatMap((raw) => holders.get(raw)?.msgId ?? []))],
      ...(stub === undefined ? {} : { stub }),
    })),
    outcome,
    metrics,
    gaps: [...draft.gaps, ...gaps].map(({ at, ...gap }) => {
      const holder = at === undefined ? undefined : holders.get(at);
      if (holder === undefined) return gap;
      const step = holder.bornAtStep < 0 ? {} : { step: holder.bornAtStep };
      return { ...gap, ...step, msgId: holder.msgId };
    }),
  };
}

function cutOff(items: HistoryItem[], reason: string): void {
  const last = items.findLast((item) => item.origin === 'policy');
  if (last?.origin === 'policy') last.unfinished = reason;
}

/** The message each item became part of. */
function holdersOf(messages: readonly Message[]): Map<string, Message> {
  const holders = new Map<string, Message>();
  for (const message of messages) for (const raw of message.raw) holders.set(raw, message);
  return holders;
}

/** Responses name a function tool itself, chat completions under `function`; a provider's own tool is its type. */
function toolSpecs(tools: readonly unknown[]): ToolSpec[] {
  return tools.flatMap((tool) => {
    const spec = at(tool, 'function') ?? tool;
    const name = stringAt(spec, 'name') ?? stringAt(tool, 'type');
    if (name === undefined) return [];
    const description = stringAt(spec, 'description');
    const parameters = at(spec, 'parameters') ?? undefined;
    return [
      {
        name,
        ...(description === undefined ? {} : { description }),
        ...(parameters === undefined ? {} : { parameters: bounded(parameters) }),
      },
    ];
  });
}

/** The tools of a request; an environment that brings its own lists them in the response. */
export function toolsOf(params: unknown, response: unknown): readonly unknown[] {
  const asked = arrayAt(params, 'tools') ?? [];
  return asked.length > 0 ? asked : (arrayAt(response, 'tools') ?? []);
}
