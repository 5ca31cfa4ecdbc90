/** Mistakes on purpose: each a switch that is off unless asked for, and loud when on. */

export const MISTAKES = {
  global_state: 'All sessions share one state.',
  assume_state: 'No default: a session that was never seeded is an error.',
  seed_setdefault: 'A second seed of a session is ignored.',
  drop_cookies: 'The client forgets its cookies, so that every request is a new session.',
  lost_update: 'Load, modify, save without a lock: calls at the same time lose each other.',
  slow: 'Every request is delayed.',
  flaky: 'Some requests fail.',
} as const;

export type MistakeName = keyof typeof MISTAKES;

export interface Mistakes {
  readonly global_state?: boolean;
  readonly assume_state?: boolean;
  readonly seed_setdefault?: boolean;
  /** The client's: a server cannot make it. */
  readonly drop_cookies?: boolean;
  readonly lost_update?: boolean;
  /** Milliseconds. */
  readonly slow?: number;
  /** Share of requests that fail, 0 to 1. */
  readonly flaky?: number;
}

/** Names the mistakes of a response that was served with some on. */
export const MISTAKE_HEADER = 'x-rollscope-mistake';

export function isMistake(name: string): name is MistakeName {
  return Object.hasOwn(MISTAKES, name);
}

export function mistakesOn(mistakes: Mistakes): MistakeName[] {
  return Object.keys(MISTAKES).filter(
    (name): name is MistakeName => isMistake(name) && Boolean(mistakes[name]),
  );
}

/** `global_state`, `slow=500` (milliseconds), `flaky=0.2` (share); commas between several. */
export function parseMistakes(text: string): Mistakes {
  const mistakes: { -readonly [Name in keyof Mistakes]: Mistakes[Name] } = {};
  for (const part of text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')) {
    const [name = '', amount] = part.split('=');
    if (!isMistake(name)) {
      throw new Error(`There is no mistake '${name}'. There are: ${Object.keys(MISTAKES).join(', ')}.`);
    }
    if (name === 'slow') mistakes.slow = amountOf(part, amount, 300, Infinity);
    else if (name === 'flaky') mistakes.flaky = amountOf(part, amount, 0.2, 1);
    else if (amount !== undefined) throw new Error(`'${name}' takes no amount.`);
    else mistakes[name] = true;
  }
  return mistakes;
}

function amountOf(part: string, amount: string | undefined, otherwise: number, most: number): number {
  if (amount === undefined) return otherwise;
  const value = Number(amount);
  if (amount.trim() === '' || !(value > 0 && value <= most))
    throw new Error(`'${part}': the amount is not usable.`);
  return value;
}
