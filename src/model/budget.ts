import type { Episode, Message, Role } from './episode';
import { historyOf } from './history';
import { viewAt } from './view';

/** What fills the context at one step, in the unit of the measure it was made with. */
export interface Budget {
  byRole: Record<Role, number>;
  /** Taken up by stubs. */
  stubs: number;
  total: number;
  /** The total if nothing had been deleted. */
  withoutEdits: number;
}

/** How large a message is, and how large what a deletion leaves of it. */
export interface Measure {
  message(message: Message): number;
  stub(message: Message): number;
}

/**
 * The context budget at every step, in one pass: O(messages + edits + steps).
 * `budgets(episode, measure)[k]` measures exactly `viewAt(episode, k)`.
 */
export function budgets(episode: Episode, measure: Measure): Budget[] {
  const { bornBefore, branches, byId } = historyOf(episode);
  if (branches) return episode.steps.map((_, step) => budgetOfView(episode, step, measure));

  const result: Budget[] = [];
  const running = emptyBudget();
  const state = new Map<number, 'stub' | 'removed'>();
  let nextMessage = 0;
  let nextEdit = 0;
  for (let step = 0; step < episode.steps.length; step++) {
    for (; nextMessage < (bornBefore[step] ?? 0); nextMessage++) {
      const message = episode.messages[nextMessage];
      if (message !== undefined) add(running, message, measure.message(message));
    }
    for (; (episode.edits[nextEdit]?.step ?? Infinity) < step; nextEdit++) {
      const edit = episode.edits[nextEdit];
      for (const msgId of edit?.msgIds ?? []) {
        const message = byId.get(msgId);
        const was = state.get(msgId);
        if (message === undefined || message.bornAtStep > (edit?.step ?? 0)) continue;
        if (was === 'removed' || (was === 'stub' && edit?.kind === 'delete')) continue;
        if (was === 'stub') take(running, 'stubs', measure.stub(message));
        else take(running, message.role, measure.message(message));
        if (edit?.kind === 'delete') {
          running.stubs += measure.stub(message);
          running.total += measure.stub(message);
          state.set(msgId, 'stub');
        } else state.set(msgId, 'removed');
      }
    }
    result.push({ ...running, byRole: { ...running.byRole } });
  }
  return result;
}

function budgetOfView(episode: Episode, step: number, measure: Measure): Budget {
  const budget = emptyBudget();
  for (const { state, message } of viewAt(episode, step)) {
    if (state === 'verbatim') add(budget, message, measure.message(message));
    else {
      budget.withoutEdits += measure.message(message);
      if (state === 'stub') {
        budget.stubs += measure.stub(message);
        budget.total += measure.stub(message);
      }
    }
  }
  return budget;
}

function emptyBudget(): Budget {
  return {
    byRole: { system: 0, developer: 0, user: 0, assistant: 0, tool: 0 },
    stubs: 0,
    total: 0,
    withoutEdits: 0,
  };
}

function add(budget: Budget, message: Message, size: number): void {
  budget.byRole[message.role] += size;
  budget.total += size;
  budget.withoutEdits += size;
}

function take(budget: Budget, from: Role | 'stubs', size: number): void {
  if (from === 'stubs') budget.stubs -= size;
  else budget.byRole[from] -= size;
  budget.total -= size;
}
