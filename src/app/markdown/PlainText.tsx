import { memo } from 'react';
import { runsOf } from './invisible';
import styles from './text.module.css';

/** Text exactly as it is, with a visible mark for what could not be seen. Inline: the place around it sets the face. */
export const PlainText = memo(function PlainText({ text }: { text: string }) {
  return runsOf(text).map((run, index) =>
    run.kind === 'text' ? (
      run.text
    ) : (
      // Runs have no identity but their place.
      // oxlint-disable-next-line react/no-array-index-key
      <span key={index} className={styles.mark} title={run.title}>
        {run.label}
      </span>
    ),
  );
});
