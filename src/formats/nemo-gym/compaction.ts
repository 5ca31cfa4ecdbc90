import { arrayAt, at, numberAt, startsStep, stringAt } from '../../model';
import { plainText } from '../content';
import type { PlacedGap } from '../gaps';
import { namesOf, observations, type ModelCall, type Observation } from './calls';
import type { Entry } from './items';
import { itemWords } from './join';
import type { EntryEdit } from './snapshots';

/**
 * Compactions that the agent's harness reported:
 *
 *     { kind: 'context_compaction', before_model_call: { model_call_id }, after_model_call: { model_call_id },
 *       tokens_before: 7000, tokens_after: 900, outcome: 'completed', summary: 'So far …', first_kept_item_id: 'msg_7' }
 *
 * Which messages went is told by the first item that was kept, or by the request of the call after it; else all that came
 * after the request is taken to have gone, and that is said.
 */
export function compact(
  value: unknown,
  entries: readonly Entry[],
  begins: ReadonlyMap<ModelCall, string>,
  gaps: PlacedGap[],
): { entries: Entry[]; edits: EntryEdit[] } {
  let whole = [...entries];
  const edits: EntryEdit[] = [];
  const gone = new Set<string>();
  for (const { value: record, raw } of observations(value, 'context_compaction')) {
    const outcome = stringAt(record, 'outcome');
    if (outcome === 'failed' || outcome === 'aborted') continue;
    const steps = stepsOf(whole);
    const step = stepOf(record, whole, steps, begins);
    if (step === undefined) {
      gaps.push({
        about: 'views',
        reason: 'A compaction of the context is reported, and not at which step.',
      });
      continue;
    }
    const { raws, isGuess } = removed(record, whole, steps, step, [...begins.keys()]);
    const left = raws.filter((raw) => !gone.has(raw));
    if (left.length === 0) continue;
    left.forEach((raw) => gone.add(raw));
    if (isGuess) {
      gaps.push({
        about: 'views',
        reason:
          'Which messages a compaction took out of the context is not recorded: all that came after the request are shown as gone.',
      });
    }
    const summary = standsFor({ value: record, raw }, whole, steps, step);
    if (summary !== undefined) whole = summary.entries;
    const tokensBefore = numberAt(record, 'tokens_before');
    const tokensAfter = numberAt(record, 'tokens_after');
    edits.push({
      step,
      kind: 'compact',
      raws: left,
      ...(summary === undefined ? {} : { summary: summary.raw }),
      ...(tokensBefore === undefined ? {} : { tokensBefore }),
      ...(tokensAfter === undefined ? {} : { tokensAfter }),
    });
  }
  return { entries: whole, edits: edits.sort((a, b) => a.step - b.step) };
}

/** The step each entry is of; -1 before the first. */
function stepsOf(entries: readonly Entry[]): number[] {
  let steps = 0;
  return entries.map((entry, position) => {
    if (startsStep(entry, entries[position - 1]?.origin, steps)) steps += 1;
    return steps - 1;
  });
}

/** The last step before the compaction. */
function stepOf(
  record: unknown,
  entries: readonly Entry[],
  steps: readonly number[],
  begins: ReadonlyMap<ModelCall, string>,
): number | undefined {
  const calls = [...begins.keys()];
  const before = callNamed(at(record, 'before_model_call'), calls);
  const after = callNamed(at(record, 'after_model_call'), calls);
  const observedAt = numberAt(record, 'observed_at');
  const byTime =
    observedAt === undefined
      ? undefined
      : calls.findLast(({ completedAt }) => completedAt !== undefined && completedAt <= observedAt);
  const direct = stepBegun(before ?? byTime);
  const following = stepBegun(after);
  return direct ?? (following === undefined || following === 0 ? undefined : following - 1);

  function stepBegun(call: ModelCall | undefined): number | undefined {
    const raw = call === undefined ? undefined : begins.get(call);
    const position = entries.findIndex((entry) => entry.raw === raw);
    return position < 0 ? undefined : steps[position];
  }
}

function callNamed(reference: unknown, calls: readonly ModelCall[]): ModelCall | undefined {
  const names = namesOf(reference);
  return calls.find((call) => names.some((name) => call.names.has(name)));
}

function removed(
  record: unknown,
  entries: readonly Entry[],
  steps: readonly number[],
  step: number,
  calls: readonly ModelCall[],
): { raws: string[]; isGuess: boolean } {
  const before = entries.filter(({ origin }, nth) => origin !== 'prompt' && (steps[nth] ?? 0) <= step);
  const kept = stringAt(record, 'first_kept_item_id');
  const first = before.findIndex(
    ({ item }) => kept !== undefined && [stringAt(item, 'id'), stringAt(item, 'call_id')].includes(kept),
  );
  if (first >= 0) return { raws: before.slice(0, first).map(({ raw }) => raw), isGuess: false };
  const request = arrayAt(callNamed(at(record, 'after_model_call'), calls)?.request, 'input');
  if (request !== undefined) {
    const words = new Set(request.map(itemWords));
    return {
      raws: before.filter(({ item }) => !words.has(itemWords(item))).map(({ raw }) => raw),
      isGuess: false,
    };
  }
  return { raws: before.map(({ raw }) => raw), isGuess: true };
}

/** The message that holds the summary; where the response has none, one is put where it stood in the context. */
function standsFor(
  { value: record, raw: place }: Observation,
  entries: readonly Entry[],
  steps: readonly number[],
  step: number,
): { entries: Entry[]; raw: string } | undefined {
  const summary = stringAt(record, 'summary') ?? '';
  if (summary === '') return undefined;
  const end = steps.findLastIndex((each) => each <= step) + 1;
  const there = entries.find(
    ({ item }, position) => steps[position] === step && plainText(at(item, 'content')).includes(summary),
  );
  if (there !== undefined) return { entries: [...entries], raw: there.raw };
  const raw = `${place}/summary`;
  const entry: Entry = {
    item: { role: 'user', content: summary },
    kind: 'message',
    origin: 'environment',
    raw,
  };
  return { entries: [...entries.slice(0, end), entry, ...entries.slice(end)], raw };
}
