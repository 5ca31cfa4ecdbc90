import { memo, type ReactNode } from 'react';
import type { Cell, Row } from '../../ingest/protocol';
import { Name, spelled } from '../markdown';
import { counted, formatCell, formatCount, formatReward, standingOf } from '../words/format';
import type { EpisodeColumn } from './useEpisodeColumns';
import type { CellKind } from './columns';
import styles from './table.module.css';

interface RowViewProps {
  id: string;
  index: number;
  /** Undefined while it is on its way. */
  row: Row | undefined;
  columns: readonly EpisodeColumn[];
  selected: boolean;
  active: boolean;
  /** Places where what is searched for stands in its record. */
  found?: number;
}

export const RowView = memo(function RowView(props: RowViewProps) {
  const { id, index, row, columns, selected, active, found = 0 } = props;
  return (
    <tr
      id={id}
      aria-rowindex={index + 2}
      aria-selected={selected}
      aria-busy={row === undefined || undefined}
      data-row={index}
      data-active={active || undefined}
      className={styles.row}
    >
      {columns.map(({ id, columnDef: { meta } }, at) => {
        if (meta === undefined) return null;
        const content =
          row === undefined ? <span className={styles.waiting} /> : valueIn(meta.kind, meta.read(row));
        return meta.kind === 'title' ? (
          <th key={id} scope="row" aria-colindex={at + 1} className={styles.cell} data-kind={meta.kind}>
            {content}
            {found === 0 ? null : <Found count={found} />}
          </th>
        ) : (
          <td key={id} aria-colindex={at + 1} className={styles.cell} data-kind={meta.kind}>
            {content}
          </td>
        );
      })}
    </tr>
  );
});

/** Visible characters of the Latin script: nothing in them hides, or turns the direction. */
const plain = /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u024f]*$/;

/**
 * What stands in a cell. Scrolling makes cells by the hundred, so that a text which needs neither a mark nor a tooltip
 * is nothing but that text.
 */
export function valueIn(kind: CellKind, value: Cell): ReactNode {
  if (kind === 'reward' && typeof value === 'number') return rewardIn(value);
  const text = formatCell(value);
  const isPlain = typeof value !== 'string' || plain.test(text);
  const content = isPlain ? text : <Name text={text} />;
  const full = fullText(value, text);
  if (kind !== 'title' && full === undefined) return content;
  return (
    <span className={styles.value} title={full}>
      {content}
    </span>
  );
}

/** Low and high are told by a mark as well as by colour. */
function rewardIn(value: number): ReactNode {
  const standing = standingOf(value);
  const text = formatReward(value);
  const full = fullText(value, text);
  if (standing === 'between' && full === undefined) return text;
  return (
    <span data-standing={standing} title={full}>
      {standing === 'between' ? null : (
        <span aria-hidden className={styles.standing}>
          {standing === 'low' ? '▾' : '▴'}
        </span>
      )}
      {text}
    </span>
  );
}

/** That a record has what is searched for, and how often. */
export function Found({ count, of = 'its record' }: { count: number; of?: string }) {
  return (
    <span className={styles.found} title={`Found ${counted(count, 'time')} in ${of}`}>
      {formatCount(count)}
      <span className="unseen"> found</span>
    </span>
  );
}

function fullText(value: Cell, shown: string): string | undefined {
  const full = typeof value === 'string' ? spelled(value) : String(value ?? '');
  return full === shown ? undefined : full;
}
