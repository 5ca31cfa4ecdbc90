import type { Episode, Truth } from './episode';
import { messageSize } from './text';
import { viewAt } from './view';

/** How many tokens a character of an episode takes, and how sure that is. */
export interface TokenRate {
  perCharacter: number;
  /** `derived` where every character is a token; `inferred` for any other rate. */
  truth: Exclude<Truth, 'recorded'>;
  /** Whether it comes from this episode's own tokens, or from what English text usually takes. */
  from: 'characters' | 'own-tokens' | 'usual';
}

/** What tokenizers of the time make of English text: four characters a token. */
const USUAL = 0.25;

const rates = new WeakMap<Episode, TokenRate>();

/** For estimates where nothing counted: an episode's own prompts say best what its text takes. */
export function tokenRate(episode: Episode): TokenRate {
  const known = rates.get(episode) ?? rateOf(episode);
  rates.set(episode, known);
  return known;
}

function rateOf(episode: Episode): TokenRate {
  if (episode.tokenIds === 'characters') return { perCharacter: 1, truth: 'derived', from: 'characters' };
  // The longest prompt has the most text to judge by; the template and the tools count as if they were text.
  let longest = -1;
  let tokens = 0;
  for (const { index, tokens: own } of episode.steps) {
    if ((own?.promptIds.length ?? 0) <= tokens) continue;
    longest = index;
    tokens = own?.promptIds.length ?? 0;
  }
  const characters = longest < 0 ? 0 : seenSize(episode, longest);
  if (characters === 0) return { perCharacter: USUAL, truth: 'inferred', from: 'usual' };
  return { perCharacter: tokens / characters, truth: 'inferred', from: 'own-tokens' };
}

function seenSize(episode: Episode, step: number): number {
  let size = 0;
  for (const { state, message } of viewAt(episode, step)) {
    if (state === 'verbatim') size += messageSize(message);
  }
  return size;
}
