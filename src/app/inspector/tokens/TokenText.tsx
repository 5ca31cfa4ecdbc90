import {
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type ClipboardEvent,
  type KeyboardEvent,
  type MouseEvent,
  type Ref,
} from 'react';
import { useFixedRows } from '../../episodes/useFixedRows';
import { moved } from './cursor';
import { rowOf, rowsOf, type Rows } from './rows';
import { tokenIn, type Colouring } from './runs';
import { TokenRow } from './TokenRow';
import type { Track } from './track';
import { textOf } from './words';
import styles from './tokens.module.css';

export interface TokenTextHandle {
  show: (position: number) => void;
}

interface TokenTextProps {
  ref: Ref<TokenTextHandle>;
  track: Track;
  cursor: number;
  colouring: Colouring | undefined;
  onCursor: (position: number) => void;
  onHover: (position: number | undefined) => void;
}

/** As in tokens.module.css. */
const rowHeight = 20;
/** JetBrains Mono is 0.6 em wide, and the text 12 pixels high. */
const characterWidth = 7.2;
const padding = 32;

const noRows: Rows = { starts: new Uint32Array(1), count: 0, chips: new Map() };

/** Every token, in rows of which only those on screen are drawn. */
export function TokenText({ ref, track, cursor, colouring, onCursor, onHover }: TokenTextProps) {
  const scroller = useRef<HTMLElement>(null);
  const [columns, setColumns] = useState(0);
  useLayoutEffect(() => {
    const { current } = scroller;
    if (current === null) return;
    const measure = () =>
      setColumns(Math.max(20, Math.floor((current.clientWidth - padding) / characterWidth)));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  // Before the width is known there is nothing to draw, and all tokens would be set twice.
  const rows = useMemo(() => (columns === 0 ? noRows : rowsOf(track, columns)), [track, columns]);
  const { first, end, top, height, page, show } = useFixedRows({ scroller, count: rows.count, rowHeight });
  useImperativeHandle(ref, () => ({
    show: (position) => {
      const row = rowOf(rows, position);
      // With some of what follows.
      show(Math.min(row + Math.floor(page / 2), rows.count - 1));
      show(row);
    },
  }));

  function onKeyDown(event: KeyboardEvent): void {
    if (event.altKey || event.metaKey) return;
    const next = moved(event, cursor, rows, track, page);
    if (next === undefined) return;
    event.preventDefault();
    onCursor(next);
    show(rowOf(rows, next));
  }

  function onClick(event: MouseEvent): void {
    // Selecting text is not choosing a token.
    if (window.getSelection()?.isCollapsed === false) return;
    const position = tokenUnder(track, event);
    if (position !== undefined) onCursor(position);
  }

  function onCopy(event: ClipboardEvent): void {
    const selection = window.getSelection();
    if (selection === null || selection.rangeCount === 0 || selection.isCollapsed) return;
    const range = selection.getRangeAt(0);
    const start = tokenOf(track, range.startContainer, range.startOffset);
    // The end is behind the last character.
    const last = tokenOf(track, range.endContainer, Math.max(range.endOffset - 1, 0));
    if (start === undefined || last === undefined) return;
    event.preventDefault();
    event.clipboardData.setData('text/plain', textOf(track, start, last + 1));
  }

  const cursorRow = rowOf(rows, cursor);
  return (
    // Takes the focus, so that keys can move the cursor and scroll.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      ref={scroller}
      aria-label="Tokens of the sample"
      aria-describedby="token-status"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className={styles.scroller}
      onKeyDown={onKeyDown}
      onClick={onClick}
      onCopy={onCopy}
      onMouseMove={(event) => onHover(tokenUnder(track, event))}
      onMouseLeave={() => onHover(undefined)}
    >
      <div className={styles.rows} style={{ height }}>
        <div className={styles.drawn} style={{ top }}>
          {Array.from({ length: Math.max(end - first, 0) }, (_, offset) => {
            const row = first + offset;
            return (
              <TokenRow
                key={row}
                track={track}
                rows={rows}
                row={row}
                cursor={row === cursorRow ? cursor : undefined}
                colouring={colouring}
              />
            );
          })}
        </div>
      </div>
    </section>
  );
}

function tokenUnder(track: Track, { clientX, clientY }: MouseEvent): number | undefined {
  const caret = caretAt(clientX, clientY);
  return caret === undefined ? undefined : tokenOf(track, caret.node, caret.offset);
}

function caretAt(x: number, y: number): { node: Node; offset: number } | undefined {
  if ('caretPositionFromPoint' in document) {
    const caret = document.caretPositionFromPoint(x, y);
    return caret === null ? undefined : inside(caret.offsetNode, caret.offset, x);
  }
  return undefined;
}

/** A caret stands between two characters, on the nearer side; the one pointed at can be the one before it. */
function inside(node: Node, offset: number, x: number): { node: Node; offset: number } {
  if (node.nodeType !== Node.TEXT_NODE || offset === 0) return { node, offset };
  const range = document.createRange();
  range.setStart(node, offset - 1);
  range.setEnd(node, offset);
  return { node, offset: x < range.getBoundingClientRect().right ? offset - 1 : offset };
}

function tokenOf(track: Track, node: Node, offset: number): number | undefined {
  const element = node instanceof Element ? node : node.parentElement;
  const run = element?.closest<HTMLElement>('[data-start]');
  const [start, end] = [run?.dataset['start'], run?.dataset['end']];
  if (start === undefined || end === undefined) return undefined;
  return tokenIn(track, Number(start), Number(end), node instanceof Element ? 0 : offset);
}
