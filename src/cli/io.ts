import type { Readable } from 'node:stream';
import { Failed } from './command';

/** What a command has to do with the world, apart from files. */
export interface Io {
  /** Writes to standard output, as fast as the reader takes it. */
  data(text: string): Promise<void>;
  /** One line for the person, on standard error. */
  note(line: string): void;
  stdin: Readable;
  version: string;
  /** The folder of the built app. */
  ensureApp(): Promise<string>;
}

/** What the boot script knows and the bundle does not. */
export type Host = Pick<Io, 'version' | 'ensureApp'>;

export function processIo(host: Host): Io {
  const { stdin, stdout, stderr } = process;
  // The reader has seen enough (`rollscope summary ... | head -1`): that is no failure. Others are told by `data`.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit();
  });
  // There is nowhere left to say it.
  stderr.on('error', () => {});
  return {
    ...host,
    stdin,
    data: (text) =>
      new Promise((written, fail) => {
        stdout.write(text, (error) => {
          if (error)
            fail(new Failed(`Standard output can not be written: ${error.message}`, { cause: error }));
          else written();
        });
      }),
    note: (line) => stderr.write(`${printable(line)}\n`),
  };
}

/**
 * Text that can be shown in a terminal: a rollout may hold escape sequences that would move the cursor, change the
 * title or hide what follows. Control characters become their pictures (ESC is `␛`), except newline and tab.
 */
export function printable(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(controls, (found) => {
    const code = found.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return code === 0x7f ? '\u2421' : '\ufffd';
  });
}

/**
 * A value as one line of JSON. What would steer a terminal is written as an escape (`\u009b`), which reads back as the
 * same text.
 */
export function jsonLine(value: unknown): string {
  return safeLine(JSON.stringify(value));
}

/** The same of JSON that is text already. */
export function safeLine(json: string): string {
  const escaped = json.replaceAll(
    controls,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `${escaped}\n`;
}

// Also C1 controls (0x9b starts a sequence like ESC [) and the marks that reorder text.
// oxlint-disable-next-line no-control-regex -- finding them is the purpose
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
