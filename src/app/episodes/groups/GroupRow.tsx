import { memo } from 'react';
import type { AllGroups, Group, Row } from '../../../ingest/protocol';
import { Name, spelled } from '../../markdown';
import { counted, formatCount } from '../../words/format';
import { Found, valueIn } from '../RowView';
import type { EpisodeColumn } from '../useEpisodeColumns';
import type { ForK, GroupColumn, Told } from './columns';
import table from '../table.module.css';
import styles from './groups.module.css';

interface GroupRowProps {
  id: string;
  index: number;
  /** Undefined while it is on its way. */
  group: ForK<Group> | undefined;
  /** What its source is called, where groups are apart by source and there are several. */
  source: string | undefined;
  open: boolean;
  active: boolean;
  columns: readonly GroupColumn[];
  others: number;
  /** Places where what is searched for stands in its rollouts' records. */
  found: number;
}

/** The rollouts of one task together. */
export const GroupRow = memo(function GroupRow(props: GroupRowProps) {
  const { id, index, group, source, open, active, columns, others, found } = props;
  return (
    <tr
      id={id}
      aria-rowindex={index + 3}
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
          <span className={`${table.value} ${styles.key}`} title={spelled(group.key)}>
            {group.key === '' ? <i>empty text</i> : <Name text={group.key} />}
          </span>
        )}
        {group === undefined || source === undefined ? null : (
          <span className={`${table.value} ${styles.source}`} title={spelled(group.source ?? '')}>
            <Name text={source} />
          </span>
        )}
        {group?.zeroVariance === true ? (
          <span
            className={styles.same}
            title="All its rollouts have the same reward: there is nothing to learn from where rewards are compared within the group."
          >
            <span className={styles.wide}>no variance</span>
            <span aria-hidden className={styles.narrow}>
              =
            </span>
          </span>
        ) : null}
        {found === 0 ? null : <Found count={found} of="the records of its rollouts" />}
      </th>
      {columns.map(({ id: column, read }, at) => (
        <td key={column} aria-colindex={at + 2} className={table.cell} data-kind="number" data-told>
          {group === undefined ? null : <ToldIn told={read(group)} />}
        </td>
      ))}
      <OfRolloutsAlone column={columns.length + 2} span={others} />
    </tr>
  );
});

function ToldIn({ told: { text, why } }: { told: Told }) {
  if (why === undefined) return <span className={table.value}>{text}</span>;
  return (
    <span className={table.value} title={why}>
      {text === '' ? (
        <span aria-hidden className={styles.nothing}>
          –
        </span>
      ) : (
        text
      )}
      <span className="unseen"> {why}</span>
    </span>
  );
}

function OfRolloutsAlone({ column, span }: { column: number; span: number }) {
  if (span === 0) return null;
  // oxlint-disable-next-line jsx-a11y/control-has-associated-label
  return <td aria-colindex={column} className={table.cell} style={{ gridColumn: `span ${span}` }} />;
}

interface AllRowProps {
  all: ForK<AllGroups> | undefined;
  total: number;
  /** What a group is: `task`. */
  noun: string;
  columns: readonly GroupColumn[];
  others: number;
}

/** All groups together, below the names of the columns. */
export function AllRow({ all, total, noun, columns, others }: AllRowProps) {
  const same = all?.zeroVariance ?? 0;
  return (
    <tr aria-rowindex={2} aria-busy={all === undefined || undefined} className={`${table.row} ${styles.all}`}>
      <th scope="row" aria-colindex={1} className={table.cell} data-kind="title">
        <span className={`${table.value} ${styles.key}`} title={`All ${counted(total, noun)}`}>
          All<span className={same > 0 ? styles.wide : undefined}> {noun}s</span>
        </span>
        {same === 0 ? null : (
          <span
            className={styles.same}
            title={`In ${formatCount(same)} of ${counted(total, noun)} all rollouts have the same reward.`}
          >
            {formatCount(same)}
            <span className={styles.wide}> no variance</span>
            <span aria-hidden className={styles.narrow}>
              =
            </span>
          </span>
        )}
      </th>
      {columns.map(({ id, all: read }, at) => (
        <td key={id} aria-colindex={at + 2} className={table.cell} data-kind="number" data-told>
          {all === undefined ? null : <ToldIn told={read(all, total, noun)} />}
        </td>
      ))}
      <OfRolloutsAlone column={columns.length + 2} span={others} />
    </tr>
  );
}

interface MemberRowProps {
  id: string;
  index: number;
  row: Row | undefined;
  /** The key of its group. */
  of: string;
  selected: boolean;
  active: boolean;
  columns: readonly GroupColumn[];
  others: readonly EpisodeColumn[];
  found: number;
}

/** `task 3 · rollout 1` is `rollout 1` among the rollouts of task 3. */
function titleWithin(title: string, key: string): string {
  const start = `task ${key} · `;
  return title.startsWith(start) ? title.slice(start.length) : title;
}

/** One rollout of an open group; its reward stands under the mean. */
export const MemberRow = memo(function MemberRow(props: MemberRowProps) {
  const { id, index, row, of, selected, active, columns, others, found } = props;
  return (
    <tr
      id={id}
      aria-rowindex={index + 3}
      aria-level={2}
      aria-selected={selected}
      aria-busy={row === undefined || undefined}
      data-row={index}
      data-active={active || undefined}
      className={`${table.row} ${styles.member}`}
    >
      <th
        scope="row"
        aria-colindex={1}
        className={table.cell}
        data-kind="title"
        title={row === undefined ? undefined : spelled(row.title)}
      >
        {row === undefined ? (
          <span className={table.waiting} />
        ) : (
          valueIn('title', titleWithin(row.title, of))
        )}
        {found === 0 ? null : <Found count={found} />}
      </th>
      {columns.map(({ id: column }, at) =>
        column === 'n' ? null : (
          <td
            key={column}
            aria-colindex={at + 2}
            className={table.cell}
            data-kind="reward"
            data-told
            // With the room of the number of rollouts, which it has none of.
            style={column === 'mean' ? { gridColumn: '2 / span 2' } : undefined}
          >
            {column === 'mean' && row !== undefined ? valueIn('reward', row.cells['reward']) : null}
          </td>
        ),
      )}
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
