import { Popover } from '@base-ui/react/popover';
import { useState } from 'react';
import type { ColumnInfo, TableQuery } from '../../ingest/protocol';
import { useFirst } from '../controls/first';
import { More } from '../controls/More';
import { Name, spelled } from '../markdown';
import { setPreferences, usePreferences } from '../stores/preferences';
import { listable, visibilityOf, withChoice } from './columns';
import { FacetView } from './facet/FacetView';
import { ColumnsIcon } from './icons';
import { partIds } from './reach';
import { counted, formatCount } from '../words/format';
import styles from './menu.module.css';

/** With more columns than this there is a field to find one by its name. */
const many = 12;

interface ColumnMenuProps {
  columns: readonly ColumnInfo[];
  query: TableQuery;
  revision: string;
  /** Why there is nothing to open. */
  lack: string | undefined;
}

/** Which columns are shown, and what each of them holds. */
export function ColumnMenu({ columns, query, revision, lack }: ColumnMenuProps) {
  const [find, setFind] = useState('');
  const [looked, setLooked] = useState<string>();
  const lookedAt = columns.find(({ key }) => key === looked);
  const chosen = usePreferences((state) => state.columnsShown);
  const visible = visibilityOf(columns, chosen);
  const wanted = find.trim().toLowerCase();
  const useful = listable(columns, chosen);
  const listed = useful.filter(({ label }) => label.toLowerCase().includes(wanted));
  const { shown, rest, showMore } = useFirst(listed, wanted);
  const most = columns.reduce((filled, info) => Math.max(filled, info.filled), 0);
  const filledIn = ({ filled }: ColumnInfo) =>
    `filled in ${filled === most ? 'all episodes' : `${formatCount(filled)} of ${counted(most, 'episode')}`}`;
  const choice = () => (
    <>
      {useful.length > many ? (
        <input
          type="search"
          className={styles.find}
          placeholder={`Find among ${formatCount(useful.length)}`}
          aria-label="Find a column"
          value={find}
          onChange={(event) => setFind(event.target.value)}
        />
      ) : null}
      <div className={styles.list}>
        <fieldset className={styles.fields} aria-label="Columns to show">
          {shown.map((info) => (
            <div key={info.key} className={styles.item}>
              <label className={styles.choice}>
                <input
                  type="checkbox"
                  checked={visible[info.key] ?? false}
                  onChange={(event) =>
                    setPreferences({ columnsShown: withChoice(chosen, info, event.target.checked) })
                  }
                />
                <span className={styles.name}>
                  <Name text={info.label} />
                </span>
              </label>
              <button
                type="button"
                className={styles.filled}
                title={`What is in it; ${filledIn(info)}`}
                aria-label={`What is in ${spelled(info.label, 120)}, ${filledIn(info)}`}
                onClick={() => setLooked(info.key)}
              >
                {info.filled === most ? null : formatCount(info.filled)}
                <span aria-hidden> ›</span>
              </button>
            </div>
          ))}
          <More rest={rest} onMore={showMore} />
          {listed.length === 0 ? <p className={styles.none}>No column has this in its name.</p> : null}
        </fieldset>
      </div>
      <button
        type="button"
        className={styles.reset}
        onClick={() => setPreferences({ columnsShown: {}, columnWidths: {} })}
      >
        Usual columns and widths
      </button>
    </>
  );
  return (
    <Popover.Root
      onOpenChange={() => {
        setFind('');
        setLooked(undefined);
      }}
    >
      <Popover.Trigger
        id={partIds.columns}
        className={styles.icon ?? ''}
        disabled={lack !== undefined}
        aria-label="Columns"
        title={lack ?? 'Columns, and what is in them'}
      >
        <ColumnsIcon />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner className={styles.positioner ?? ''} align="end" sideOffset={4}>
          <Popover.Popup className={styles.popup ?? ''} aria-label="Columns">
            {lookedAt === undefined ? (
              choice()
            ) : (
              <>
                <div className={styles.head}>
                  <button
                    type="button"
                    className={styles.back}
                    aria-label="Back to all columns"
                    title="Back to all columns"
                    onClick={() => setLooked(undefined)}
                  >
                    <span aria-hidden>‹</span>
                  </button>
                  <Popover.Title className={styles.title ?? ''}>
                    <Name text={lookedAt.label} />
                  </Popover.Title>
                </div>
                <FacetView info={lookedAt} query={query} revision={revision} columns={columns} />
              </>
            )}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
