import {
  chatMessage,
  partText,
  seenAs,
  type ChatMessage,
  type ChatPart,
  type Episode,
  type Message,
  type Part,
} from '../../model';
import { defineCommand, Failed, UsageError, wholeNumber } from '../command';
import { counted, eachEpisode, range } from '../episodes';
import { findInputs } from '../inputs';
import { jsonLine, printable } from '../io';
import type { Io } from '../io';

export const show = defineCommand({
  name: 'show',
  synopsis: 'show <path> --episode N [--step K|all]',
  about: 'prints an episode, or the view the model had at one of its steps',
  details: `Prints the whole episode, or with --step the messages exactly as the model saw them at that step, as text or as chat
messages in JSON. Episodes and steps count from 0. Step 0 is the prompt; deleted messages stand as their stubs.
- is standard input.`,
  options: {
    episode: { type: 'string', value: 'N', about: 'which episode of the file, from 0' },
    step: {
      type: 'string',
      value: 'K|all',
      about: 'the view at this step, or at every step, one after another',
    },
  },
  async run({ positionals, json, text }, io) {
    const [path] = positionals;
    if (path === undefined || positionals.length > 1) throw new UsageError('Name one file.');
    const wanted = text('episode');
    if (wanted === undefined) throw new UsageError('Which episode? Give --episode N, from 0.');
    const number = wholeNumber('--episode', wanted);
    const step = stepOption(text('step'));

    const episode = await findEpisode(path, number, io);
    const steps = episode.steps.length;
    if (typeof step === 'number' && step >= steps) {
      throw new Failed(`There is no step ${step}: episode ${number} has ${range(steps, 'step')}.`);
    }
    for (const shown of step === 'all' ? episode.steps.keys() : [step]) {
      await io.data(
        json
          ? jsonLine({ episode: number, step: shown ?? null, steps, messages: chatAt(episode, shown) })
          : textAt(episode, number, shown),
      );
    }
    return 0;
  },
});

function stepOption(text: string | undefined): number | 'all' | undefined {
  return text === undefined || text === 'all' ? text : wholeNumber('--step', text);
}

async function findEpisode(path: string, wanted: number, io: Io): Promise<Episode> {
  const inputs = await findInputs([path]);
  const [input] = inputs;
  if (input === undefined || inputs.length > 1) throw new UsageError(`'${path}' is a folder. Name one file.`);
  let found: Episode | undefined;
  const { failure } = await eachEpisode(input, io, (episode) => void (found = episode), wanted);
  if (found !== undefined) return found;
  throw new Failed(
    failure === undefined ? `${path} has no episodes.` : `${path}: ${failure.what} ${failure.next}`,
  );
}

function chatAt(episode: Episode, step: number | undefined): ChatMessage[] {
  return step === undefined ? episode.messages.map(chatMessage) : seenAs(episode, step);
}

function textAt(episode: Episode, number: number, step: number | undefined): string {
  const { title, steps } = episode;
  const place = step === undefined ? counted(steps.length, 'step') : `step ${step} of ${steps.length}`;
  const head = `Episode ${number}: ${title} · ${place}\n`;
  const messages =
    step === undefined ? episode.messages.map(messageText) : seenAs(episode, step).map(seenText);
  return printable(`${head}\n${messages.join('\n')}\n`);
}

function messageText(message: Message): string {
  return `── ${headingOf(message)}\n${message.parts.map(marked).join('\n')}\n`;
}

/** A message as it was sent, which need not be as it stands in the history. */
function seenText({ role, content, reasoning_content, tool_calls = [], tool_call_id }: ChatMessage): string {
  const said = typeof content === 'string' ? [content] : (content ?? []).map(chatPartText);
  const lines = [
    ...(reasoning_content === undefined ? [] : [`(reasoning) ${reasoning_content}`]),
    ...said,
    ...tool_calls.map(({ function: { name, arguments: args } }) => `-> ${name}(${args})`),
  ];
  return `── ${role}${tool_call_id === undefined ? '' : `, from ${tool_call_id}`}\n${lines.join('\n')}\n`;
}

function chatPartText(part: ChatPart): string {
  return part.type === 'text' ? part.text : '[image]';
}

/** Thoughts and calls are told apart from what was said. */
function marked(part: Part): string {
  if (part.kind === 'reasoning') return `(reasoning) ${partText(part)}`;
  return part.kind === 'call' ? `-> ${partText(part)}` : partText(part);
}

function headingOf({ role, roleLabel, msgId, toolName, toolResultFor }: Message): string {
  const answers = toolName ?? toolResultFor?.join(', ');
  return `${roleLabel ?? role}, message ${msgId}${answers === undefined ? '' : `, from ${answers}`}`;
}
