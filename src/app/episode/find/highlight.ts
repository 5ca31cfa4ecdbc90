import markdown from '../../markdown/text.module.css';
import messages from '../messages/messages.module.css';
import styles from './find.module.css';

/** Marks what was found in the page, without touching what React has drawn there. */

/** Ranges more than these cost more to draw than a frame has. */
const MOST = 2_000;

/** Words of ours within the texts. */
const ours = [
  'button',
  ...[messages.reasoningHead, messages.fate, messages.quietWord, messages.tag, markdown.asItIs].map(
    (name) => `.${name}`,
  ),
].join(', ');

/** Stands for a character that is not seen. */
const mark = `.${markdown.mark}`;

/** The places of a text in an element, as drawn. */
export function rangesIn(element: Element, finder: RegExp): Range[] {
  const nodes: { node: Text; start: number }[] = [];
  let text = '';
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (!(node instanceof Text) || node.parentElement?.closest(ours) !== null) continue;
    nodes.push({ node, start: text.length });
    text += node.parentElement.closest(mark) === null ? node.data : '\0';
  }
  const ranges: Range[] = [];
  let at = 0;
  for (const { index, 0: match } of text.matchAll(finder)) {
    while ((nodes[at + 1]?.start ?? Infinity) <= index) at += 1;
    let last = at;
    const end = index + match.length;
    while ((nodes[last + 1]?.start ?? Infinity) < end) last += 1;
    const [first, final] = [nodes[at], nodes[last]];
    if (first === undefined || final === undefined) break;
    const range = new Range();
    range.setStart(first.node, index - first.start);
    range.setEnd(final.node, end - final.start);
    ranges.push(range);
    if (ranges.length >= MOST) break;
  }
  return ranges;
}

const names = { all: 'rollscope-found', now: 'rollscope-found-now' } as const;

/** Draws the marks; none with nothing given. `layer` is where they stand in browsers without highlights. */
export function draw(layer: HTMLElement | null, all: readonly Range[], now: Range | undefined): void {
  if (typeof Highlight === 'undefined' || !('highlights' in CSS)) {
    drawBoxes(layer, all, now);
    return;
  }
  const highlight = new Highlight(...(now === undefined ? [] : [now]));
  highlight.priority = 1;
  CSS.highlights.set(names.all, new Highlight(...all));
  CSS.highlights.set(names.now, highlight);
}

function drawBoxes(layer: HTMLElement | null, all: readonly Range[], now: Range | undefined): void {
  if (layer === null) return;
  const origin = layer.getBoundingClientRect();
  const boxes = all.flatMap((range) =>
    [...range.getClientRects()].map(({ left, top, width, height }) => {
      const box = document.createElement('div');
      box.className = styles.box ?? '';
      if (range === now) box.dataset['now'] = '';
      box.style.cssText = `left:${left - origin.left}px;top:${top - origin.top}px;width:${width}px;height:${height}px`;
      return box;
    }),
  );
  layer.replaceChildren(...boxes);
}
