import * as fc from 'fast-check';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { Markdown } from './Markdown';
import { headingLevels } from './parse';

const html = (text: string) => renderToStaticMarkup(<Markdown text={text} />);

/** Everything the page can be made of; whatever else shows up in the markup came out of the text. */
const allowedTags =
  /^(div|p|span|h4|h5|h6|blockquote|ul|ol|li|pre|code|table|thead|tbody|tr|th|td|hr|br|strong|em|del|a)$/;
const allowedAttributes = /^(class|title|href|target|rel|tabindex|role|aria-label|data-align|scope|start)$/i;

function elementsOf(markup: string): { tag: string; attributes: [name: string, value: string][] }[] {
  return [...markup.matchAll(/<([a-z][\w-]*)((?:\s+[\w-]+="[^"]*")*)\s*\/?>/gi)].map(
    ([, tag = '', attributes = '']) => ({
      tag,
      attributes: [...attributes.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [
        name,
        value,
      ]),
    }),
  );
}

function expectHarmless(markup: string): void {
  // Every `<` starts a tag of ours: the text's own are escaped.
  expect(markup.match(/<(?!\/)/g)?.length ?? 0).toBe(elementsOf(markup).length);
  for (const { tag, attributes } of elementsOf(markup)) {
    expect(tag).toMatch(allowedTags);
    for (const [name, value] of attributes) {
      expect(name).toMatch(allowedAttributes);
      if (name === 'href') expect(value).toMatch(/^(https?|mailto):/);
    }
  }
}

const hostile = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg onload=alert(1)><math><mi//xlink:href="data:x,<script>alert(1)</script>">',
  '<iframe src="https://example.org"></iframe><form action=//x><input></form>',
  '[x](javascript:alert(1))',
  '[x](javascript&colon;alert(1)) [y](javascript&#58;alert(1)) [z](&#x6A;avascript:alert(1))',
  '[x](data:text/html;base64,PHNjcmlwdD4=)',
  '![x](https://example.org/pixel.png) ![y](data:image/svg+xml,<svg onload=alert(1)>)',
  '<javascript:alert(1)> <https://example.org/"onmouseover="x>',
  '[x](https://example.org "title\\" onclick=alert(1)")',
  '```"><img src=x onerror=alert(1)>\ncode\n```',
  '<style>*{display:none}</style><a style="position:fixed" class="x" href="//x">y</a>',
  '[a]: javascript:alert(1)\n[a]',
  '| <b>a</b> |\n|---|\n| [x](vbscript:x) |',
  '<!-- --!><script>x</script> -->',
  '# <h1 onclick=x>',
];

describe('Markdown', () => {
  it.each(hostile)('draws %s without harm', (text) => expectHarmless(html(text)));

  it('draws any mixture without harm and without throwing', () => {
    const pieces = fc.constantFrom(
      ...hostile,
      '\n',
      '\n\n',
      '> ',
      '- ',
      '1. ',
      '**',
      '_',
      '`',
      '```',
      '[',
      '](',
      ')',
      '<',
      '>',
      '&',
      '|',
      '\ud800',
      '\u202e',
      '    ',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(pieces, fc.string())), (parts) => expectHarmless(html(parts.join('')))),
      { numRuns: 200 },
    );
  });

  it('keeps tags as text', () => {
    expect(html('<tool_call>{"a": 1}</tool_call>')).toContain('&lt;tool_call&gt;');
  });

  it('draws what Markdown has', () => {
    const markup = html(
      '# A\n\n*b* **c** ~~d~~ `e<f` [g](https://example.org/?a=1&amp;b=2)\n\n1. h\n2. i\n\n> j\n\n|k|\n|-:|\n|l|\n\n- [x] m',
    );
    for (const part of [
      '<h4>A</h4>',
      '<em>b</em>',
      '<strong>c</strong>',
      '<del>d</del>',
      '<code>e&lt;f</code>',
      'href="https://example.org/?a=1&amp;b=2"',
      'rel="noopener noreferrer nofollow"',
      '<li>h</li>',
      '<blockquote>',
      'data-align="right"',
      'title="done"',
    ]) {
      expect(markup).toContain(part);
    }
  });

  it.each([
    ['quotes', `${'>'.repeat(100_000)} x`],
    ['lists', Array.from({ length: 300 }, (_, depth) => `${' '.repeat(depth * 2)}- x`).join('\n')],
    ['brackets', '['.repeat(100_000)],
    ['stars', '*a '.repeat(30_000)],
    ['emphasis', `${'*a **b '.repeat(200)}${'** *'.repeat(200)}`],
    ['a long text', 'x'.repeat(1_000_000)],
  ])('survives %s', (_, text) => expect(html(text).length).toBeGreaterThan(0));
});

describe('headingLevels', () => {
  it('never skips a level on the way down', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 6 })), (depths) => {
        let last = 3;
        for (const level of headingLevels(depths, 4)) {
          expect(level).toBeGreaterThanOrEqual(4);
          expect(level).toBeLessThanOrEqual(Math.min(6, last + 1));
          last = level;
        }
      }),
    );
    expect(headingLevels([1, 3, 2], 4)).toEqual([4, 5, 5]);
  });
});
