import { answersIn } from './answers';
import type { Episode, Message, Role } from './episode';
import { historyOf } from './history';
import { roles } from './roles';
import { notesAt, notesBlock } from './statelm/notes';
import { renderedAt } from './statelm/render';
import { messageSize } from './text';
import { viewAt } from './view';

/** What fills the context at one step, in the unit of the measure it was made with. */
export interface Budget {
  byRole: Record<Role, number>;
  /** Of `byRole.tool`, the results of each tool that `budgetTools` names; the rest is other tools'. */
  byTool: number[];
  /** The notes block that StateLM's loop writes at the end of the first user message. */
  notes: number;
  /** Taken up by stubs. */
  stubs: number;
  /** Of a recorded total, what no message accounts for: the template, the descriptions of the tools. */
  rest: number;
  total: number;
  /** The total if nothing had been deleted or compacted. */
  withoutEdits: number;
}

/** How large a message is, how large what a deletion leaves of it, and how large any other text. */
export interface Measure {
  message(message: Message): number;
  stub(message: Message): number;
  text(text: string): number;
}

/**
 * The context budget at every step. `budgets(episode, measure)[k]` measures exactly `viewAt(episode, k)` and the notes
 * block of that moment. O(messages + steps), unless the history branches: then every step has its own path and is
 * measured alone.
 */
export function budgets(episode: Episode, measure: Measure): Budget[] {
  const summaries = new Set(episode.edits.map((edit) => edit.summary));
  const toolAt = toolIndex(episode);
  const all = historyOf(episode).branches
    ? byView(episode, measure, summaries, toolAt)
    : bySum(episode, measure, summaries, toolAt);
  addNotes(episode, measure, all);
  return all;
}

/** Tools told apart in a budget: those whose results are largest. More would not be told apart by anyone. */
const TOOLS = 4;

/** The tools that a budget tells apart, the largest first. */
export function budgetTools(episode: Episode): string[] {
  const known = toolsByEpisode.get(episode) ?? largestTools(episode);
  toolsByEpisode.set(episode, known);
  return known;
}

const toolsByEpisode = new WeakMap<Episode, string[]>();

function largestTools(episode: Episode): string[] {
  const sizes = new Map<string, number>();
  for (const message of episode.messages) {
    const name = toolOf(episode, message);
    if (name !== undefined) sizes.set(name, (sizes.get(name) ?? 0) + messageSize(message));
  }
  return [...sizes]
    .sort((a, b) => b[1] - a[1])
    .slice(0, TOOLS)
    .map(([name]) => name);
}

/** The tool whose result a message is, as far as the source says. */
export function toolOf(episode: Episode, message: Message): string | undefined {
  if (message.role !== 'tool') return undefined;
  return message.toolName ?? answersIn(episode).answeredBy.get(message)?.[0]?.call.name;
}

type ToolIndex = (message: Message) => number;

function toolIndex(episode: Episode): ToolIndex {
  const places = new Map(budgetTools(episode).map((name, index) => [name, index]));
  return (message) => places.get(toolOf(episode, message) ?? '') ?? -1;
}

type Summaries = ReadonlySet<number | undefined>;

function byView(episode: Episode, measure: Measure, summaries: Summaries, toolAt: ToolIndex): Budget[] {
  const tools = budgetTools(episode).length;
  return episode.steps.map((_, step) => {
    const budget = emptyBudget(tools);
    for (const { state, message } of viewAt(episode, step)) {
      const size = measure.message(message);
      if (state === 'verbatim') addMessage(budget, message.role, toolAt(message), size);
      if (state === 'stub') addStub(budget, measure.stub(message));
      if (!summaries.has(message.msgId)) budget.withoutEdits += size;
    }
    return budget;
  });
}

/** Every message adds itself after its birth and takes itself out again when an edit does: changes, then their sums. */
function bySum(episode: Episode, measure: Measure, summaries: Summaries, toolAt: ToolIndex): Budget[] {
  const { editsOf } = historyOf(episode);
  const tools = budgetTools(episode).length;
  const changes = episode.steps.map(() => emptyBudget(tools));
  const elsewhere = emptyBudget(tools);
  const after = (step: number): Budget => changes[step + 1] ?? elsewhere;

  for (const message of episode.messages) {
    const { stubbed, removed } = editsOf.get(message.msgId) ?? {};
    const size = measure.message(message);
    const tool = toolAt(message);
    addMessage(after(message.bornAtStep), message.role, tool, size);
    if (!summaries.has(message.msgId)) after(message.bornAtStep).withoutEdits += size;

    const left = Math.min(stubbed?.step ?? Infinity, removed?.step ?? Infinity);
    addMessage(after(left), message.role, tool, -size);
    if (stubbed !== undefined && left === stubbed.step) {
      const stub = measure.stub(message);
      addStub(after(stubbed.step), stub);
      addStub(after(removed?.step ?? Infinity), -stub);
    }
  }

  const running = emptyBudget(tools);
  return changes.map((change) => {
    for (const role of roles) running.byRole[role] += change.byRole[role];
    change.byTool.forEach((size, tool) => {
      running.byTool[tool] = (running.byTool[tool] ?? 0) + size;
    });
    running.stubs += change.stubs;
    running.total += change.total;
    running.withoutEdits += change.withoutEdits;
    return { ...running, byRole: { ...running.byRole }, byTool: [...running.byTool] };
  });
}

/** The block stands as the last render wrote it, whatever was noted since, and would without any deletion, too. */
function addNotes(episode: Episode, measure: Measure, all: readonly Budget[]): void {
  if (episode.statelm === undefined) return;
  const firstUser = episode.messages.find(({ role }) => role === 'user');
  let last = { edits: -1, size: 0 };
  for (const [step, budget] of all.entries()) {
    if (firstUser === undefined || firstUser.bornAtStep >= step) continue;
    const rendered = renderedAt(episode, step);
    const edits = countNoteEdits(episode, rendered, last.edits);
    if (edits !== last.edits) {
      const block = notesBlock(notesAt(episode, rendered), episode.statelm.notesBlock);
      last = { edits, size: measure.text(block) };
    }
    budget.notes = last.size;
    budget.total += last.size;
    budget.withoutEdits += last.size;
  }
}

/** How many changes of the notes came before a step; renders ascend, so the count goes on from the last. */
function countNoteEdits({ notes = [] }: Episode, step: number, from: number): number {
  let count = Math.max(from, 0);
  while ((notes[count]?.step ?? Infinity) < step) count += 1;
  return count;
}

/** Tokens in the context of each step's call, where the source has them. */
export function recordedTotals({ steps }: Episode): (number | undefined)[] {
  return steps.map(({ tokens }) => tokens?.promptIds.length);
}

/**
 * The budgets under totals that were recorded. What is more than the messages take is `rest`; where the messages were
 * measured as too large, all of them shrink alike.
 */
export function withTotals(
  measured: readonly Budget[],
  totals: readonly (number | undefined)[],
): readonly Budget[] {
  if (totals.every((total) => total === undefined)) return measured;
  return measured.map((budget, step) => {
    const total = totals[step];
    if (total === undefined || total === budget.total) return budget;
    if (total > budget.total) {
      const rest = total - budget.total;
      return { ...budget, rest, total, withoutEdits: budget.withoutEdits + rest };
    }
    const factor = total / budget.total;
    const { system, developer, user, assistant, tool } = budget.byRole;
    return {
      byRole: {
        system: system * factor,
        developer: developer * factor,
        user: user * factor,
        assistant: assistant * factor,
        tool: tool * factor,
      },
      byTool: budget.byTool.map((size) => size * factor),
      notes: budget.notes * factor,
      stubs: budget.stubs * factor,
      rest: 0,
      total,
      withoutEdits: budget.withoutEdits * factor,
    };
  });
}

function emptyBudget(tools: number): Budget {
  return {
    byRole: { system: 0, developer: 0, user: 0, assistant: 0, tool: 0 },
    byTool: Array.from({ length: tools }, () => 0),
    notes: 0,
    stubs: 0,
    rest: 0,
    total: 0,
    withoutEdits: 0,
  };
}

function addMessage(budget: Budget, role: Role, tool: number, size: number): void {
  budget.byRole[role] += size;
  budget.total += size;
  if (tool >= 0) budget.byTool[tool] = (budget.byTool[tool] ?? 0) + size;
}

function addStub(budget: Budget, size: number): void {
  budget.stubs += size;
  budget.total += size;
}
