import { parseArgs } from 'node:util';
import { errorText } from '../model/error-text';
import type { Io } from './io';

/** One of the things `rollscope` can do. */
export interface Command {
  name: string;
  /** `summary <paths...>` */
  synopsis: string;
  /** One line, for the list of commands. */
  about: string;
  help: string;
  /** Gives the exit code. */
  run(args: readonly string[], io: Io): Promise<number>;
}

export interface Option {
  type: 'string' | 'boolean';
  short?: string;
  /** What stands for the value in the help: `N`. */
  value?: string;
  about: string;
}

/** A command line taken apart. */
export interface Invocation<Name extends string> {
  positionals: string[];
  json: boolean;
  /** The value of an option that takes one. */
  text: (option: Name) => string | undefined;
  flag: (option: Name) => boolean;
}

interface CommandDefinition<Name extends string> {
  name: string;
  synopsis: string;
  about: string;
  /** What `--help` says between the synopsis and the options. */
  details: string;
  options: Readonly<Record<Name, Option>>;
  run(invocation: Invocation<Name>, io: Io): Promise<number>;
}

/** The person asked for something that can not be asked: exit code 2. */
export class UsageError extends Error {}

/** Something asked for rightly did not work: exit code 1. */
export class Failed extends Error {}

/** A command that parses its own arguments, and has `--help` and `--json` like every other. */
export function defineCommand<Name extends string>(definition: CommandDefinition<Name>): Command {
  const { name, synopsis, about } = definition;
  const options: Record<string, Option> = { ...definition.options, ...common };
  const help = helpOf(definition, options);
  return {
    name,
    synopsis,
    about,
    help,
    async run(args, io) {
      const { values, positionals } = parse(args, options);
      if (values['help'] === true) {
        await io.data(help);
        return 0;
      }
      const text = (option: string) => {
        const value = values[option];
        return typeof value === 'string' ? value : undefined;
      };
      const flag = (option: string) => values[option] === true;
      return definition.run({ positionals, json: flag('json'), text, flag }, io);
    },
  };
}

const common: Record<string, Option> = {
  json: { type: 'boolean', about: 'one JSON object per line instead of text' },
  help: { type: 'boolean', short: 'h', about: 'this text' },
};

function parse(args: readonly string[], options: Record<string, Option>) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError(errorText(error), { cause: error });
  }
}

function helpOf(
  { synopsis, details }: { synopsis: string; details: string },
  options: Record<string, Option>,
): string {
  const rows = Object.entries(options).map(([name, { value, about }]) => [
    `--${name}${value === undefined ? '' : ` ${value}`}`,
    about,
  ]);
  return `Usage: rollscope ${synopsis}\n\n${details}\n\nOptions:\n${columns(rows)}\n`;
}

/** Two columns, indented: `  --json   one JSON object per line`. */
export function columns(rows: readonly (readonly string[])[]): string {
  const width = Math.max(...rows.map(([first = '']) => first.length));
  return rows.map(([first = '', second = '']) => `  ${first.padEnd(width)}  ${second}`).join('\n');
}

/** A whole number from 0: `--episode 3`. */
export function wholeNumber(option: string, text: string): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(number)) {
    throw new UsageError(`${option} takes a whole number from 0, not '${text}'.`);
  }
  return number;
}

export function portNumber(text: string): number {
  const port = wholeNumber('--port', text);
  if (port > 65_535) throw new UsageError(`--port takes a number up to 65535, not ${text}.`);
  return port;
}
