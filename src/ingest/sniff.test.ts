import { describe, expect, it } from 'vitest';
import { readSource } from './read';
import { sniff } from './sniff';
import { testFormats } from './test-formats.fixtures';

function latin1(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

describe('sniff', () => {
  it.each([
    ['', /empty/],
    ['version https://git-lfs.github.com/spec/v1\noid sha256:0', /LFS pointer/],
    ['PAR1\x15\x04', /Parquet/],
    ['\x80\x02}q\x00', /torch/],
    ['PK\x03\x04\0\0\0\0archive/data.pkl', /torch/],
    ['BZh91AY', /bzip2/],
    ['\xfd7zXZ\0', /xz/],
    ['\xff\xfe{\0', /UTF-16/],
    ['\n<!DOCTYPE html><html>', /web page/],
    ['{"a": "\0"}', /binary/],
  ])('names what cannot be opened: %j', async (start, what) => {
    const sniffed = sniff(latin1(start));
    expect(sniffed.kind === 'unreadable' && sniffed.failure.what).toMatch(what);
    const result = await readSource(new Blob([latin1(start)]), {}, { formats: testFormats });
    expect(result).toMatchObject({ outcome: 'failed', records: 0, problems: 0 });
    expect(result.failure?.next).not.toBe('');
  });

  it.each([
    ['\x1f\x8b\x08', 'gzip'],
    ['\x28\xb5\x2f\xfd', 'zstd'],
    ['PK\x03\x04', 'zip'],
    [`${'x'.repeat(257)}ustar\0`, 'tar'],
  ])('knows containers by their bytes', (start, container) => {
    expect(sniff(latin1(start))).toEqual({ kind: 'container', container });
  });

  it('takes everything else for text', () => {
    expect(sniff(new TextEncoder().encode('\uFEFF{"a": "ü"}'))).toEqual({ kind: 'text' });
    expect(sniff(latin1('BZ'))).toEqual({ kind: 'text' });
    expect(sniff(latin1('<html>502</html>\n{"a": 1}\n'))).toEqual({ kind: 'text' });
  });
});
