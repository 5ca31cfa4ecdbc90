import { useId, useState } from 'react';
import type { AllGroups } from '../../../ingest/protocol';
import { Name } from '../../markdown';
import { counted } from '../../words/format';
import { setPooled } from '../query';
import { kFrom, passesFrom, useGroupSettings, type Read } from './settings';
import styles from './groups.module.css';

interface GroupBarProps {
  name: string;
  total: number | undefined;
  all: AllGroups | undefined;
  /** A filter leaves some episodes. */
  filtered: boolean;
  /** There are several files whose groups are apart, or pooled. */
  several: boolean;
  pooled: boolean;
}

/** What the episodes are grouped by and how many these are, for which k pass@k is wanted, and what passing means. */
export function GroupBar({ name, total, all, filtered, several, pooled }: GroupBarProps) {
  const { k, passes } = useGroupSettings();
  return (
    <div className={styles.bar}>
      <span className={styles.by}>
        {total === undefined ? 'By ' : `${counted(total, 'group')} by `}
        <Name text={name} most={60} />
        {several && !pooled ? ' and file' : null}
        {filtered && all !== undefined
          ? `, of the ${counted(all.n + all.ungrouped, 'episode')} the filter leaves`
          : null}
      </span>
      {several ? (
        <label
          className={styles.field}
          title="Equal values in different files make one group, as for the shards of one run. Without it each file has groups of its own."
        >
          <input
            type="checkbox"
            className={styles.check}
            checked={pooled}
            onChange={(event) => setPooled(event.target.checked)}
          />
          Pool files
        </label>
      ) : null}
      <span className={styles.fields}>
        <Field label="pass@" name="k of pass@k, several with commas" value={k.join(', ')} read={kFrom} />
        <Field
          label="pass ≥"
          name="Reward from which a rollout passes"
          value={String(passes)}
          read={passesFrom}
        />
      </span>
    </div>
  );
}

interface FieldProps {
  label: string;
  name: string;
  value: string;
  read: (text: string) => Read;
}

/** What is written counts as soon as it makes sense; of what does not is said why, and it is forgotten on leaving. */
function Field({ label, name, value, read }: FieldProps) {
  const id = useId();
  const [text, setText] = useState<string>();
  const now = read(text ?? value);
  const wrong = 'wrong' in now ? now.wrong : undefined;
  return (
    <>
      <label className={styles.field} title={name}>
        <span aria-hidden>{label}</span>
        <input
          type="text"
          inputMode="decimal"
          aria-label={name}
          aria-invalid={wrong !== undefined}
          aria-describedby={wrong === undefined ? undefined : id}
          className={styles.number}
          style={{ width: `calc(${Math.min(12, Math.max(2, (text ?? value).length))}ch + 12px)` }}
          value={text ?? value}
          onChange={(event) => {
            setText(event.target.value);
            const next = read(event.target.value);
            if ('settings' in next) useGroupSettings.setState(next.settings);
          }}
          onBlur={() => setText(undefined)}
        />
      </label>
      {wrong === undefined ? null : (
        <span id={id} role="alert" className={styles.wrong}>
          {wrong}
        </span>
      )}
    </>
  );
}
