import { useState } from 'react';
import { Button } from '../../controls/Button';
import styles from './bar.module.css';

interface ResultsFormProps {
  results: readonly { name: string; text: string }[];
  onSubmit: (texts: ReadonlyMap<number, string>) => void;
  onCancel: () => void;
}

/** What the tools answered, before the policy reads it. */
export function ResultsForm({ results, onSubmit, onCancel }: ResultsFormProps) {
  const [texts, setTexts] = useState<ReadonlyMap<number, string>>(new Map());
  return (
    <form
      className={styles.form}
      aria-label="Tool results"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(texts);
      }}
    >
      <h3>Tool results, before the policy reads them</h3>
      {results.map(({ name, text }, index) => (
        // Results are named by their place.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={index}>
          <code>{name}</code>
          <textarea
            rows={4}
            aria-label={`Result ${index}, of ${name}`}
            spellCheck={false}
            value={texts.get(index) ?? text}
            onChange={(event) => setTexts(new Map(texts).set(index, event.currentTarget.value))}
          />
        </div>
      ))}
      <div className={styles.formEnd}>
        <span className={styles.formButtons}>
          <Button onClick={onCancel}>Cancel</Button>
          <Button kind="primary" type="submit" disabled={texts.size === 0}>
            Replace them
          </Button>
        </span>
      </div>
    </form>
  );
}
