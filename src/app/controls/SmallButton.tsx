import styles from './field.module.css';

interface SmallButtonProps {
  /** What it does, for those who do not see the sign. */
  label: string;
  /** With its key. */
  title?: string;
  sign: string;
  pressed?: boolean;
  disabled?: boolean;
  onClick: () => void;
}

/** A button of one sign in or beside a field. */
export function SmallButton({ label, title = label, sign, pressed, disabled, onClick }: SmallButtonProps) {
  return (
    <button
      type="button"
      className={styles.button}
      aria-label={label}
      title={title}
      aria-pressed={pressed}
      disabled={disabled}
      onClick={onClick}
    >
      <span aria-hidden>{sign}</span>
    </button>
  );
}
