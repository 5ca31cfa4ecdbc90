import * as fc from 'fast-check';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { Markdown } from './Markdown';
import { parseMarkdown } from './parse';
import { shownText } from './shownText';

/** The text of the page, of which find makes its marks. */
function drawn(text: string): string {
  return renderToStaticMarkup(<Markdown text={text} />)
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&');
}

const pieces = [
  'word',
  'zebra',
  ' ',
  '\n',
  '\n\n',
  '  \n',
  '**',
  '_',
  '~~',
  '`',
  '```',
  '```python\n',
  '# ',
  '> ',
  '- ',
  '  - ',
  '1. ',
  '- [x] ',
  '[',
  '](https://a.example/zebra)',
  '](javascript:x)',
  '![',
  '<https://b.example/c>',
  '<b>',
  '&amp;',
  '&lt;',
  '\\*',
  '|a|b|\n|-|-|\n|c|d|\n',
  '---\n',
  '[a]: https://c.example\n',
];

it('is what the page shows, whatever the text', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 40 }), (parts) => {
      const text = parts.join('');
      expect(shownText(text)).toBe(parseMarkdown(text).kind === 'tokens' ? drawn(text) : text);
    }),
    { numRuns: 2_000 },
  );
});

it('is without what Markdown is made of, and lines stay apart', () => {
  expect(shownText('A **bold zebra** text, a [link](https://x.example/zebra), `code`.')).toBe(
    'A bold zebra text, a link, code.',
  );
  expect(shownText('some\nwrapped words')).toBe('some wrapped words');
  for (const text of ['one\n\ntwo', '# one\ntwo', '- one\n- two', 'one  \ntwo', '|one|two|\n|-|-|']) {
    expect(shownText(text)).toMatch(/one\s+two/);
  }
});

it('is the text itself where that is too long to be drawn as Markdown', () => {
  const long = '**word** '.repeat(10_000);
  expect(shownText(long)).toBe(long);
});
