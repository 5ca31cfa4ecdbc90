import { Tabs } from '@base-ui/react/tabs';
import type { Ref } from 'react';
import styles from './controls.module.css';

interface TabStripProps {
  label: string;
  tabs: readonly { id: string; name: string; badge?: number }[];
  ref?: Ref<HTMLDivElement>;
}

/** The row of tabs within `Tabs.Root`. A badge of 0 is not drawn. */
export function TabStrip({ label, tabs, ref }: TabStripProps) {
  return (
    <Tabs.List ref={ref} className={styles.tabStrip ?? ''} aria-label={label}>
      {tabs.map(({ id, name, badge = 0 }) => (
        <Tabs.Tab key={id} value={id} className={styles.tab ?? ''}>
          {name}
          {badge === 0 ? null : (
            <span aria-hidden className={styles.badge}>
              {badge}
            </span>
          )}
        </Tabs.Tab>
      ))}
    </Tabs.List>
  );
}
