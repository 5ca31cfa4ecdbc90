/** A stretch of highlighted code: its text, and what the highlighter takes it for. */
export interface CodeSpan {
  text: string;
  /** e.g. `keyword`, `string`; undefined for what is nothing in particular. */
  scope?: string;
}

const piece = /<span class="hljs-([\w-]+)[^"]*">|<\/span>|[^<]+/g;

/**
 * highlight.js writes HTML; this reads its two tags and five references back into spans, so that no HTML of it reaches
 * the page: `<span class="hljs-number">1</span>+x` is `1` as number and `+x`.
 */
export function spansFrom(html: string): CodeSpan[] {
  const spans: CodeSpan[] = [];
  const open: string[] = [];
  for (const [match, scope] of html.matchAll(piece)) {
    if (scope !== undefined) open.push(scope);
    else if (match === '</span>') open.pop();
    else {
      const inside = open.at(-1);
      spans.push({ text: unescape(match), ...(inside === undefined ? {} : { scope: inside }) });
    }
  }
  return spans;
}

function unescape(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&');
}
