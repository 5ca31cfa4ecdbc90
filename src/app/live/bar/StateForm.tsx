import { useState } from 'react';
import { errorText } from '../../../model/error-text';
import { Button } from '../../controls/Button';
import styles from './bar.module.css';

interface StateFormProps {
  value: unknown;
  onSubmit: (value: unknown) => void;
  onCancel: () => void;
}

/** What the server keeps for the session, as JSON. */
export function StateForm({ value, onSubmit, onCancel }: StateFormProps) {
  const [text, setText] = useState(() => JSON.stringify(value ?? null, null, 2));
  const [fault, setFault] = useState<string>();
  return (
    <form
      className={styles.form}
      aria-label="Session state"
      onSubmit={(event) => {
        event.preventDefault();
        try {
          onSubmit(JSON.parse(text));
        } catch (error) {
          setFault(errorText(error));
        }
      }}
    >
      <h3>The session’s state on the server</h3>
      <textarea
        rows={10}
        aria-label="State as JSON"
        aria-invalid={fault !== undefined}
        spellCheck={false}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setFault(undefined);
        }}
      />
      {fault === undefined ? null : <p className={styles.fault}>{fault}</p>}
      <div className={styles.formEnd}>
        <span className={styles.formButtons}>
          <Button onClick={onCancel}>Cancel</Button>
          <Button kind="primary" type="submit">
            Set it
          </Button>
        </span>
      </div>
    </form>
  );
}
