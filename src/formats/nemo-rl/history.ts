import { historyFrom, type Episode, type Gap, type HistoryItem } from '../../model';
import { chatEntry } from '../chat-entry';
import { splitThoughts } from '../think';
import { runTokens, type RowTokens } from './tokens';

/** What stands in a row's `content`. */
export type Content =
  | { kind: 'messages'; messages: readonly unknown[] }
  /** The texts of the messages, without their roles; all of them empty where NeMo Gym ran the rollout. */
  | { kind: 'texts'; texts: readonly string[] }
  | { kind: 'none' };

export function contentFrom(found: unknown): Content {
  if (typeof found === 'string') return { kind: 'texts', texts: [found] };
  if (!Array.isArray(found) || found.length === 0) return { kind: 'none' };
  if (found.every((each) => typeof each === 'string')) return { kind: 'texts', texts: found };
  return { kind: 'messages', messages: found };
}

type Told = Pick<Episode, 'messages' | 'steps'> & { gaps: Gap[] };

/** Messages and steps of a row; `place` is the pointer to its content. */
export function readHistory(content: Content, tokens: RowTokens | undefined, place: string): Told {
  switch (content.kind) {
    case 'messages':
      return fromMessages(content.messages, tokens, place);
    case 'texts':
      return fromTexts(content.texts, tokens, place);
    case 'none':
      return {
        ...historyFrom(emissions(tokens)),
        gaps: [
          { about: 'messages', reason: 'This row has no text: what was said is in its token ids only.' },
        ],
      };
  }
}

/** Every message of an assistant is a model call; the tokens of each are known where there are as many runs. */
function fromMessages(messages: readonly unknown[], tokens: RowTokens | undefined, place: string): Told {
  const entries = messages.map((message, nth) => ({
    ...chatEntry(message, `${place}/${nth}`),
    raw: `${place}/${nth}`,
  }));
  const calls = entries.filter(({ role }) => role === 'assistant').length;
  const runs = tokens?.runs.length === calls ? tokens.runs : [];
  let call = 0;
  const items = entries.map((entry): HistoryItem => {
    if (entry.role !== 'assistant') return { ...entry, origin: call === 0 ? 'prompt' : 'environment' };
    const run = runs[call];
    call += 1;
    const own = tokens === undefined || run === undefined ? {} : { tokens: runTokens(tokens, run) };
    return { ...entry, origin: 'policy', startsStep: true, ...own };
  });
  return { ...historyFrom(items), gaps: [] };
}

/** Who said a text: for the policy, in which run of the loss mask. */
type Speaker = 'system' | 'user' | 'environment' | { run: number };

/**
 * Texts alternate between the policy and what it answers, and each run of the loss mask is one of the policy's. So they
 * can be told apart where there are two for every run, or one more: a system prompt, if the policy has the last word,
 * else what the environment said last.
 */
function speakersOf(texts: number, { mask, runs }: RowTokens): Speaker[] | undefined {
  const extra = texts - 2 * runs.length;
  if (runs.length === 0 || extra < 0 || extra > 1) return undefined;
  const lead = extra === 1 && mask.at(-1) === 1 ? 1 : 0;
  return Array.from({ length: texts }, (_, nth): Speaker => {
    const turn = nth - lead;
    if (turn < 0) return 'system';
    if (turn === 0) return 'user';
    return turn % 2 === 1 ? { run: (turn - 1) / 2 } : 'environment';
  });
}

function fromTexts(texts: readonly string[], tokens: RowTokens | undefined, place: string): Told {
  const speakers = tokens === undefined ? undefined : speakersOf(texts.length, tokens);
  const items = texts.map((text, nth) => textItem(text, `${place}/${nth}`, speakers?.[nth], tokens));
  const { messages, steps } = historyFrom(speakers === undefined ? [...items, ...emissions(tokens)] : items);
  return {
    // One message per text, and after them what the mask alone shows.
    messages: messages.map((message) => {
      const text = texts[message.msgId];
      return text === undefined ? message : { ...message, inferredFrom: text };
    }),
    steps,
    gaps: [{ about: 'messages', reason: textGap(texts, speakers !== undefined) }],
  };
}

function textGap(texts: readonly string[], isTold: boolean): string {
  if (texts.every((text) => text === '')) {
    return 'This row has no text, as NeMo RL writes none for rollouts of NeMo Gym: what was said is in its token ids only, and who spoke is inferred from the loss mask.';
  }
  return isTold
    ? 'This row has the texts of its messages without their roles: who said what is inferred from its loss mask.'
    : 'This row has the texts of its messages without their roles, and who said what cannot be told from its loss mask.';
}

function textItem(
  text: string,
  raw: string,
  speaker: Speaker | undefined,
  tokens: RowTokens | undefined,
): HistoryItem {
  if (typeof speaker === 'object') {
    const run = tokens?.runs[speaker.run];
    return {
      role: 'assistant',
      parts: text === '' ? [] : splitThoughts(text),
      raw,
      origin: 'policy',
      startsStep: true,
      ...(tokens === undefined || run === undefined ? {} : { tokens: runTokens(tokens, run) }),
    };
  }
  const said = { parts: text === '' ? [] : [{ kind: 'text' as const, text }], raw };
  switch (speaker) {
    case 'system':
    case 'user':
      return { ...said, role: speaker, origin: 'prompt' };
    case 'environment':
      return { ...said, role: 'user', roleLabel: speaker, origin: 'environment' };
    case undefined:
      return { ...said, role: 'user', roleLabel: 'unknown', origin: 'prompt' };
  }
}

/** What the loss mask shows of a policy whose words are not there. */
function emissions(tokens: RowTokens | undefined): HistoryItem[] {
  return (tokens?.runs ?? []).map((run) => ({
    role: 'assistant' as const,
    parts: [],
    raw: '/token_ids',
    origin: 'policy' as const,
    startsStep: true,
    ...(tokens === undefined ? {} : { tokens: runTokens(tokens, run) }),
  }));
}
