import { at, isObject } from '../model';
import { errorText } from '../model/error-text';
import { DEFAULT_CONFIG, type LoopConfig } from './config';

/** The configuration as it stands in the training code's YAML, under `actor_rollout_ref.rollout`. */

export interface ConfigProblem {
  /** From 1; absent where the whole file is meant. */
  readonly line?: number;
  /** `actor_rollout_ref.rollout.response_length` */
  readonly path?: string;
  readonly message: string;
}

export interface ConfigRead {
  /** What the file says, over what was there before. */
  readonly config: LoopConfig;
  /** What the file says alone. */
  readonly given: Readonly<Partial<LoopConfig>>;
  readonly problems: readonly ConfigProblem[];
}

const ROOT = ['actor_rollout_ref', 'rollout'];

interface Setting {
  readonly name: keyof LoopConfig;
  /** Where it stands below the root. */
  readonly path: readonly string[];
  /** Takes a value over; else says what should stand there. */
  readonly take: (config: Partial<LoopConfig>, value: unknown) => string | undefined;
}

const settings: readonly Setting[] = [
  setting('max_model_length', [], count(1)),
  setting('prompt_length', [], count(1)),
  setting('response_length', [], count(1)),
  setting('statelm_enabled', ['multi_turn'], flag),
  setting('dialect', ['multi_turn'], oneOf('rl', 'inference')),
  setting('delete_assistant_tool_call_only', ['multi_turn'], flag),
  setting('context_length_penalty', ['multi_turn'], number),
  setting('max_assistant_turns', ['multi_turn'], orNull(count(1))),
  setting('max_user_turns', ['multi_turn'], orNull(count(1))),
  setting('max_parallel_calls', ['multi_turn'], count(1)),
  setting('max_tool_response_length', ['multi_turn'], count(1)),
  setting('tool_response_truncate_side', ['multi_turn'], oneOf('left', 'right', 'middle')),
];

function setting<Name extends keyof LoopConfig>(
  name: Name,
  path: readonly string[],
  read: Reader<LoopConfig[Name]>,
): Setting {
  return {
    name,
    path,
    take: (config, value) => {
      const found = read(value);
      if (typeof found === 'string') return found;
      config[name] = found.value;
      return undefined;
    },
  };
}

/** The value, or what should have stood there. */
type Reader<T> = (value: unknown) => { value: T } | string;

function flag(value: unknown): { value: boolean } | string {
  return typeof value === 'boolean' ? { value } : 'true or false';
}

function number(value: unknown): { value: number } | string {
  return typeof value === 'number' && Number.isFinite(value) ? { value } : 'a number';
}

function count(least: number): Reader<number> {
  return (value) =>
    typeof value === 'number' && Number.isSafeInteger(value) && value >= least
      ? { value }
      : `a whole number from ${least}`;
}

function orNull<T>(read: Reader<T>): Reader<T | null> {
  return (value) => {
    if (value === null) return { value: null };
    const found = read(value);
    return typeof found === 'string' ? `${found}, or null for no limit` : found;
  };
}

function oneOf<T extends string>(...words: readonly T[]): Reader<T> {
  return (value) => {
    const found = words.find((word) => word === value);
    return found === undefined ? words.join(', ') : { value: found };
  };
}

/**
 * Reads what it finds and says what it cannot: a setting that is wrong stays as it was in `base`. Everything else in the
 * file belongs to the training code and is left alone.
 */
export async function readConfig(yaml: string, base: LoopConfig = DEFAULT_CONFIG): Promise<ConfigRead> {
  const { isNode, LineCounter, parseDocument } = await import('yaml');
  const lines = new LineCounter();
  const document = parseDocument(yaml, { lineCounter: lines, logLevel: 'error' });
  const problems: ConfigProblem[] = document.errors.map(({ message, linePos }) => ({
    ...(linePos === undefined ? {} : { line: linePos[0].line }),
    message: `This is not YAML: ${message.split('\n', 1)[0] ?? ''}`,
  }));
  if (problems.length > 0) return { config: base, given: {}, problems };
  let file: unknown;
  try {
    // Aliases could make a short file very large.
    file = document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    return {
      config: base,
      given: {},
      problems: [{ message: errorText(error) }],
    };
  }
  const given: Partial<LoopConfig> = {};
  for (const { name, path, take } of settings) {
    const whole = [...ROOT, ...path, name];
    const value = valueAt(file, whole);
    const wanted = value === undefined ? undefined : take(given, value);
    if (wanted === undefined) continue;
    const node = document.getIn(whole, true);
    const offset = isNode(node) ? node.range?.[0] : undefined;
    problems.push({
      ...(offset === undefined ? {} : { line: lines.linePos(offset).line }),
      path: whole.join('.'),
      message: `${name} must be ${wanted}.`,
    });
  }
  if (!isObject(at(at(file, 'actor_rollout_ref'), 'rollout'))) {
    problems.push({ message: 'There is no actor_rollout_ref.rollout in this file: nothing was read.' });
  }
  return { config: { ...base, ...given }, given, problems };
}

function valueAt(file: unknown, path: readonly string[]): unknown {
  return path.reduce((value, key) => at(value, key), file);
}

/** All settings, in the shape that `readConfig` reads. */
export function writeConfig(config: LoopConfig): string {
  const inside = (depth: number, indent: string): string[] =>
    settings
      .filter(({ path }) => path.length === depth)
      .map(({ name }) => `${indent}${name}: ${String(config[name])}\n`);
  return [
    'actor_rollout_ref:\n',
    '  rollout:\n',
    ...inside(0, '    '),
    '    multi_turn:\n',
    ...inside(1, '      '),
  ].join('');
}
