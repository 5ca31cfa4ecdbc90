import { memo } from 'react';
import type { Group, Row } from '../../../ingest/protocol';
import { Name, spelled } from '../../markdown';
import { Found, valueIn } from '../RowView';
import type { EpisodeColumn } from '../useEpisodeColumns';
import type { GroupColumn } from './columns';
import table from '../table.module.css';
import styles from './groups.module.css';

interface GroupRowProps {
  id: string;
  index: number;
  /** Undefined while it is on its way. */
  group: Group | undefined;
  open: boolean;
  active: boolean;
  columns: readonly GroupColumn[];
  others: number;
  /** Places where what is searched for stands in its rollouts' records. */
  found: number;
}

/** The rollouts of one task together. */
export const GroupRow = memo(function GroupRow(props: GroupRowProps) {
  const { id, index, group, open, active, columns, others, found } = props;
  return (
    <tr
      id={id}
      aria-rowindex={index + 2}
      aria-level={1}
      aria-expanded={open}
      aria-busy={group === undefined || undefined}
      data-row={index}
      data-active={active || undefined}
      className={`${table.row} ${styles.group}`}
    >
      <th scope="row" aria-colindex={1} className={table.cell} data-kind="title">
        <span aria-hidden className={styles.twist} data-open={open || undefined} />
        {group === undefined ? (
          <span className={table.waiting} />
        ) : (
          <span className={table.value} title={spelled(group.key)}>
            {group.key === '' ? <i>empty text</i> : <Name text={group.key} />}
          </span>
        )}
        {group?.zeroVariance === true ? (
          <span
            className={styles.same}
            title="All its rollouts have the same reward: there is nothing to learn from where rewards are compared within the group."
          >
            no variance
          </span>
        ) : null}
        {found === 0 ? null : <Found count={found} of="the records of its rollouts" />}
      </th>
      {columns.map(({ id: column, read }, at) => (
        <td key={column} aria-colindex={at + 2} className={table.cell} data-kind="number">
          {group === undefined ? null : <span className={table.value}>{read(group)}</span>}
        </td>
      ))}
      {others === 0 ? null : (
        // What is told of rollouts alone.
        // oxlint-disable-next-line jsx-a11y/control-has-associated-label
        <td
          aria-colindex={columns.length + 2}
          className={table.cell}
          style={{ gridColumn: `span ${others}` }}
        />
      )}
    </tr>
  );
});

interface MemberRowProps {
  id: string;
  index: number;
  row: Row | undefined;
  selected: boolean;
  active: boolean;
  columns: readonly GroupColumn[];
  others: readonly EpisodeColumn[];
  found: number;
}

/** One rollout of an open group; its reward stands under the mean. */
export const MemberRow = memo(function MemberRow(props: MemberRowProps) {
  const { id, index, row, selected, active, columns, others, found } = props;
  return (
    <tr
      id={id}
      aria-rowindex={index + 2}
      aria-level={2}
      aria-selected={selected}
      aria-busy={row === undefined || undefined}
      data-row={index}
      data-active={active || undefined}
      className={`${table.row} ${styles.member}`}
    >
      <th scope="row" aria-colindex={1} className={table.cell} data-kind="title">
        {row === undefined ? <span className={table.waiting} /> : valueIn('title', row.title)}
        {found === 0 ? null : <Found count={found} />}
      </th>
      {columns.map(({ id: column }, at) => (
        <td key={column} aria-colindex={at + 2} className={table.cell} data-kind="reward">
          {column === 'mean' && row !== undefined ? valueIn('reward', row.cells['reward']) : null}
        </td>
      ))}
      {others.map(({ id: column, columnDef: { meta } }, at) => (
        <td
          key={column}
          aria-colindex={columns.length + at + 2}
          className={table.cell}
          data-kind={meta?.kind}
        >
          {row === undefined || meta === undefined ? null : valueIn(meta.kind, meta.read(row))}
        </td>
      ))}
    </tr>
  );
});
