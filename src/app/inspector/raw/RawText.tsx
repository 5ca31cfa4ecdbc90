import { useLayoutEffect, useMemo, useRef, useState, type RefObject } from 'react';
import { useFixedRows } from '../../episodes/useFixedRows';
import { lineAt, linesOf } from './lines';
import { columnsIn, rowHeight } from './metrics';
import styles from './raw.module.css';

/** The record's text, broken where the region ends. */
export function RawText({ text }: { text: string }) {
  const scroller = useRef<HTMLDivElement>(null);
  const columns = useColumns(scroller);
  const lines = useMemo(() => linesOf(text, columns), [text, columns]);
  const rows = useFixedRows({ scroller, count: lines.starts.length, rowHeight });
  return (
    // Focusable, so that keys can scroll it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section ref={scroller} aria-label="Text of the record" tabIndex={0} className={styles.scroller}>
      <div className={styles.rows} style={{ height: rows.height }}>
        <pre className={styles.drawn} style={{ top: rows.top }}>
          {Array.from({ length: rows.end - rows.first }, (_, offset) => (
            <span key={rows.first + offset} className={styles.plain}>
              {lineAt(lines, rows.first + offset)}
            </span>
          ))}
        </pre>
      </div>
    </section>
  );
}

/** How many characters a line has room for; changes with the region's width. */
function useColumns(element: RefObject<HTMLElement | null>): number {
  const [columns, setColumns] = useState(80);
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return;
    const measure = () => setColumns(columnsIn(current));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, [element]);
  return columns;
}
