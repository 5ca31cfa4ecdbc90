import { writeEpisode } from '../../../../formats/rollscope/write';
import type { Episode, Message, Span } from '../../../../model';

/**
 * One training sample of so many tokens as a line of Rollscope's own format: in every turn half of the tokens are the
 * policy's, and trained, and half a tool's. Each character is a token.
 */
export function manyTokens(tokens: number, turns = 400): string {
  const each = Math.floor(tokens / turns / 2);
  const ids = Int32Array.from({ length: 2 * each * turns }, (_, index) =>
    text.charCodeAt(index % text.length),
  );
  const spans = Array.from({ length: turns }, (_, turn): Span => [2 * each * turn, 2 * each * turn + each]);
  const messages = spans.map((_, step): Message => ({
    msgId: step,
    role: 'assistant',
    origin: 'policy',
    parts: [{ kind: 'text', text: `Turn ${step}.` }],
    bornAtStep: step,
    raw: [],
  }));
  const episode: Episode = {
    id: 'many-tokens',
    format: 'rollscope',
    title: 'Many tokens',
    tools: [],
    messages,
    steps: spans.map((_, index) => ({ index })),
    edits: [],
    tokenIds: 'characters',
    samples: [
      {
        kind: 'final',
        index: 0,
        firstStep: 0,
        lastStep: turns - 1,
        tokens: {
          promptIds: new Int32Array(),
          responseIds: ids,
          maskLength: ids.length,
          trained: spans,
          turns: spans,
          logprobs: Float32Array.from(ids, (_, index) => -((index * 7919) % 1000) / 500),
        },
      },
    ],
    outcome: { reward: 1, components: {} },
    metrics: {},
    gaps: [],
  };
  return `${writeEpisode(episode)}\n`;
}

const text =
  'The keeper wrote that the light was lit at dusk, and that the fog lifted before noon; nobody had seen the ship. ';

/** The same text without any colour. */
export function plainText(tokens: number): string {
  return text.repeat(Math.ceil(tokens / text.length)).slice(0, tokens);
}
