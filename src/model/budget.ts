import type { Episode, Message, Role } from './episode';
import { historyOf } from './history';
import { roles } from './roles';
import { viewAt } from './view';

/** What fills the context at one step, in the unit of the measure it was made with. */
export interface Budget {
  byRole: Record<Role, number>;
  /** Taken up by stubs. */
  stubs: number;
  total: number;
  /** The total if nothing had been deleted or compacted. */
  withoutEdits: number;
}

/** How large a message is, and how large what a deletion leaves of it. */
export interface Measure {
  message(message: Message): number;
  stub(message: Message): number;
}

/**
 * The context budget at every step. `budgets(episode, measure)[k]` measures exactly `viewAt(episode, k)`.
 * O(messages + steps), unless the history branches: then every step has its own path and is measured alone.
 */
export function budgets(episode: Episode, measure: Measure): Budget[] {
  const summaries = new Set(episode.edits.map((edit) => edit.summary));
  return historyOf(episode).branches
    ? byView(episode, measure, summaries)
    : bySum(episode, measure, summaries);
}

type Summaries = ReadonlySet<number | undefined>;

function byView(episode: Episode, measure: Measure, summaries: Summaries): Budget[] {
  return episode.steps.map((_, step) => {
    const budget = emptyBudget();
    for (const { state, message } of viewAt(episode, step)) {
      const size = measure.message(message);
      if (state === 'verbatim') addMessage(budget, message.role, size);
      if (state === 'stub') addStub(budget, measure.stub(message));
      if (!summaries.has(message.msgId)) budget.withoutEdits += size;
    }
    return budget;
  });
}

/** Every message adds itself after its birth and takes itself out again when an edit does: changes, then their sums. */
function bySum(episode: Episode, measure: Measure, summaries: Summaries): Budget[] {
  const { editsOf } = historyOf(episode);
  const changes = episode.steps.map(emptyBudget);
  const elsewhere = emptyBudget();
  const after = (step: number): Budget => changes[step + 1] ?? elsewhere;

  for (const message of episode.messages) {
    const { stubbed, removed } = editsOf.get(message.msgId) ?? {};
    const size = measure.message(message);
    addMessage(after(message.bornAtStep), message.role, size);
    if (!summaries.has(message.msgId)) after(message.bornAtStep).withoutEdits += size;

    const left = Math.min(stubbed?.step ?? Infinity, removed?.step ?? Infinity);
    addMessage(after(left), message.role, -size);
    if (stubbed !== undefined && left === stubbed.step) {
      const stub = measure.stub(message);
      addStub(after(stubbed.step), stub);
      addStub(after(removed?.step ?? Infinity), -stub);
    }
  }

  const running = emptyBudget();
  return changes.map((change) => {
    for (const role of roles) running.byRole[role] += change.byRole[role];
    running.stubs += change.stubs;
    running.total += change.total;
    running.withoutEdits += change.withoutEdits;
    return { ...running, byRole: { ...running.byRole } };
  });
}

function emptyBudget(): Budget {
  return {
    byRole: { system: 0, developer: 0, user: 0, assistant: 0, tool: 0 },
    stubs: 0,
    total: 0,
    withoutEdits: 0,
  };
}

function addMessage(budget: Budget, role: Role, size: number): void {
  budget.byRole[role] += size;
  budget.total += size;
}

function addStub(budget: Budget, size: number): void {
  budget.stubs += size;
  budget.total += size;
}
