import {
  historyFrom,
  noCounts,
  type ContextEdit,
  type Counts,
  type Gap,
  type HistoryItem,
  type Message,
  type Step,
  type StepTokens,
} from '../../model';
import { gapsIn, many, noTokenIds, type PlacedGap } from '../gaps';

/** Events left out of the context from one point on, and what stands for them. */
interface Forgotten {
  ids: ReadonlySet<string>;
  /** Model calls made before. */
  calls: number;
  /** The item that tells of it. */
  summary?: string;
}

/** What OpenHands' events tell, whatever their version: a history while it grows. */
export class Story {
  readonly items: HistoryItem[] = [];
  readonly counts: Counts = noCounts();
  /** As the source lists them. */
  tools: readonly unknown[] = [];
  model?: string;
  termination?: string;
  error?: string;
  /** Entries of the list that are no events. */
  unknown = 0;
  readonly #forgotten: Forgotten[] = [];
  /** The event that an item was made of. */
  readonly #events = new Map<string, string>();
  #calls = 0;

  /** What a model call emitted; `isMore`: further calls of the same response. */
  emit(
    parts: HistoryItem['parts'],
    raw: string,
    event: string,
    { isMore = false, unfinished = '' } = {},
  ): void {
    const starts = !isMore || this.#calls === 0;
    if (starts) this.#calls += 1;
    this.#events.set(raw, event);
    this.items.push({
      role: 'assistant',
      origin: 'policy',
      parts,
      raw,
      startsStep: starts,
      ...(unfinished === '' ? {} : { unfinished }),
    });
  }

  /** What anyone else said. */
  tell(item: Omit<HistoryItem, 'origin'>, event: string): void {
    this.#events.set(item.raw, event);
    const { role, roleLabel, parts, toolResultFor, toolName, raw } = item;
    this.items.push({
      role,
      ...(roleLabel === undefined ? {} : { roleLabel }),
      parts,
      ...(toolResultFor === undefined ? {} : { toolResultFor }),
      ...(toolName === undefined ? {} : { toolName }),
      raw,
      origin: this.#calls === 0 ? 'prompt' : 'environment',
    });
  }

  /** Token ids come after what they are the tokens of. */
  addTokens(tokens: StepTokens): void {
    const last = this.items.findLast((item) => item.origin === 'policy');
    if (last?.origin === 'policy' && last.tokens === undefined) last.tokens = tokens;
  }

  forget(ids: ReadonlySet<string>, summary: string | undefined, raw: string, event: string): void {
    if (summary !== undefined && summary !== '') {
      this.tell({ role: 'user', roleLabel: 'summary', parts: [{ kind: 'text', text: summary }], raw }, event);
      this.#forgotten.push({ ids, calls: this.#calls, summary: raw });
    } else this.#forgotten.push({ ids, calls: this.#calls });
  }

  told(): { messages: Message[]; steps: Step[]; edits: ContextEdit[]; gaps: Gap[] } {
    const { messages, steps } = historyFrom(this.items);
    const edits = this.#editsIn(messages);
    return { messages, steps, edits, gaps: gapsIn(messages, this.#gaps(steps, edits.length)) };
  }

  #editsIn(messages: readonly Message[]): ContextEdit[] {
    if (this.#forgotten.length === 0) return [];
    const eventOf = ({ raw }: Message): string => this.#events.get(raw[0] ?? '') ?? '';
    return this.#forgotten.flatMap(({ ids, calls, summary }) => {
      const step = calls - 1;
      const gone = messages.filter((message) => message.bornAtStep <= step && ids.has(eventOf(message)));
      if (step < 0 || gone.length === 0) return [];
      const standIn = summary === undefined ? undefined : messages.find(({ raw }) => raw.includes(summary));
      return [
        {
          step,
          kind: 'compact' as const,
          msgIds: gone.map(({ msgId }) => msgId),
          ...(standIn === undefined ? {} : { summary: standIn.msgId }),
        },
      ];
    });
  }

  #gaps(steps: readonly Step[], edits: number): PlacedGap[] {
    const gaps: PlacedGap[] = [];
    if (this.unknown > 0) {
      gaps.push({
        about: 'messages',
        reason: `The list of events holds ${many(this.unknown, 'entry', 'entries')} that no version of OpenHands writes: shown in the raw record only.`,
      });
    }
    if (edits > 0) {
      gaps.push({
        about: 'views',
        reason:
          'Summaries of what was forgotten stand in the history where they were made; OpenHands puts them in the place of what they sum up.',
      });
    }
    if (steps.length > 0 && steps.every(({ tokens }) => tokens === undefined)) gaps.push(noTokenIds);
    gaps.push({ about: 'timing', reason: 'When events happened is shown in the raw record only.' });
    return gaps;
  }
}
