import { execFileSync } from 'node:child_process';
import { array, assert, dictionary, oneof, property, record, string, constantFrom } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { curlLine, quoted } from './curl';

/** The words of a line as a POSIX shell splits it: single quotes, backslash outside of quotes, blanks. Anything else with a meaning throws. */
function words(line: string): string[] {
  const found: string[] = [];
  let word: string | undefined;
  let inQuotes = false;
  for (let at = 0; at < line.length; at++) {
    const character = line.charAt(at);
    if (inQuotes) {
      if (character === "'") inQuotes = false;
      else word += character;
    } else if (character === "'") {
      inQuotes = true;
      word ??= '';
    } else if (character === '\\') {
      at += 1;
      word = (word ?? '') + line.charAt(at);
    } else if (character === ' ') {
      if (word !== undefined) found.push(word);
      word = undefined;
    } else {
      if (/[\s"`$&|;<>(){}[\]*?~#!^=]/.test(character)) throw new Error(`'${character}' stands bare`);
      word = (word ?? '') + character;
    }
  }
  if (inQuotes) throw new Error('a quote is left open');
  if (word !== undefined) found.push(word);
  return found;
}

const hostile = constantFrom(
  `'; rm -rf ~; '`,
  '$(id)',
  '`id`',
  '"; echo',
  '\\',
  "'",
  "''",
  '!!',
  '-o/etc/x',
  '@/etc/passwd',
  '~',
  'a\nb',
  '*',
  '{a,b}',
  '',
  'ä 漢 🦜',
  '\u202e',
  '#x',
);
const texts = oneof(hostile, string({ unit: 'binary' }));

describe('curlLine', () => {
  it('says to a shell exactly what was asked', () => {
    assert(
      property(
        record({ url: texts, cookie: texts, body: texts, headers: dictionary(texts, texts) }),
        ({ url, cookie, body, headers }) => {
          const argv = words(curlLine({ method: 'POST', url, cookie, body, headers }));
          expect(argv.slice(0, 6)).toEqual(['curl', '-sS', '-i', '-g', '-X', 'POST']);
          expect(argv[argv.indexOf('--data-raw', 6) + 1]).toBeDefined();
          // From the end, because a value may spell an option.
          expect(argv.at(-1)).toBe(sayable(url).replace(/[\r\n]+/g, ' '));
          expect(argv.at(-2)).toBe('--url');
          expect(argv.at(-3)).toBe(sayable(body));
          expect(argv.at(-4)).toBe('--data-raw');
          expect(argv.filter((_, index) => index >= 6 && index % 2 === 0).slice(0, -2)).toEqual(
            Array.from({ length: Object.keys(headers).length + (cookie === '' ? 0 : 1) }, () => '-H'),
          );
          for (const word of argv.slice(7, -4)) expect(word).not.toMatch(/[\r\n]/);
        },
      ),
    );
  });

  it('survives a real shell', () => {
    assert(
      property(array(texts, { minLength: 1, maxLength: 12 }), (values) => {
        const script = `printf '%s\\0' ${values.map(quoted).join(' ')}`;
        const printed = execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1);
        expect(printed).toEqual(values.map(sayable));
      }),
      { numRuns: 30 },
    );
  });

  it('leaves out what a GET does not have', () => {
    expect(
      curlLine({ method: 'GET', url: 'http://127.0.0.1/tools', headers: {}, cookie: '', body: undefined }),
    ).toBe('curl -sS -i -g --url http://127.0.0.1/tools');
  });
});

function sayable(text: string): string {
  return text.replaceAll('\0', '').replace(/\p{Surrogate}/gu, '\uFFFD');
}
