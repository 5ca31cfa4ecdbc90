import type { ReactNode, Ref } from 'react';
import { SmallButton } from './SmallButton';
import styles from './field.module.css';

interface Sought {
  text: string;
  matchCase: boolean;
}

interface SearchFieldProps extends Sought {
  ref: Ref<HTMLInputElement>;
  label: string;
  onChange: (change: Partial<Sought>) => void;
  /** More buttons inside the field. */
  children?: ReactNode;
}

/** A text to look for, and whether its case counts. */
export function SearchField({ ref, label, text, matchCase, onChange, children }: SearchFieldProps) {
  return (
    <div className={styles.field}>
      <input
        ref={ref}
        type="text"
        className={styles.input}
        placeholder={label}
        aria-label={label}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => onChange({ text: event.target.value })}
      />
      <SmallButton
        label="Match case"
        sign="Aa"
        pressed={matchCase}
        onClick={() => onChange({ matchCase: !matchCase })}
      />
      {children}
    </div>
  );
}

interface WalkButtonsProps {
  /** `match`, `result` */
  what: string;
  disabled: boolean;
  go: (by: 1 | -1) => void;
}

/** From one place that was found to the next. */
export function WalkButtons({ what, disabled, go }: WalkButtonsProps) {
  return (
    <>
      <SmallButton
        label={`Previous ${what}`}
        title={`Previous ${what} (Shift+Enter)`}
        sign="↑"
        disabled={disabled}
        onClick={() => go(-1)}
      />
      <SmallButton
        label={`Next ${what}`}
        title={`Next ${what} (Enter)`}
        sign="↓"
        disabled={disabled}
        onClick={() => go(1)}
      />
    </>
  );
}
