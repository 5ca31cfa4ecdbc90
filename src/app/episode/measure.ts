import { messageSize, stubTexts, tokenRate, type Episode, type Measure, type Message } from '../../model';

/** How large things are here, and in which unit that is said. */
export interface ContextMeasure extends Measure {
  /** `tokens` */
  unit: string;
  /** `token` */
  one: string;
  /** `tok` */
  short: string;
  /** Stands before a size that is an estimate: `≈`. */
  about: string;
  /** Who says so: `counted by cl100k_base`, `estimated`. */
  how: string;
  /** The same in a sentence. */
  why: string;
  /** How much fits into the context, in this unit. */
  limit?: { value: number; label: string };
}

const tokens = { unit: 'tokens', one: 'token', short: 'tok' } as const;

/** Without a tokenizer: exact where every character is a token, else an estimate. */
export function estimated(episode: Episode): ContextMeasure {
  const { perCharacter, from } = tokenRate(episode);
  const sized = (characters: number): number =>
    characters === 0 ? 0 : Math.max(1, Math.round(characters * perCharacter));
  const stubs = stubTexts(episode);
  return {
    ...tokens,
    ...words[from],
    message: (message) => sized(messageSize(message)),
    stub: (message) => sized(stubs(message).length),
    text: (text) => sized(text.length),
    ...limitOf(episode),
  };
}

const words = {
  characters: { about: '', how: 'one per character', why: 'The ids of this source are character codes.' },
  'own-tokens': {
    about: '≈',
    how: 'estimated',
    why: 'Estimated: the share of the recorded prompt that the text of a message takes.',
  },
  usual: {
    about: '≈',
    how: 'estimated',
    why: 'Estimated at four characters a token: choose a tokenizer to have them counted.',
  },
} as const;

/** What a tokenizer counted: of each message, and of what is left of those that were deleted. */
export interface Counts {
  messages: ReadonlyMap<Message, number>;
  stubs: ReadonlyMap<Message, number>;
  /** Tokens for a character, over all that was counted. */
  perCharacter: number;
}

export function countedBy(episode: Episode, name: string, counts: Counts): ContextMeasure {
  const rest = estimated(episode);
  return {
    ...tokens,
    about: '',
    how: `counted by ${name}`,
    why: `Counted by ${name}; of another model's tokens that is an estimate.`,
    message: (message) => counts.messages.get(message) ?? rest.message(message),
    stub: (message) => counts.stubs.get(message) ?? rest.stub(message),
    text: (text) => Math.round(text.length * counts.perCharacter),
    ...limitOf(episode),
  };
}

function limitOf({ limits }: Episode): Pick<ContextMeasure, 'limit'> {
  const value = limits?.maxModelLength;
  return value === undefined ? {} : { limit: { value, label: 'max_model_length' } };
}
