import type { Tokens } from 'marked';
import { decodeEntities } from './entities';

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

/** The address as the text has it. */
export function writtenHref({ href, autolink }: Tokens.Link): string {
  return autolink === true ? href : decodeEntities(href);
}

/** What an image is called, and where it is. */
export function imageName({ text, href }: Tokens.Image): string {
  return [text, decodeEntities(href)].filter(Boolean).join(' · ');
}
