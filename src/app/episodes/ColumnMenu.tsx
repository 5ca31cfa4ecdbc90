import { Popover } from '@base-ui/react/popover';
import { useState } from 'react';
import type { ColumnInfo } from '../../ingest/protocol';
import { useFirst } from '../controls/first';
import { More } from '../controls/More';
import { Name } from '../markdown';
import { setPreferences, usePreferences } from '../stores/preferences';
import { visibilityOf, withChoice } from './columns';
import { formatCount } from '../words/format';
import styles from './menu.module.css';

/** With more columns than this there is a field to find one by its name. */
const many = 12;

export function ColumnMenu({ infos }: { infos: readonly ColumnInfo[] }) {
  const [find, setFind] = useState('');
  const chosen = usePreferences((state) => state.columnsShown);
  const visible = visibilityOf(infos, chosen);
  const wanted = find.trim().toLowerCase();
  // A column in which no episode has a value would be empty.
  const useful = infos.filter(({ key, filled }) => filled > 0 || visible[key] === true);
  const listed = useful.filter(({ label }) => label.toLowerCase().includes(wanted));
  const { shown, rest, showMore } = useFirst(listed, wanted);
  return (
    <Popover.Root onOpenChange={() => setFind('')}>
      <Popover.Trigger className={styles.trigger ?? ''} disabled={useful.length === 0}>
        Columns
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner className={styles.positioner ?? ''} align="end" sideOffset={4}>
          <Popover.Popup className={styles.popup ?? ''} aria-label="Columns">
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
                  <label key={info.key} className={styles.item}>
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
                    <span className={styles.filled} title="Episodes that have a value">
                      {formatCount(info.filled)}
                    </span>
                  </label>
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
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
