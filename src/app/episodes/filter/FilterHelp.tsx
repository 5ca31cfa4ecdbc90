import { Popover } from '@base-ui/react/popover';
import type { ColumnInfo } from '../../../ingest/protocol';
import { Name } from '../../markdown';
import menu from '../menu.module.css';
import styles from './filter.module.css';

const examples: readonly [string, string][] = [
  ['reward < 0.5', 'compare: < <= > >= = !='],
  ['tool:search', 'contains, whatever the case'],
  ['task = 17', 'is exactly'],
  ['size = "big"', 'in quotes: text, also among numbers'],
  ['resolved', 'a column of yes and no, alone'],
  ['reward is missing', 'or: is filled'],
  ['"lost cookie"', 'anywhere in the columns of text'],
  ['`mean reward` > 1', 'a name with spaces'],
  ['a or (b and not c)', 'and may be left out'],
];

/** The language of filters on one small page. */
export function FilterHelp({ columns }: { columns: readonly ColumnInfo[] }) {
  const named = columns.filter(({ filled }) => filled > 0).slice(0, 40);
  return (
    <Popover.Root>
      <Popover.Trigger className={styles.button ?? ''} aria-label="How to filter" title="How to filter">
        <span aria-hidden>?</span>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner className={menu.positioner ?? ''} align="end" sideOffset={6}>
          <Popover.Popup className={styles.help ?? ''} aria-label="How to filter">
            <Popover.Title className={styles.helpTitle ?? ''}>How to filter</Popover.Title>
            <dl className={styles.examples}>
              {examples.map(([text, meaning]) => (
                <div key={text}>
                  <dt>{text}</dt>
                  <dd>{meaning}</dd>
                </div>
              ))}
            </dl>
            <p className={styles.helpNote}>
              Tab takes what is offered, Enter applies, Escape goes back to the table. A comparison with a
              value that is missing is false. Columns here:
            </p>
            <p className={styles.names}>
              {named.map(({ key, label }) => (
                <code key={key}>
                  <Name text={key.startsWith('metric:') ? label : key} most={60} />
                </code>
              ))}
            </p>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
