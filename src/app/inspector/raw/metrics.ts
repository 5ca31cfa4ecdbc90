/** As in raw.module.css. */
export const rowHeight = 20;

/** Pixels beside the text: padding and the mark that opens a value. */
const beside = 36;
/** JetBrains Mono is 0.6 em wide, and the text 11 pixels high. */
const characterWidth = 6.6;

export function columnsIn(element: HTMLElement): number {
  return Math.max(20, Math.floor((element.clientWidth - beside) / characterWidth));
}
