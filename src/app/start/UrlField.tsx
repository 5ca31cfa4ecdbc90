import { useEffect, useId, useRef, useState, type FormEvent } from 'react';
import { Button } from '../controls/Button';
import { errorText } from '../../model/error-text';
import { openUrl } from '../opening/open';
import styles from './start.module.css';

/** Opens the file behind a URL, or says why not. */
export function UrlField() {
  const [text, setText] = useState('');
  const [state, setState] = useState<'asking' | { error: string }>();
  const id = useId();
  const error = typeof state === 'object' ? state.error : undefined;
  const asked = useRef<AbortController>(undefined);
  // A host that takes its time must not pull the person away from what they do by then.
  useEffect(() => () => asked.current?.abort(), []);

  async function open(event: FormEvent): Promise<void> {
    event.preventDefault();
    const wanted = new AbortController();
    asked.current?.abort();
    asked.current = wanted;
    setState('asking');
    try {
      await openUrl(text, wanted.signal);
    } catch (caught) {
      if (!wanted.signal.aborted) setState({ error: errorText(caught) });
    }
  }

  function forget(): void {
    asked.current?.abort();
    setState(undefined);
  }

  return (
    <form className={styles.url} onSubmit={(event) => void open(event)}>
      <input
        type="text"
        inputMode="url"
        autoComplete="url"
        spellCheck={false}
        className={styles.urlText}
        aria-label="URL of a file"
        placeholder="https://… of a file"
        value={text}
        aria-invalid={error !== undefined}
        aria-describedby={error === undefined ? undefined : id}
        onChange={(event) => {
          setText(event.target.value);
          forget();
        }}
      />
      {state === 'asking' ? (
        <Button key="cancel" onClick={forget}>
          Cancel
        </Button>
      ) : (
        <Button key="open" type="submit" disabled={text.trim() === ''}>
          Open URL
        </Button>
      )}
      {state === 'asking' ? <output className={styles.urlState}>Asking for it …</output> : null}
      {error === undefined ? null : (
        <p id={id} role="alert" className={styles.urlError}>
          {error}
        </p>
      )}
    </form>
  );
}
