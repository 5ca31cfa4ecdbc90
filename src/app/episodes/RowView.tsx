import { memo } from 'react';
import type { Cell, Row } from '../../ingest/protocol';
import { Name, spelled } from '../markdown';
import { formatCell, formatReward, standingOf } from '../words/format';
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
}

export const RowView = memo(function RowView({ id, index, row, columns, selected, active }: RowViewProps) {
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
          row === undefined ? (
            <span className={styles.waiting} />
          ) : (
            <Value kind={meta.kind} value={meta.read(row)} />
          );
        return meta.kind === 'title' ? (
          <th key={id} scope="row" aria-colindex={at + 1} className={styles.cell} data-kind={meta.kind}>
            {content}
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

function Value({ kind, value }: { kind: CellKind; value: Cell }) {
  if (kind === 'reward' && typeof value === 'number') return <Reward value={value} />;
  const text = formatCell(value);
  return (
    <span className={styles.value} title={fullText(value, text)}>
      {typeof value === 'string' ? <Name text={text} /> : text}
    </span>
  );
}

/** Low and high are told by a mark as well as by colour. */
function Reward({ value }: { value: number }) {
  const standing = standingOf(value);
  return (
    <span className={styles.value} data-standing={standing} title={fullText(value, formatReward(value))}>
      {standing === 'between' ? null : (
        <span aria-hidden className={styles.standing}>
          {standing === 'low' ? '▾' : '▴'}
        </span>
      )}
      {formatReward(value)}
    </span>
  );
}

function fullText(value: Cell, shown: string): string | undefined {
  const full = typeof value === 'string' ? spelled(value) : String(value ?? '');
  return full === shown ? undefined : full;
}
