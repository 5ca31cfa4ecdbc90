import { useState, type KeyboardEvent, type MouseEvent, type ReactNode } from 'react';
import { Name, spelled } from '../../markdown';
import { headerAfterKey } from '../keys';
import { setGroupSort } from '../query';
import type { EpisodeColumn } from '../useEpisodeColumns';
import { orderAfter, type GroupColumn, type GroupOrder } from './columns';
import table from '../table.module.css';
import styles from './groups.module.css';

interface GroupHeaderProps {
  /** Of the column the groups are made by. */
  name: string;
  columns: readonly GroupColumn[];
  order: GroupOrder;
  /** What is told of the rollouts besides. */
  others: readonly EpisodeColumn[];
  /** What stays below the names. */
  children: ReactNode;
}

interface Head {
  id: string;
  label: string;
  short?: string;
  title: string;
  sorted: 'ascending' | 'descending' | undefined;
  nth?: number | undefined;
  kind: string;
  onSort: (event: KeyboardEvent | MouseEvent) => void;
}

/** Names of columns that sort: the groups by what is told of them, the rollouts within them by the rest. */
export function GroupHeader({ name, columns, order, others, children }: GroupHeaderProps) {
  const [reached, setReached] = useState(0);
  const groupHead = (id: GroupOrder['by'], label: string, title: string, kind: string): Head => ({
    id,
    label,
    title: `${title}. Enter or click sorts the groups`,
    sorted: order.by !== id ? undefined : order.descending ? 'descending' : 'ascending',
    kind,
    onSort: () => {
      const { by, descending } = orderAfter(order, id);
      setGroupSort({ column: by, descending });
    },
  });
  const heads: Head[] = [
    groupHead('key', name, name, 'title'),
    ...columns.map(({ id, label, short, title }) => ({ ...groupHead(id, label, title, 'number'), short })),
    ...others.map((column): Head => {
      const sorted = column.getIsSorted();
      const label = String(column.columnDef.header);
      return {
        id: column.id,
        label,
        title: `${spelled(label, 300)}: Enter or click sorts within the groups, with Shift as a further key`,
        sorted: sorted === false ? undefined : sorted === 'asc' ? 'ascending' : 'descending',
        nth: sorted === false ? undefined : column.getSortIndex() + 1,
        kind: column.columnDef.meta?.kind ?? 'string',
        onSort: (event) => column.toggleSorting(undefined, event.shiftKey),
      };
    }),
  ];
  const stop = Math.min(reached, heads.length - 1);
  const several = heads.filter(({ nth }) => nth !== undefined).length > 1;

  function onKeyDown(event: KeyboardEvent<HTMLButtonElement>, index: number): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === 'Enter' || event.key === ' ') heads[index]?.onSort(event);
    else {
      const to = headerAfterKey(event.key, index, heads.length);
      if (to === undefined) return;
      setReached(to);
      event.currentTarget.closest('tr')?.querySelectorAll('button')[to]?.focus();
    }
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <thead className={table.head}>
      <tr aria-rowindex={1} className={table.headRow}>
        {heads.map(({ id, label, short, title, sorted, nth, kind, onSort }, index) => (
          <th
            key={id}
            scope="col"
            aria-colindex={index + 1}
            aria-sort={sorted}
            className={table.headCell}
            data-kind={kind}
            data-told={short === undefined ? undefined : true}
          >
            <button
              type="button"
              className={table.sort}
              tabIndex={index === stop ? 0 : -1}
              title={spelled(title, 300)}
              aria-label={spelled(label, 300)}
              onFocus={() => setReached(index)}
              onKeyDown={(event) => onKeyDown(event, index)}
              onClick={onSort}
            >
              <span className={table.label}>
                {short === undefined ? (
                  <Name text={label} />
                ) : (
                  <>
                    <span className={styles.wide}>{label}</span>
                    <span className={styles.narrow}>{short}</span>
                  </>
                )}
              </span>
              {sorted === undefined ? null : (
                <span aria-hidden className={table.mark}>
                  {sorted === 'ascending' ? '↑' : '↓'}
                  {several ? nth : null}
                </span>
              )}
            </button>
          </th>
        ))}
      </tr>
      {children}
    </thead>
  );
}
