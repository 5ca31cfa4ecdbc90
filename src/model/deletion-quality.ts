import { answersIn } from './answers';
import type { Episode, Message, Truth } from './episode';
import { historyOf } from './history';
import { stubTexts } from './stub-text';
import { messageSize, messageText } from './text';
import { tokenRate } from './token-rate';
import { viewAt } from './view';

/** How well an episode's deletions and compactions served it. */
export interface DeletionQuality {
  /** Messages that were taken out of the context, each counted once. */
  deleted: number;
  /** Tokens that this made room for. */
  freed: number;
  freedTruth: Truth;
  /** From the step that brought a tool result to the one that deleted it, on average; undefined where none was. */
  stepsToDelete?: number;
  /** Deleted tool results that came, or were asked for, again after they had gone. */
  readAgain: number;
  /**
   * The fewest messages whose deletion would have kept the context within its limit, where it ran over: the deletes
   * that were needed and did not happen. 0 where it stayed within; undefined where no limit is known.
   */
  missed?: number;
}

/** Shorter answers (`ok`, `{"status": "success"}`) come again by nature. */
const SHORTEST_CONTENT = 32;

export function deletionQuality(episode: Episode): DeletionQuality {
  const { editsOf, byId } = historyOf(episode);
  const gone: { message: Message; step: number }[] = [];
  for (const [msgId, { stubbed, removed }] of editsOf) {
    const message = byId.get(msgId);
    const step = Math.min(stubbed?.step ?? Infinity, removed?.step ?? Infinity);
    // The context of a user or the system stays, whatever a StateLM loop was asked.
    if (message === undefined || (episode.statelm !== undefined && !isDeletable(message))) continue;
    gone.push({ message, step });
  }
  const results = gone.filter(({ message }) => message.role === 'tool');
  const waits = results.map(({ message, step }) => step - message.bornAtStep);
  const missed = missedDeletes(episode);
  return {
    deleted: gone.length,
    ...freedBy(episode, gone),
    ...(waits.length === 0
      ? {}
      : { stepsToDelete: waits.reduce((sum, wait) => sum + wait, 0) / waits.length }),
    readAgain: countReadAgain(episode, results),
    ...(missed === undefined ? {} : { missed }),
  };
}

function freedBy(
  episode: Episode,
  gone: readonly { message: Message }[],
): Pick<DeletionQuality, 'freed' | 'freedTruth'> {
  const recorded = episode.edits.map(({ tokensBefore, tokensAfter }) =>
    tokensBefore === undefined || tokensAfter === undefined ? undefined : tokensBefore - tokensAfter,
  );
  if (recorded.length > 0 && recorded.every((freed) => freed !== undefined)) {
    return { freed: recorded.reduce((sum, freed) => sum + freed, 0), freedTruth: 'recorded' };
  }
  const rate = tokenRate(episode);
  const stubs = stubTexts(episode);
  const { editsOf } = historyOf(episode);
  let characters = 0;
  for (const { message } of gone) {
    const { stubbed, removed } = editsOf.get(message.msgId) ?? {};
    const leavesStub = stubbed !== undefined && (removed === undefined || stubbed.step < removed.step);
    // A short message can grow by its own deletion.
    characters += messageSize(message) - (leavesStub ? stubs(message).length : 0);
  }
  return { freed: Math.round(characters * rate.perCharacter), freedTruth: rate.truth };
}

/** A result comes again when a later one has its text, or answers the same call. */
function countReadAgain(episode: Episode, results: readonly { message: Message; step: number }[]): number {
  if (results.length === 0) return 0;
  const lastWithText = new Map<string, number>();
  const lastCalled = new Map<string, number>();
  const { answeredBy } = answersIn(episode);
  const editing = new Set(episode.edits.map(({ by }) => by));
  const callsOf = (message: Message): string[] =>
    (answeredBy.get(message) ?? []).flatMap((called) => {
      // A call without arguments asks for whatever there is now: nothing says that it is the same.
      if (called === undefined || editing.has(called.message.msgId)) return [];
      const args = called.call.arguments.replaceAll(/\s+/g, '');
      return args === '' || args === '{}' ? [] : [`${called.call.name} ${args}`];
    });
  for (const message of episode.messages) {
    if (message.role !== 'tool') continue;
    lastWithText.set(messageText(message), message.bornAtStep);
    for (const call of callsOf(message)) lastCalled.set(call, message.bornAtStep);
  }
  return results.filter(({ message, step }) => {
    const text = messageText(message);
    if (text.length < SHORTEST_CONTENT) return false;
    const asked = callsOf(message).some((call) => (lastCalled.get(call) ?? -1) > step);
    return asked || (lastWithText.get(text) ?? -1) > step;
  }).length;
}

function missedDeletes(episode: Episode): number | undefined {
  const over = overflowOf(episode);
  if (over === undefined) return undefined;
  if (over.tokens <= 0) return 0;
  const { perCharacter } = tokenRate(episode);
  const stubs = stubTexts(episode);
  const savings = viewAt(episode, over.step)
    .flatMap(({ state, message }) =>
      state === 'verbatim' && isDeletable(message)
        ? [(messageSize(message) - stubs(message).length) * perCharacter]
        : [],
    )
    .filter((saving) => saving > 0)
    .sort((a, b) => b - a);
  let missing = over.tokens;
  let count = 0;
  while (missing > 0 && count < savings.length) missing -= savings[count++] ?? 0;
  return count;
}

function isDeletable({ role }: Message): boolean {
  return role === 'assistant' || role === 'tool';
}

/** A context and by how many tokens it was too long; no more than 0 where it fitted. */
export interface Overflow {
  /** Past the last step where the loop ended instead of calling. */
  step: number;
  tokens: number;
}

/**
 * The worst moment of an episode's context against its limit: the call with the longest prompt, or the context that
 * the loop refused to send. Undefined where the limit or the tokens are not known.
 */
export function overflowOf(episode: Episode): Overflow | undefined {
  const limit = episode.limits?.maxModelLength;
  if (limit === undefined) return undefined;
  let worst: Overflow | undefined;
  const consider = (step: number, length: number): void => {
    if (worst === undefined || length - limit > worst.tokens) worst = { step, tokens: length - limit };
  };
  for (const { index, tokens } of episode.steps) {
    if (tokens !== undefined) consider(index, tokens.promptIds.length + tokens.generationIds.length);
  }
  const final = episode.statelm?.finalIds;
  if (final !== undefined) {
    // A loop that protects its context keeps room for a whole response.
    const wanted = isRefused(episode) ? (episode.limits?.responseLength ?? 0) : 0;
    consider(episode.steps.length, final.length + wanted);
  }
  return worst;
}

/** Whether the loop ended the episode because the next prompt left no room for a response. */
export function isRefused({ outcome, metrics }: Episode): boolean {
  return outcome.termination === 'context_length_exceeded' || metrics['context_length_exceeded'] === true;
}
