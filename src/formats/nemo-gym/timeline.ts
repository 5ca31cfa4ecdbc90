import { arrayAt, at, isObject, noCounts, startsStep, stringAt, type Counts, type Step } from '../../model';
import { outputEntry, promptEntry, type Entry, type ItemKind } from './items';
import { unroll, type EntryEdit, type Trouble } from './snapshots';
import { tokensOf } from './tokens';

/** Request and response as one list, in the order it happened. Items are not read further than needed to place them. */
export interface Timeline {
  entries: Entry[];
  edits: EntryEdit[];
  /** As the file has them: every item of every snapshot counts. */
  counts: Counts;
  /** Snapshots, where `output` is a list of them. */
  transitions?: number;
  troubles: ReadonlySet<Trouble>;
}

export function emptyTimeline(): Timeline {
  return { entries: [], edits: [], counts: noCounts(), troubles: new Set() };
}

/** `base`: JSON pointer to the object that holds both. `response` is left out where there is none. */
export function timelineOf(params: unknown, response: unknown, base = ''): Timeline {
  const counts = noCounts();
  const input = inputEntries(at(params, 'input'), `${base}/responses_create_params/input`);
  for (const { kind } of input) countInput(counts, kind);

  const output = outputOf(response);
  const at0 = `${base}/response/output`;
  for (const element of output) {
    const items: readonly unknown[] = Array.isArray(element) ? element : [element];
    for (const item of items) countOutput(counts, outputEntry(item, '').kind);
  }

  const instructions = stringAt(params, 'instructions');
  const system =
    instructions === undefined
      ? []
      : [
          promptEntry(
            { role: 'system', content: instructions },
            `${base}/responses_create_params/instructions`,
          ),
        ];
  if (output.some((element) => Array.isArray(element))) {
    const { entries, ...rest } = unroll(input, output, at0);
    return { entries: [...system, ...input, ...entries], counts, ...rest };
  }
  const made = output.map((item, position) => outputEntry(item, `${at0}/${position}`));
  return { entries: [...system, ...input, ...made], edits: [], counts, troubles: new Set() };
}

/** A string stands for one user message. What is neither string nor list is shown as it is. */
function inputEntries(input: unknown, base: string): Entry[] {
  if (Array.isArray(input)) {
    return input.map((item: unknown, position) => promptEntry(item, `${base}/${position}`));
  }
  if (input === null || input === undefined) return [];
  return [promptEntry(typeof input === 'string' ? { role: 'user', content: input } : input, base)];
}

function outputOf(response: unknown): readonly unknown[] {
  const text = stringAt(response, 'output');
  if (text !== undefined) return [{ role: 'assistant', content: text }];
  const output = at(response, 'output');
  return arrayAt(response, 'output') ?? (isObject(output) ? [output] : []);
}

/** One per model call, as `historyFrom` will find them, with the last tokens in it. */
export function stepsOf(entries: readonly Entry[]): Pick<Step, 'tokens'>[] {
  const steps: Pick<Step, 'tokens'>[] = [];
  entries.forEach((entry, position) => {
    if (entry.origin !== 'policy') return;
    if (startsStep(entry, entries[position - 1]?.origin, steps.length)) steps.push({});
    const tokens = tokensOf(entry.item) ?? entry.tokens;
    const step = steps.at(-1);
    if (step !== undefined && tokens !== undefined) step.tokens = tokens;
  });
  return steps;
}

function countOutput(counts: Counts, kind: ItemKind): void {
  if (kind === 'message') counts.messages++;
  else if (kind === 'call') counts.toolCalls++;
  else if (kind === 'result') counts.toolResults++;
  else if (kind === 'reasoning') counts.reasoning++;
}

function countInput(counts: Counts, kind: ItemKind): void {
  if (kind === 'message') counts.inputMessages++;
  else if (kind === 'call') counts.inputToolCalls++;
  else if (kind === 'result') counts.inputToolResults++;
  else if (kind === 'reasoning') counts.inputReasoning++;
}
