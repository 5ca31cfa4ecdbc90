import { Readable } from 'node:stream';
import type { Io } from './io';
import { main } from './main';

export interface Ran {
  code: number;
  out: string;
  err: string;
}

/** Runs a command line in this process and catches what it says. */
export async function rollscope(args: readonly string[], stdin = ''): Promise<Ran> {
  let out = '';
  let err = '';
  const host = { version: '1.2.3', ensureApp: () => Promise.reject(new Error('nothing is served here')) };
  const io: Io = {
    ...host,
    stdin: Readable.from([stdin]),
    data: (text) => {
      out += text;
      return Promise.resolve();
    },
    note: (line) => {
      err += `${line}\n`;
    },
  };
  return { code: await main(args, host, io), out, err };
}
