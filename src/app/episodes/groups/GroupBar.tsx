import { useState } from 'react';
import { Name } from '../../markdown';
import { counted } from '../../words/format';
import { kFrom, setGroupSettings, useGroupSettings } from './settings';
import styles from './groups.module.css';

/** What the episodes are grouped by, for which k pass@k is wanted, and what passing means. */
export function GroupBar({ name, total }: { name: string; total: number | undefined }) {
  const { k, passes } = useGroupSettings();
  return (
    <div className={styles.bar}>
      <span className={styles.by}>
        {total === undefined ? 'By ' : `${counted(total, 'group')} by `}
        <Name text={name} most={60} />
      </span>
      <Field
        label="pass@"
        name="k of pass@k, several with commas"
        value={k.join(', ')}
        onWrite={(text) => {
          const read = kFrom(text);
          if (read !== undefined) setGroupSettings({ k: read });
          return read !== undefined;
        }}
      />
      <Field
        label="pass ≥"
        name="Reward from which a rollout passes"
        value={String(passes)}
        onWrite={(text) => {
          const read = text.trim() === '' ? NaN : Number(text);
          if (Number.isFinite(read)) setGroupSettings({ passes: read });
          return Number.isFinite(read);
        }}
      />
    </div>
  );
}

interface FieldProps {
  label: string;
  name: string;
  value: string;
  /** False where it makes no sense. */
  onWrite: (text: string) => boolean;
}

/** What is written counts as soon as it makes sense; what does not is marked, and forgotten on leaving. */
function Field({ label, name, value, onWrite }: FieldProps) {
  const [text, setText] = useState<string>();
  const [wrong, setWrong] = useState(false);
  return (
    <label className={styles.field} title={name}>
      <span aria-hidden>{label}</span>
      <input
        type="text"
        inputMode="decimal"
        aria-label={name}
        aria-invalid={wrong}
        className={styles.number}
        style={{ width: `calc(${Math.min(12, Math.max(2, (text ?? value).length))}ch + 12px)` }}
        value={text ?? value}
        onChange={(event) => {
          setText(event.target.value);
          setWrong(!onWrite(event.target.value));
        }}
        onBlur={() => {
          setText(undefined);
          setWrong(false);
        }}
      />
    </label>
  );
}
