import { describe, expect, it } from 'vitest';
import { decodeEntities } from './entities';
import { safeHref } from './links';

describe('decodeEntities', () => {
  it('decodes once, and leaves what it does not know', () => {
    expect(decodeEntities('a &lt; b &#8594; c &#x2192; &amp;lt; &bogus; &#0; &#x110000; & ;')).toBe(
      'a < b → c → &lt; &bogus; &#0; &#x110000; & ;',
    );
  });
});

describe('safeHref', () => {
  it('lets whole web and mail addresses through', () => {
    for (const href of ['https://example.org/a?b#c', 'http://example.org/', 'mailto:a@example.org']) {
      expect(safeHref(href)).toBe(href);
    }
  });

  it('refuses everything else, however it is disguised', () => {
    for (const href of [
      'javascript:alert(1)',
      'JAVASCRIPT:alert(1)',
      ' java\nscript:alert(1)',
      '\u0001javascript:alert(1)',
      'data:text/html,<script>alert(1)</script>',
      'vbscript:x',
      'file:///etc/passwd',
      'blob:https://example.org/1',
      '//example.org',
      '/relative',
      '?source=other',
      '#hash',
      '',
      'https://',
    ]) {
      expect(safeHref(href)).toBeUndefined();
    }
  });
});
