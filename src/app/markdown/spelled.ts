import { runsOf } from './invisible';

/** Names come out of files, too, and can be of any length: this much of one is drawn. */
export const NAME_LENGTH = 300;
/** And this much told by a tooltip. */
export const TITLE_LENGTH = 2_000;

/** The start of a text, never with half a character at its end. */
export function startOf(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** A text for tooltips and labels, which cannot draw marks: `<U+202E>mr` is `[U+202E]mr`. */
export function spelled(text: string, most = TITLE_LENGTH): string {
  return runsOf(startOf(text, most))
    .map((run) => (run.kind === 'text' ? run.text : `[${run.label}]`))
    .join('');
}
