import {
  answersIn,
  type ContextEdit,
  type Episode,
  type Message,
  type Part,
  type ToolCall,
} from '../../../model';
import { shortName } from '../fold';
import type { ContextMeasure } from '../measure';
import { shortCount } from '../numbers';
import { counted } from '../../words/format';
import type { Appearance } from './rows';

/** What stands left of a message. */
export interface GutterWords {
  role: string;
  /** `id 4 · 1,884 ch` */
  facts: string;
  title: string;
}

export function gutterWords(
  message: Message,
  state: Appearance['state'],
  measure: ContextMeasure,
): GutterWords {
  const size = state === 'stub' ? measure.stub(message) : measure.message(message);
  const other =
    message.sourceMsgId === undefined ? '' : `The source calls it message ${message.sourceMsgId}. `;
  const spelled =
    message.roleLabel === undefined ? '' : `Spelled “${shortName(message.roleLabel)}” in the source. `;
  return {
    role: shortName(message.roleLabel ?? message.role, 40),
    facts: `id ${message.msgId} · ${measure.about}${shortCount(size)} ${measure.short}`,
    title: `${spelled}${other}Message ${message.msgId}, ${counted(size, measure.one, measure.unit)}, ${measure.how}`,
  };
}

/** The name that scripts and screen readers know a message by. */
export function articleName({ role, msgId }: Message): string {
  return `${role}, message ${msgId}`;
}

/** `deleted by message 7 at step 4 · 1,884 characters freed` */
export function ghostWords(
  edit: ContextEdit | undefined,
  messages: readonly Message[],
  measure: ContextMeasure,
): string {
  // In a history that branches a message can be missing without any edit.
  if (edit === undefined) return 'not on the way to this call';
  const did = edit.kind === 'delete' ? 'deleted' : 'compacted';
  const by = edit.by === undefined ? '' : ` by message ${edit.by}`;
  const summary = edit.summary === undefined ? '' : ` · summed up in message ${edit.summary}`;
  const freed = messages.reduce(
    (sum, message) => sum + measure.message(message) - (edit.kind === 'delete' ? measure.stub(message) : 0),
    0,
  );
  const gain =
    freed > 0
      ? `${measure.about}${counted(freed, measure.one, measure.unit)} freed`
      : `nothing freed: the stub is no shorter`;
  return `${did}${by} at step ${edit.step} · ${gain}${summary}`;
}

/** `3 messages compacted at step 5 ...` for a folded run. */
export function goneWords(edit: ContextEdit, messages: readonly Message[], measure: ContextMeasure): string {
  return `${counted(messages.length, 'message')} ${ghostWords(edit, messages, measure)}`;
}

/** What became of a call. */
export type CallFate =
  { kind: 'answered'; by: readonly Message[] } | { kind: 'unanswered'; why: string | undefined };

export function fateOf(episode: Episode, call: ToolCall): CallFate {
  const by = answersIn(episode).resultsOf.get(call);
  if (by !== undefined) return { kind: 'answered', by };
  return { kind: 'unanswered', why: episode.gaps.find((gap) => gap.about === 'results')?.reason };
}

/** What a tool message answers: the calls that are there, and the ids of those that are not. */
export interface Answered {
  calls: { name: string; msgId: number; callId: string }[];
  unknown: string[];
}

export function answeredBy(episode: Episode, message: Message): Answered {
  const found = answersIn(episode).answeredBy.get(message) ?? [];
  const answered: Answered = { calls: [], unknown: [] };
  message.toolResultFor?.forEach((callId, nth) => {
    const called = found[nth];
    if (called === undefined) answered.unknown.push(callId);
    else answered.calls.push({ name: called.call.name, msgId: called.message.msgId, callId });
  });
  return answered;
}

type Reasoning = Extract<Part, { kind: 'reasoning' }>;

/** Which reasoning it is, and what that means. */
export function reasoningWords({ form }: Reasoning): { label: string; title: string; derived: boolean } {
  switch (form) {
    case 'full':
      return { label: 'reasoning', title: 'As the model wrote it.', derived: false };
    case 'summary':
      return {
        label: 'reasoning, summary',
        title: "The provider's digest, not the thoughts themselves.",
        derived: false,
      };
    case 'inline':
      return { label: 'reasoning, inline', title: 'Cut out of the <think> tags of the text.', derived: true };
  }
}

/** A call as JSON that can be pasted: the arguments stay as they were written where they are JSON. */
export function callJson(call: ToolCall, isJson: boolean): string {
  const args = isJson ? call.arguments : JSON.stringify(call.arguments);
  return `{"name": ${JSON.stringify(call.name)}, "arguments": ${args}}`;
}

/** Why something of this message, or of the step, is not there. */
export function gapsOf({ gaps }: Episode, { msgId }: Message): string[] {
  return gaps.flatMap((gap) => (gap.msgId === msgId ? [gap.reason] : []));
}
