import { useId, useState, type FormEvent } from 'react';
import { Button } from '../controls/Button';
import { messageOf } from '../data/messageOf';
import { openUrl } from '../opening/open';
import styles from './start.module.css';

/** Opens the file behind a URL, or says why not. */
export function UrlField() {
  const [text, setText] = useState('');
  const [state, setState] = useState<'asking' | { error: string }>();
  const id = useId();
  const error = typeof state === 'object' ? state.error : undefined;

  async function open(event: FormEvent): Promise<void> {
    event.preventDefault();
    setState('asking');
    try {
      await openUrl(text);
    } catch (caught) {
      setState({ error: messageOf(caught) });
    }
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
          setState(undefined);
        }}
      />
      <Button type="submit" disabled={text.trim() === '' || state === 'asking'}>
        {state === 'asking' ? 'Asking …' : 'Open URL'}
      </Button>
      {error === undefined ? null : (
        <p id={id} role="alert" className={styles.urlError}>
          {error}
        </p>
      )}
    </form>
  );
}
