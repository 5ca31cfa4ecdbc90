/** Where a link of rollout text may lead: to the web or to a mail program, and only by a whole address. */
const allowed: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:']);

/** The address to use, or undefined for `javascript:`, `data:`, relative and broken ones. */
export function safeHref(href: string): string | undefined {
  let url: URL;
  try {
    url = new URL(href);
  } catch {
    return undefined;
  }
  return allowed.has(url.protocol) ? url.href : undefined;
}
