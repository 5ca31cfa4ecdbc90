/** What templates and policies set between tags, on lines of their own. */
export type BlockTag = 'think' | 'tool_call' | 'tool_response' | 'tools';

export interface Block {
  tag: BlockTag;
  /** Of the opening tag. */
  start: number;
  /** Behind the closing tag. */
  end: number;
}

/** Led by a line break, so that the search is one for that character; the first line has none. */
const opening = /\n<(think|tool_call|tool_response|tools)>/g;
const openingFirst = /^<(think|tool_call|tool_response|tools)>/;

/**
 * The blocks of a text, in order and none within another. An opening tag counts at the start of a line only; one that is
 * opened again before it is closed was never closed, and is no block.
 */
export function blocksIn(text: string): Block[] {
  const first = openingFirst.exec(text);
  const opened = [
    ...(first === null ? [] : [{ tag: tagFrom(first[1]), index: 0 }]),
    ...Array.from(text.matchAll(opening), ({ index, 1: name }) => ({ tag: tagFrom(name), index: index + 1 })),
  ];
  const later = new Map<BlockTag, number>();
  // From the back, so that each knows where the next of its kind opens.
  const bounds = opened
    .toReversed()
    .map(({ tag, index }) => {
      const reopened = later.get(tag) ?? Infinity;
      later.set(tag, index);
      return { tag, start: index, reopened };
    })
    .toReversed();

  const closers = new Map<BlockTag, number>();
  const blocks: Block[] = [];
  let from = 0;
  for (const { tag, start, reopened } of bounds) {
    if (start < from) continue;
    const close = closingAfter(start, tag);
    if (close < 0 || close > reopened) continue;
    from = close + tag.length + 3;
    blocks.push({ tag, start, end: from });
  }
  return blocks;

  /** Remembered, so that a text of nothing but opening tags is not searched to its end for each of them. */
  function closingAfter(start: number, tag: BlockTag): number {
    let known = closers.get(tag);
    if (known === undefined || (known >= 0 && known < start)) {
      known = text.indexOf(`</${tag}>`, start);
      closers.set(tag, known);
    }
    return known;
  }
}

function tagFrom(name: string | undefined): BlockTag {
  return name === 'think' || name === 'tool_call' || name === 'tools' ? name : 'tool_response';
}

/** What stands inside a block, without the line breaks that set it on lines of its own. */
export function insideOf(text: string, { tag, start, end }: Block): string {
  let [from, to] = [start + tag.length + 2, end - tag.length - 3];
  if (text[from] === '\n') from += 1;
  if (to > from && text[to - 1] === '\n') to -= 1;
  return text.slice(from, Math.max(to, from));
}
