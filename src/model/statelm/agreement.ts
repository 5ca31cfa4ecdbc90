import type { ChatMessage } from '../chat';
import type { Episode } from '../episode';
import { pythonJson } from '../python-json';
import { recordedViewAt } from '../recorded';
import { seenAs } from '../seen';
import { renderedAt } from './render';
import { readChatml, type ChatmlTurn } from './chatml';
import { pythonStrip } from './strip';
import { textOfIds } from './characters';
import { once } from '../once';
import { contextIds } from './tokens';

/** Where a rebuilt view first differs from the recorded one. */
export interface ViewDifference {
  step: number;
  /** Position in the view. */
  index: number;
  rebuilt: string | undefined;
  recorded: string | undefined;
}

/**
 * Holds the rebuilt view of a step against the recorded one: `undefined` where nothing was recorded, or nothing that
 * can be read; `'agrees'`, or the first difference.
 */
export function compareView(episode: Episode, step: number): ViewDifference | 'agrees' | undefined {
  const view = recordedViewAt(episode, step);
  if (view?.form === 'messages') {
    return firstDifference(step, seenAs(episode, step), view.messages, {
      rebuilt: chatText,
      recorded: chatText,
    });
  }
  const text = view?.text ?? decodedPrompt(episode, step);
  const turns = text === undefined ? undefined : readChatml(text);
  if (turns === undefined) return undefined;
  return compareTurns(step, seenAs(episode, step), turns);
}

function decodedPrompt(episode: Episode, step: number): string | undefined {
  if (episode.tokenIds !== 'characters') return undefined;
  const ids = step < episode.steps.length ? episode.steps[step]?.tokens?.promptIds : lastRender(episode);
  return ids === undefined ? undefined : textOfIds(ids);
}

/** After an edit in its last step the loop may have rendered once more before it ended. */
function lastRender(episode: Episode): Int32Array | undefined {
  const final = episode.statelm?.finalIds;
  const last = episode.steps.at(-1)?.tokens;
  if (final === undefined || last === undefined || renderedAt(episode, Infinity) < episode.steps.length)
    return undefined;
  const context = contextIds(last);
  const isRendered = final.length !== context.length || final.some((id, index) => id !== context[index]);
  return isRendered ? final : undefined;
}

/** Pairs found equal. Views of neighbouring steps are nearly the same and share their messages. */
const equals = new WeakMap<ChatMessage, object>();

function firstDifference<Recorded extends object>(
  step: number,
  rebuilt: readonly ChatMessage[],
  recorded: readonly Recorded[],
  texts: { rebuilt: (message: ChatMessage) => string; recorded: (message: Recorded) => string },
): ViewDifference | 'agrees' {
  for (let index = 0; index < Math.max(rebuilt.length, recorded.length); index++) {
    const [a, b] = [rebuilt[index], recorded[index]];
    if (a !== undefined && b !== undefined && equals.get(a) === b) continue;
    const [textA, textB] = [a && texts.rebuilt(a), b && texts.recorded(b)];
    if (textA !== textB) return { step, index, rebuilt: textA, recorded: textB };
    if (a !== undefined && b !== undefined) equals.set(a, b);
  }
  return 'agrees';
}

/** Everything of a message that can differ, in one text; the order of keys does not count. */
export const chatText = once(
  ({ role, content, reasoning_content, tool_calls, tool_call_id }: ChatMessage): string => {
    const calls = (tool_calls ?? []).map((call) => [call.id, call.function.name, call.function.arguments]);
    return JSON.stringify([role, content, reasoning_content ?? null, calls, tool_call_id ?? null]);
  },
);

/** A template decides how calls and white space are written, so these are compared by what they say. */
function compareTurns(
  step: number,
  seen: readonly ChatMessage[],
  recorded: readonly ChatmlTurn[],
): ViewDifference | 'agrees' {
  // Templates put tool descriptions behind the system prompt, or write one of their own.
  const [system] = recorded;
  const given = seen[0]?.role === 'system' ? contentText(seen[0]) : '';
  const turns = system?.role === 'system' && system.content.startsWith(given) ? recorded.slice(1) : recorded;
  const messages = turns.length < recorded.length && seen[0]?.role === 'system' ? seen.slice(1) : seen;
  const skipped = seen.length - messages.length;
  const difference = firstDifference(step, messages, turns, {
    rebuilt: templatedText,
    recorded: ({ role, content, calls }) => turnText(role, content, calls),
  });
  return difference === 'agrees' ? difference : { ...difference, index: difference.index + skipped };
}

const templatedText = once((message: ChatMessage) =>
  turnText(message.role, contentText(message), callsOf(message)),
);

function turnText(role: string, content: string, calls: ChatmlTurn['calls']): string {
  const said = role === 'assistant' ? pythonStrip(content) : content;
  const asked = calls.map((call) => [call.name, pythonJson(call.arguments) ?? call.arguments]);
  return JSON.stringify([role, said, asked]);
}

function contentText({ content }: ChatMessage): string {
  return typeof content === 'string' ? content : '';
}

function callsOf({ tool_calls }: ChatMessage): ChatmlTurn['calls'] {
  return (tool_calls ?? []).map((call) => call.function);
}
