import { previewOf, sizeOf } from './rowText';
import type { TreeRow } from './tree';
import type { CSSProperties } from 'react';
import styles from './raw.module.css';

interface TreeRowViewProps {
  id: string;
  index: number;
  text: string;
  row: TreeRow;
  active: boolean;
  /** It came with the step the person is at. */
  marked: boolean;
}

export function TreeRowView({ id, index, text, row, active, marked }: TreeRowViewProps) {
  const line = row.kind === 'line';
  const depth = row.path.length + (line ? 1 : 0);
  const layout: CSSProperties & Record<`--${string}`, string> = { '--depth': String(depth) };
  return (
    <div
      role="treeitem"
      id={id}
      aria-level={depth + 1}
      aria-setsize={row.siblings}
      aria-posinset={(line ? row.line : (row.path.at(-1) ?? 0)) + 1}
      aria-selected={active}
      aria-expanded={!line && row.canOpen ? row.open : undefined}
      data-row={index}
      data-marked={marked || undefined}
      className={styles.row}
      style={layout}
    >
      {line ? <span className={styles.line}>{row.text}</span> : <Value text={text} row={row} />}
    </div>
  );
}

function Value({ text, row }: { text: string; row: Exclude<TreeRow, { kind: 'line' }> }) {
  const size = sizeOf(text, row.span, row.members);
  const word = row.kind === 'other' ? text[row.span.start] : undefined;
  return (
    <>
      <span aria-hidden data-opener className={styles.opener}>
        {row.canOpen ? (row.open ? '▾' : '▸') : null}
      </span>
      {row.name === undefined ? null : <span className={styles.name}>{row.name}:</span>}
      {row.open ? null : (
        <span
          className={styles.value}
          data-kind={word !== undefined && /[tfn]/.test(word) ? 'word' : row.kind}
        >
          {previewOf(text, row.span)}
        </span>
      )}
      {size === undefined ? null : <span className={styles.size}>{size}</span>}
    </>
  );
}
