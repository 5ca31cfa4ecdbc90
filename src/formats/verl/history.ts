import type { Gap, Message, Origin, Part, Role, Step } from '../../model';
import { answersIn, policyParts, type PolicyParts } from './parts';
import { splitInput, splitOutput, type Turn } from './transcript';

export interface History {
  messages: Message[];
  steps: Step[];
  gaps: Gap[];
  /** Whether the prompt could be told apart by role. */
  isSplit: boolean;
  /** What the prompt's system and user said. */
  system: string;
  question: string;
}

/** Messages and steps out of both texts. Their `inferredFrom`, put together, is `input + output`. */
export function readTranscripts(input: string, output: string, environmentTurns: number): History {
  const { turns, cue, isSplit } = splitInput(input);
  const builder = new HistoryBuilder();
  for (const turn of turns) builder.add(turn, input, '/input', 'prompt');
  builder.cue(input.slice(cue));
  for (const turn of splitOutput(output, environmentTurns)) {
    builder.add(turn, output, '/output', turn.role === 'assistant' ? 'policy' : 'environment');
  }
  const said = (role: Turn['role']): string => {
    const turn = turns.find((each) => each.role === role);
    return turn === undefined ? '' : input.slice(...turn.content);
  };
  const { messages, steps, gaps } = builder;
  return { messages, steps, gaps, isSplit, system: isSplit ? said('system') : input, question: said('user') };
}

type Piece = Pick<Message, 'role' | 'parts' | 'toolResultFor' | 'toolName'> & { inferredFrom: string };

class HistoryBuilder {
  readonly messages: Message[] = [];
  readonly steps: Step[] = [];
  readonly gaps: Gap[] = [];
  #cue = '';
  /** Of the last turn of the policy: what an answer can be for. */
  #calls: PolicyParts['calls'] = [];

  /** Text of the template that stands before the policy's first turn, and belongs to it. */
  cue(text: string): void {
    this.#cue = text;
  }

  add(turn: Turn, text: string, raw: string, origin: Origin): void {
    if (origin === 'policy') this.steps.push({ index: this.steps.length });
    const pieces = this.#pieces(turn, text);
    for (const piece of pieces) this.#push(piece, raw, origin);
  }

  #push(piece: Piece, pointer: string, origin: Origin): void {
    const raw = this.#cue === '' ? [pointer] : ['/input', pointer];
    this.messages.push({
      msgId: this.messages.length,
      ...piece,
      origin,
      bornAtStep: this.steps.length - 1,
      raw,
      inferredFrom: this.#cue + piece.inferredFrom,
    });
    this.#cue = '';
  }

  #pieces({ role, whole, content }: Turn, text: string): Piece[] {
    const inferredFrom = text.slice(...whole);
    const said = text.slice(...content);
    if (role === 'assistant') return [{ role, parts: this.#policyParts(said), inferredFrom }];

    const answers = role === 'system' ? [] : answersIn(said);
    if (answers.length === 0 && role !== 'tool') return [{ role, parts: textParts(said), inferredFrom }];
    const texts = answers.length === 0 ? [said] : answers.map((answer) => answer.text);
    // Cut behind each answer but the last, which takes the rest.
    const before = content[0] - whole[0];
    const cuts = [0, ...answers.slice(0, -1).map(({ end }) => before + end), inferredFrom.length];
    const calls = this.#calls.length === texts.length ? this.#calls : [];
    return texts.map((each, nth) => ({
      ...toolPiece(each, calls[nth]),
      inferredFrom: inferredFrom.slice(cuts[nth], cuts[nth + 1]),
    }));
  }

  #policyParts(said: string): Part[] {
    const msgId = this.messages.length;
    const { parts, calls } = policyParts(said, String(msgId));
    this.#calls = calls;
    if (calls.includes(undefined)) {
      const step = this.steps.length - 1;
      this.gaps.push({
        about: 'messages',
        reason: 'A <tool_call> here holds no JSON with a name and arguments, and is shown as the text it is.',
        ...(step < 0 ? {} : { step }),
        msgId,
      });
    }
    return parts;
  }
}

function textParts(text: string): Part[] {
  return text === '' ? [] : [{ kind: 'text', text }];
}

/** An answer is for the call that stands in the same place among the calls before it. */
function toolPiece(
  text: string,
  call: PolicyParts['calls'][number],
): Pick<Piece, 'parts' | 'toolResultFor' | 'toolName'> & { role: Role } {
  return {
    role: 'tool',
    parts: textParts(text),
    ...(call === undefined ? {} : { toolResultFor: [call.callId], toolName: call.name }),
  };
}
