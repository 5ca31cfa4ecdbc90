import type { Episode, Gap, Message, Origin, Part, Role, Step } from '../../model';
import { answersIn, policyParts, type PolicyParts } from './parts';
import { splitInput, splitOutput, type Turn } from './transcript';

/** Both texts cut into turns, which is all that the table needs to know. */
export interface Transcripts {
  input: string;
  output: string;
  prompt: Turn[];
  /** Where in the input the policy is cued. */
  cue: number;
  /** Whether the prompt could be told apart by role. */
  isSplit: boolean;
  turns: Turn[];
}

export function splitTranscripts(input: string, output: string, environmentTurns: number): Transcripts {
  const { turns: prompt, cue, isSplit } = splitInput(input);
  return { input, output, prompt, cue, isSplit, turns: splitOutput(output, environmentTurns) };
}

export function countSteps({ turns }: Transcripts): number {
  return turns.filter(({ role }) => role === 'assistant').length;
}

/** What the prompt's system or user said; of a prompt that could not be told apart, all of it. */
export function saidBy(role: 'system' | 'user', { input, prompt, isSplit }: Transcripts): string {
  if (!isSplit) return input;
  const turn = prompt.find((each) => each.role === role);
  return turn === undefined ? '' : input.slice(...turn.content);
}

/** Messages and steps out of both texts. Their `inferredFrom`, put together, is `input + output`. */
export function readHistory(transcripts: Transcripts): Pick<Episode, 'messages' | 'steps' | 'gaps'> {
  const { input, output, prompt, cue, turns } = transcripts;
  const builder = new HistoryBuilder();
  for (const turn of prompt) builder.add(turn, input, '/input', 'prompt');
  builder.cue(input.slice(cue));
  for (const turn of turns) {
    builder.add(turn, output, '/output', turn.role === 'assistant' ? 'policy' : 'environment');
  }
  const { messages, steps, gaps } = builder;
  return { messages, steps, gaps };
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
