import {
  arrayAt,
  at,
  numberAt,
  stringAt,
  type ContextEdit,
  type HistoryItem,
  type Message,
} from '../../model';
import { jsonText } from '../bounded';
import type { Beside, SourceRecord } from '../format';
import { holdersOf, type PlacedGap } from '../gaps';
import { JsonAt } from '../json-at';
import { fileName, isSameRun, partName, questionsName } from './files';
import { readSteps, type ReadSteps } from './steps';
import { trajectoriesOf, type Trajectory } from './trajectories';

/** A run as far as its files are there: what happened, and where its context was replaced by a summary. */
export interface ReadRun {
  items: HistoryItem[];
  compactions: Compacted[];
  gaps: PlacedGap[];
}

interface Compacted {
  /** The last item that was there before. */
  after: string;
  /** Items that were taken out of the context. */
  gone: string[];
  summary?: string;
}

/** Stands before the pointers of items that are of another file. */
const elsewhere = '\0';

/**
 * The steps of a trajectory, after those of the files it goes on from: what it copied from them is what a compaction left
 * of their context and put there. In one file a step says that there was one; what came before it is gone then, but
 * the prompt.
 */
export function readRun(record: SourceRecord, trajectory: Trajectory, beside: Beside | undefined): ReadRun {
  const run = new RunReader(trajectory.value, beside);
  const earlier = trajectory.parent === undefined ? earlierParts(trajectory.value, beside) : [];
  for (const [nth, { name, record: part }] of earlier.entries()) {
    const [root] = trajectoriesOf(part.value);
    if (root === undefined) continue;
    const read = readSteps(root, new JsonAt(part.text).at(...root.path), {
      prefix: `${elsewhere}${name}`,
      goesOn: nth > 0,
    });
    const before = run.steps;
    run.add(read, nth > 0);
    if (run.steps > before) run.gaps.push(readFrom(name, before, run.steps - 1));
  }
  const goesOn = run.steps > 0;
  const json = new JsonAt(record.text).at(...trajectory.path);
  run.add(readSteps(trajectory, json, { goesOn }), goesOn);
  if (!goesOn) run.gaps.push(...missingPart(trajectory, beside));
  return { items: run.items, compactions: run.compactions, gaps: run.gaps };
}

class RunReader {
  readonly items: HistoryItem[] = [];
  readonly compactions: Compacted[] = [];
  readonly gaps: PlacedGap[] = [];
  readonly #value: unknown;
  readonly #beside: Beside | undefined;
  /** What the next model call would see. */
  #context: HistoryItem[] = [];

  constructor(value: unknown, beside: Beside | undefined) {
    this.#value = value;
    this.#beside = beside;
  }

  get steps(): number {
    return this.items.filter(({ origin }) => origin === 'policy').length;
  }

  add({ items, copied, compactions, gaps }: ReadSteps, goesOn: boolean): void {
    this.gaps.push(...gaps.filter(({ reason }) => !this.gaps.some((gap) => gap.reason === reason)));
    let next = 0;
    if (goesOn && copied > 0) {
      const given = items.slice(0, copied);
      const kept = this.#stillIn(given);
      this.#compact(kept, given.slice(kept.length));
      next = copied;
    }
    for (const { from, to, nth } of compactions) {
      // What came of it stands in another file.
      if (to === items.length) break;
      this.#append(items.slice(next, nth === undefined ? from : to));
      const prompt = this.#context.filter(({ origin }) => origin === 'prompt');
      const told = nth === undefined ? items.slice(from, to) : this.#questions(nth, items[from]?.raw);
      const handoff = items[to];
      this.#compact(prompt, told, handoff?.origin === 'environment' ? handoff.raw : undefined);
      next = to;
    }
    this.#append(items.slice(next));
  }

  #append(items: readonly HistoryItem[]): void {
    for (const item of items) {
      this.items.push(item);
      this.#context.push(item);
    }
  }

  /** The beginning of the copied items that stood in the context before, in the same order. */
  #stillIn(copied: readonly HistoryItem[]): HistoryItem[] {
    const kept: HistoryItem[] = [];
    for (const item of this.#context) {
      const next = copied[kept.length];
      if (next !== undefined && wordsOf(next) === wordsOf(item)) kept.push(item);
    }
    return kept;
  }

  #compact(kept: readonly HistoryItem[], added: readonly HistoryItem[], handoff?: string): void {
    const left = new Set(kept);
    const gone = this.#context.filter((item) => !left.has(item)).map(({ raw }) => raw);
    const after = this.items.at(-1)?.raw;
    const summary = added[0]?.raw ?? handoff;
    this.#context = [...kept];
    this.#append(added);
    if (after === undefined || gone.length === 0) return;
    this.compactions.push({ after, gone, ...(summary === undefined ? {} : { summary }) });
  }

  /** What the agent that goes on was told and asked, which stands in a file of its own. */
  #questions(nth: number, raw: string | undefined): HistoryItem[] {
    const name = questionsName(fileName(this.#beside?.name ?? 'trajectory.json').stem, nth);
    const record = this.#beside?.records.get(name);
    const [root] = record === undefined ? [] : trajectoriesOf(record.value);
    if (record === undefined || root === undefined || !isSameRun(this.#value, root.value)) {
      this.gaps.push({
        about: 'views',
        ...(raw === undefined ? {} : { at: raw }),
        reason: `The summary that the agent went on from, and what it asked about it, stand in ${name}: open it together with this file to see them.`,
      });
      return [];
    }
    const read = readSteps(root, new JsonAt(record.text).at(...root.path), {
      prefix: `${elsewhere}${name}`,
      goesOn: true,
    });
    // It asked in a context of its own: here its words are given.
    return read.items.slice(read.copied).map(({ role, parts, raw: own }) => {
      return { role, parts, raw: own, origin: 'environment' };
    });
  }
}

function readFrom(name: string, first: number, last: number): PlacedGap {
  const which = first === last ? `Step ${first} is` : `Steps ${first} to ${last} are`;
  return { about: 'messages', reason: `${which} read from ${name}, which is open beside this file.` };
}

/** The files that a trajectory goes on from, the first of the run first, without gaps between them. */
function earlierParts(value: unknown, beside: Beside | undefined): { name: string; record: SourceRecord }[] {
  if (beside === undefined) return [];
  const { stem, part = 0 } = fileName(beside.name);
  const found: { name: string; record: SourceRecord }[] = [];
  for (let nth = part - 1; nth >= 0; nth--) {
    const name = partName(stem, nth);
    const record = beside.records.get(name);
    if (record === undefined || !leadsTo(record.value, value, nth + 1)) break;
    found.unshift({ name, record });
  }
  return found;
}

/** A trajectory that says where it goes on says so by the name its writer gave: `trajectory.cont-2.json`. */
function leadsTo(value: unknown, later: unknown, part: number): boolean {
  const [root] = trajectoriesOf(value);
  if (!isSameRun(root?.value, later)) return false;
  const ref = stringAt(root?.value, 'continued_trajectory_ref');
  return ref === undefined || fileName(ref.slice(ref.lastIndexOf('/') + 1)).part === part;
}

function missingPart({ value, parent }: Trajectory, beside: Beside | undefined): PlacedGap[] {
  const index = numberAt(at(at(value, 'agent'), 'extra'), 'continuation_index');
  const isCopied = arrayAt(value, 'steps')?.some((step) => at(step, 'is_copied_context') === true) === true;
  const own = beside === undefined ? undefined : fileName(beside.name);
  const part = (own?.part ?? 0) > 0 ? own?.part : index;
  if (part === undefined || part < 1 || !isCopied || parent !== undefined) return [];
  const name = partName(own?.stem ?? 'trajectory', part - 1);
  return [
    {
      about: 'views',
      reason: `This trajectory goes on from ${name}, after a compaction: open both together to see what was taken out of the context.`,
    },
  ];
}

/** Copies are of what was said: without reasoning, and without the numbers of the call. */
function wordsOf({ role, parts }: HistoryItem): string {
  const words = parts.map((part) => {
    if (part.kind === 'text') return part.text;
    if (part.kind === 'call') return part.call.callId;
    return part.kind === 'reasoning' ? '' : jsonText(part);
  });
  return `${role} ${words.join('')}`;
}

export function editsOf(messages: readonly Message[], { compactions }: ReadRun): ContextEdit[] {
  const holders = holdersOf(messages);
  return compactions.flatMap(({ after, gone, summary }): ContextEdit[] => {
    const step = holders.get(after)?.bornAtStep ?? -1;
    const msgIds = new Set(gone.flatMap((raw) => holders.get(raw)?.msgId ?? []));
    const stands = summary === undefined ? undefined : holders.get(summary)?.msgId;
    if (step < 0 || msgIds.size === 0) return [];
    return [
      { step, kind: 'compact', msgIds: [...msgIds], ...(stands === undefined ? {} : { summary: stands }) },
    ];
  });
}

/** Messages of other files stand nowhere in the record. */
export function inRecord(messages: readonly Message[]): Message[] {
  return messages.map((message) => {
    const raw = message.raw.filter((each) => !each.startsWith(elsewhere));
    return raw.length === message.raw.length ? message : { ...message, raw };
  });
}
