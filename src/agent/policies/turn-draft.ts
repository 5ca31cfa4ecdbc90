import { at, numberAt, stringAt, valueJson } from '../../model';
import type { Emission } from '../policy';

/** A turn while it arrives, piece by piece. */
export class TurnDraft {
  text = '';
  reasoning = '';
  finish: string | undefined;
  model: string | undefined;
  tokenIds: number[] = [];
  logprobs: number[] = [];
  usage: NonNullable<Emission['usage']> = {};
  readonly #calls = new Map<
    string | number,
    { callId: string | undefined; name: string; arguments: string }
  >();

  get isEmpty(): boolean {
    return this.text === '' && this.reasoning === '' && this.#calls.size === 0;
  }

  /** A piece of a call. `key` says which one it belongs to. */
  call(key: string | number, piece: { callId?: string; name?: string; arguments?: string }): void {
    const call = this.#calls.get(key) ?? { callId: undefined, name: '', arguments: '' };
    call.callId ??= piece.callId;
    call.name += piece.name ?? '';
    call.arguments += piece.arguments ?? '';
    this.#calls.set(key, call);
  }

  /** A call as it stands in the end, whatever its pieces were. */
  wholeCall(
    key: string | number,
    call: { callId: string | undefined; name: string; arguments: string },
  ): void {
    this.#calls.set(key, call);
  }

  countUsage(usage: unknown): void {
    const promptTokens = numberAt(usage, 'prompt_tokens') ?? numberAt(usage, 'input_tokens');
    const completionTokens = numberAt(usage, 'completion_tokens') ?? numberAt(usage, 'output_tokens');
    this.usage = {
      ...this.usage,
      ...(promptTokens === undefined ? {} : { promptTokens }),
      ...(completionTokens === undefined ? {} : { completionTokens }),
    };
  }

  emission(): Emission {
    const { text, reasoning, finish, model, tokenIds, logprobs, usage } = this;
    return {
      text,
      toolCalls: Array.from(this.#calls.values(), ({ callId, name, arguments: args }) => ({
        ...(callId === undefined ? {} : { callId }),
        name,
        arguments: args,
      })),
      ...(reasoning === '' ? {} : { reasoning }),
      ...(tokenIds.length === 0 ? {} : { tokenIds }),
      ...(logprobs.length === 0 ? {} : { logprobs }),
      ...(Object.keys(usage).length === 0 ? {} : { usage }),
      ...(finish === undefined || normalEnds.has(finish) ? {} : { unfinished: finish }),
      ...(model === undefined ? {} : { model }),
    };
  }
}

const normalEnds: ReadonlySet<string> = new Set(['stop', 'tool_calls', 'function_call', 'completed', 'eos']);

/** What an endpoint says went wrong: `{"error": {"message"}}` in most dialects. */
export function errorText(value: unknown): string | undefined {
  const error = at(value, 'error') ?? undefined;
  if (error === undefined) return undefined;
  if (typeof error === 'string') return error;
  return stringAt(error, 'message') ?? valueJson(error);
}
