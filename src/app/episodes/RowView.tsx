import { memo } from 'react';
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
          row === undefined ? (
            <span className={styles.waiting} />
          ) : (
            <Value kind={meta.kind} value={meta.read(row)} />
          );
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

export function Value({ kind, value }: { kind: CellKind; value: Cell }) {
  if (kind === 'reward' && typeof value === 'number') return <Reward value={value} />;
  const text = formatCell(value);
  return (
    <span className={styles.value} title={fullText(value, text)}>
      {typeof value === 'string' ? <Name text={text} /> : text}
    </span>
  );
}

/** That the record has what is searched for, and how often. */
export function Found({ count }: { count: number }) {
  return (
    <span className={styles.found} title={`Found ${counted(count, 'time')} in its record`}>
      {formatCount(count)}
      <span className="unseen"> found</span>
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
