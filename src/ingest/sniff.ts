import type { Failure } from './protocol';

/** What the first bytes say about a file. */
export type Sniffed =
  { kind: 'text' } | { kind: 'container'; container: Container } | { kind: 'unreadable'; failure: Failure };

export type Container = 'gzip' | 'zstd' | 'zip' | 'tar';

/** Enough for every signature below; a tar archive names itself at byte 257. */
export const sniffedBytes = 4096;

export const emptyFile: Failure = {
  what: 'This file is empty.',
  next: 'Check that the run has finished writing it, and open it again.',
};

const exportJsonl = 'Export it as JSONL and open that.';

const unreadable: readonly { starts: string; failure: Failure }[] = [
  {
    starts: 'version https://git-lfs.github.com/spec/v1',
    failure: {
      what: 'This is a Git LFS pointer, not the file itself.',
      next: 'Run git lfs pull where it was cloned, and open the file again.',
    },
  },
  {
    starts: 'PAR1',
    failure: {
      what: 'This is a Parquet file, which is not supported yet.',
      next: 'Export it as JSONL, for example with pandas: df.to_json("run.jsonl", orient="records", lines=True).',
    },
  },
  {
    starts: 'ARROW1',
    failure: { what: 'This is an Arrow file, which is not supported yet.', next: exportJsonl },
  },
  {
    starts: 'SQLite format 3\0',
    failure: { what: 'This is an SQLite database, which is not supported.', next: exportJsonl },
  },
  {
    starts: '\x89HDF',
    failure: { what: 'This is an HDF5 file, which is not supported.', next: exportJsonl },
  },
  {
    starts: 'BZh',
    failure: {
      what: 'This file is compressed with bzip2, which is not supported.',
      next: 'Decompress it with bunzip2 and open the result.',
    },
  },
  {
    starts: '\xfd7zXZ\0',
    failure: {
      what: 'This file is compressed with xz, which is not supported.',
      next: 'Decompress it with unxz and open the result.',
    },
  },
  {
    starts: '7z\xbc\xaf\x27\x1c',
    failure: {
      what: 'This is a 7z archive, which is not supported.',
      next: 'Unpack it and open the files inside.',
    },
  },
  {
    starts: '\xff\xfe',
    failure: { what: 'This text is UTF-16, not UTF-8.', next: 'Save it as UTF-8 and open it again.' },
  },
  {
    starts: '\xfe\xff',
    failure: { what: 'This text is UTF-16, not UTF-8.', next: 'Save it as UTF-8 and open it again.' },
  },
];

const torch: Failure = {
  what: 'This is a file of torch.save (a Python pickle), which cannot be read without Python.',
  next: 'Load it with torch.load and write its samples as JSONL.',
};

/** `head` is the first `sniffedBytes`, or all there are. */
export function sniff(head: Uint8Array): Sniffed {
  if (head.length === 0) return { kind: 'unreadable', failure: emptyFile };
  const text = latin1(head);
  for (const { starts, failure } of unreadable) {
    if (text.startsWith(starts)) return { kind: 'unreadable', failure };
  }
  // A pickle of protocol 2 to 5, or the zip around one, whose first entry is `…/data.pkl`.
  const pickle = head[0] === 0x80 && head[1] !== undefined && head[1] >= 2 && head[1] <= 5;
  if (pickle || (text.startsWith('PK\x03\x04') && text.includes('/data.pkl'))) {
    return { kind: 'unreadable', failure: torch };
  }
  const container = containerOf(head, text);
  if (container !== undefined) return { kind: 'container', container };
  // A page that a proxy wrote among the lines of a JSONL file is one bad line.
  if (/^\s*<(!doctype html|html)\b/i.test(text) && !/^\{"/m.test(text)) {
    return {
      kind: 'unreadable',
      failure: {
        what: 'This is a web page, not the file itself.',
        next: 'It may be a sign-in or error page saved in its place: download the file again.',
      },
    };
  }
  if (text.includes('\0')) {
    return {
      kind: 'unreadable',
      failure: {
        what: 'This is a binary file, and none that is known here.',
        next: 'Open JSON or JSONL, plain or compressed with gzip, zstd or zip.',
      },
    };
  }
  return { kind: 'text' };
}

function containerOf(head: Uint8Array, text: string): Container | undefined {
  if (text.startsWith('\x1f\x8b')) return 'gzip';
  // A frame, or one of those to be skipped, which may come first.
  const skippable = ((head[0] ?? 0) & 0xf0) === 0x50 && text.startsWith('\x2a\x4d\x18', 1);
  if (skippable || text.startsWith('\x28\xb5\x2f\xfd')) return 'zstd';
  // An archive without entries has nothing but its end.
  if (text.startsWith('PK\x03\x04') || text.startsWith('PK\x05\x06')) return 'zip';
  return text.slice(257, 262) === 'ustar' ? 'tar' : undefined;
}

/** One character per byte. */
function latin1(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}
