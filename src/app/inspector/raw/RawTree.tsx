import {
  useId,
  useMemo,
  useRef,
  useState,
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
} from 'react';
import { Button } from '../../controls/Button';
import { useFixedRows } from '../../episodes/useFixedRows';
import { copy } from '../../stores/toasts';
import { afterKey, toggled } from './keys';
import { locator } from './locate';
import { columnsIn, rowHeight } from './metrics';
import { decoded, type Span } from './scan';
import { indent, opened, pointerOf, rowAt, rowCount, rowOf, treeOf, type TreeRow } from './tree';
import { TreeRowView } from './TreeRowView';
import styles from './raw.module.css';

interface RawTreeProps {
  text: string;
  step: number;
  /** JSON pointers of what came with the step. */
  pointers: readonly string[];
}

export function RawTree({ text, step, pointers }: RawTreeProps) {
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const [{ tree, row: active }, setPlace] = useState(() => ({ tree: opened(treeOf(text), [], 80), row: 0 }));
  const locate = useMemo(() => locator(treeOf(text)), [text]);
  const marked = useMemo(
    // What led nowhere would mark the whole record.
    () => pointers.map(locate).filter(({ path }) => path.length > 0),
    [pointers, locate],
  );
  const rows = useFixedRows({ scroller, count: rowCount(tree), rowHeight });
  const current = rowAt(tree, active);
  const columns = () => (scroller.current === null ? 80 : columnsIn(scroller.current));

  function onKeyDown(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const next = afterKey(event.key, { tree, row: active }, rows.page, columns());
    if (next === undefined) return;
    event.preventDefault();
    setPlace(next);
    rows.show(next.row);
  }

  function onClick(event: MouseEvent): void {
    const target = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-row]') : null;
    if (target?.dataset['row'] === undefined) return;
    const place = { tree, row: Number(target.dataset['row']) };
    setPlace(place.row === active || wantsToOpen(event) ? toggled(place, columns()) : place);
  }

  function showStep(): void {
    const [first] = marked;
    if (first === undefined) return;
    const next = marked.reduce((open, { path }) => opened(open, path.slice(0, -1), columns()), tree);
    const row = rowOf(next, first.path);
    setPlace({ tree: next, row });
    // The rows are there after the next drawing.
    requestAnimationFrame(() => rows.show(row));
  }

  const layout: CSSProperties & Record<`--${string}`, string> = { '--indent': `${indent}ch` };
  return (
    <>
      <div
        ref={scroller}
        role="tree"
        aria-label="Record"
        aria-activedescendant={active >= rows.first && active < rows.end ? `${id}-${active}` : undefined}
        tabIndex={0}
        className={styles.scroller}
        style={layout}
        onKeyDown={onKeyDown}
        onClick={onClick}
      >
        <div role="presentation" className={styles.rows} style={{ height: rows.height }}>
          <div role="presentation" className={styles.drawn} style={{ top: rows.top }}>
            {Array.from({ length: Math.max(0, rows.end - rows.first) }, (_, offset) => {
              const index = rows.first + offset;
              const row = rowAt(tree, index);
              return (
                <TreeRowView
                  key={index}
                  id={`${id}-${index}`}
                  index={index}
                  text={text}
                  row={row}
                  active={index === active}
                  marked={isMarked(row, marked)}
                />
              );
            })}
          </div>
        </div>
      </div>
      <footer className={styles.foot}>
        <code className={styles.pointer} title="JSON pointer of the chosen value">
          {pointerOf(tree, current.path) || 'the whole record'}
        </code>
        {marked.length === 0 ? null : (
          <Button kind="quiet" onClick={showStep}>
            Show step {step}
          </Button>
        )}
        <Button kind="quiet" onClick={() => void copy(pointerOf(tree, current.path), 'Pointer')}>
          Copy pointer
        </Button>
        <Button kind="quiet" onClick={() => void copy(valueText(text, current), 'Value')}>
          Copy value
        </Button>
      </footer>
    </>
  );
}

function wantsToOpen(event: MouseEvent): boolean {
  return event.target instanceof Element && event.target.closest('[data-opener]') !== null;
}

function isMarked(row: TreeRow, marked: readonly { span: Span }[]): boolean {
  if (row.kind === 'line') return false;
  return marked.some(({ span }) => row.span.start >= span.start && row.span.end <= span.end);
}

/** A string as it reads, anything else as JSON. */
function valueText(text: string, row: TreeRow): string {
  if (row.kind === 'line') return row.text;
  const json = text.slice(row.span.start, row.span.end);
  return row.kind === 'string' ? decoded(json) : json;
}
