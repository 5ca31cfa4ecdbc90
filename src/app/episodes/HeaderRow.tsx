import { memo, useState, type KeyboardEvent } from 'react';
import { Name, spelled } from '../markdown';
import type { useEpisodeColumns } from './useEpisodeColumns';
import { resetWidth, resize } from './useEpisodeColumns';
import { headerAfterKey } from './keys';
import styles from './table.module.css';

interface HeaderRowProps {
  /** Another object when something about them has changed. */
  columns: ReturnType<typeof useEpisodeColumns>;
}

const widthStep = 8;

/** Column names that sort and can be made wider. One stop of the Tab key: arrows go from name to name. */
export const HeaderRow = memo(function HeaderRow({ columns: { table } }: HeaderRowProps) {
  const [reached, setReached] = useState(0);
  const headers = table.getHeaderGroups()[0]?.headers ?? [];
  const stop = Math.min(reached, headers.length - 1);

  function onKeyDown(event: KeyboardEvent<HTMLButtonElement>, index: number): void {
    const header = headers[index];
    if (header === undefined) return;
    if (event.altKey && (event.key === 'ArrowLeft' || event.key === 'ArrowRight')) {
      resize(header.column, header.getSize() + (event.key === 'ArrowRight' ? widthStep : -widthStep));
    } else if (event.key === 'Enter' || event.key === ' ') {
      if (header.column.getCanSort()) header.column.toggleSorting(undefined, event.shiftKey);
    } else {
      const to = event.altKey ? undefined : headerAfterKey(event.key, index, headers.length);
      if (to === undefined) return;
      setReached(to);
      const cells = event.currentTarget.closest('tr')?.querySelectorAll('button');
      cells?.[to]?.focus();
    }
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <thead className={styles.head}>
      <tr aria-rowindex={1} className={styles.headRow}>
        {headers.map((header, index) => {
          const { column } = header;
          const sorted = column.getIsSorted();
          const name = String(column.columnDef.header);
          const label = spelled(name, 300);
          return (
            <th
              key={header.id}
              scope="col"
              aria-colindex={index + 1}
              aria-sort={sorted === false ? undefined : sorted === 'asc' ? 'ascending' : 'descending'}
              className={styles.headCell}
              data-kind={column.columnDef.meta?.kind}
            >
              <button
                type="button"
                className={styles.sort}
                tabIndex={index === stop ? 0 : -1}
                title={`${label}: Enter or click sorts, with Shift as a further key; Alt with arrows changes the width`}
                aria-label={label}
                onFocus={() => setReached(index)}
                onKeyDown={(event) => onKeyDown(event, index)}
                onClick={column.getToggleSortingHandler()}
              >
                <span className={styles.label}>
                  <Name text={name} />
                </span>
                {sorted === false ? null : (
                  <span aria-hidden className={styles.mark}>
                    {sorted === 'asc' ? '↑' : '↓'}
                    {table.state.sorting.length > 1 ? column.getSortIndex() + 1 : null}
                  </span>
                )}
              </button>
              {/* The pointer's way to do what Alt with arrows does. */}
              <span
                aria-hidden
                className={styles.edge}
                data-moving={column.getIsResizing() || undefined}
                onMouseDown={header.getResizeHandler()}
                onTouchStart={header.getResizeHandler()}
                onDoubleClick={() => resetWidth(column)}
              />
            </th>
          );
        })}
      </tr>
    </thead>
  );
});
