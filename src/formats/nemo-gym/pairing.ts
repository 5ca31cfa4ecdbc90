import { stringAt } from '../../model';
import { answeredId, callIdOf, isByModel, type Entry } from './items';
import type { PlacedGap } from '../gaps';

/** Which calls a result answers, where that is not just the one it names; and what does not come in pairs. */
export interface Pairing {
  /** Call ids by the pointer of the result that several calls share. */
  shared: ReadonlyMap<string, string[]>;
  gaps: PlacedGap[];
}

/** A turn of the model, and what was answered before its next one. */
interface Round {
  calls: Entry[];
  results: Entry[];
}

/**
 * Pairs calls with results.
 *
 * Terminal agents run a batch of calls and record what the terminal showed once, under the first call's id. So a round
 * of several calls with exactly one result, which names the first of them, is one result for all: inferred, and said.
 */
export function pairResults(entries: readonly Entry[]): Pairing {
  const rounds = roundsOf(entries);
  const called = new Set(rounds.flatMap(({ calls }) => calls.map(callIdOf)));
  const answered = new Set(rounds.flatMap(({ results }) => results.map(answeredId)));
  const shared = new Map<string, string[]>();
  const inferred: PlacedGap[] = [];
  const missing: PlacedGap[] = [];
  const orphans: PlacedGap[] = [];

  for (const { calls, results } of rounds) {
    const ids = calls.map(callIdOf);
    const open = calls.filter((call) => !answered.has(callIdOf(call)));
    const [result] = results;
    const first = open[0];
    if (first !== undefined) {
      const isShared =
        results.length === 1 &&
        result !== undefined &&
        answeredId(result) === ids[0] &&
        open.length === calls.length - 1;
      if (isShared) {
        shared.set(result.raw, ids);
        inferred.push({
          about: 'results',
          at: result.raw,
          reason: `One result for ${ids.length} calls: it names only ${ids[0]}. That it answers the others too is inferred from the order.`,
        });
      } else {
        missing.push({
          about: 'results',
          at: first.raw,
          reason: `${namesOf(open)} ${open.length === 1 ? 'has' : 'have'} no result in this file.`,
        });
      }
    }
    for (const each of results) {
      const id = answeredId(each);
      if (id !== undefined && called.has(id)) continue;
      orphans.push({
        about: 'results',
        at: each.raw,
        reason:
          id === undefined
            ? 'This result does not say which call it answers.'
            : `This result answers ${id}, and no such call is in this file.`,
      });
    }
  }
  return {
    shared,
    gaps: [
      ...few(inferred, 'results are shared by several calls'),
      ...few(missing, 'turns have calls without a result'),
      ...few(orphans, 'results answer calls that are not in this file'),
    ],
  };
}

function roundsOf(entries: readonly Entry[]): Round[] {
  const rounds: Round[] = [];
  let round: Round | undefined;
  let isModelTurn = false;
  for (const entry of entries) {
    const byModel = isByModel(entry);
    if (round === undefined || entry.startsStep === true || (byModel && !isModelTurn)) {
      round = { calls: [], results: [] };
      rounds.push(round);
    }
    isModelTurn = byModel;
    if (entry.kind === 'call') round.calls.push(entry);
    if (entry.kind === 'result') round.results.push(entry);
  }
  return rounds;
}

function namesOf(calls: readonly Entry[]): string {
  const named = calls.slice(0, 4).map((call) => `${stringAt(call.item, 'name') ?? '?'} (${callIdOf(call)})`);
  const rest = calls.length - named.length;
  return rest === 0 ? named.join(', ') : `${named.join(', ')} and ${rest} more`;
}

/** A file that never records results would say so at every step: then once is enough. */
function few(gaps: PlacedGap[], what: string): PlacedGap[] {
  return gaps.length <= 20 ? gaps : [{ about: 'results', reason: `${gaps.length} ${what}.` }];
}
