import { useId } from 'react';
import { Segmented } from '../controls/Segmented';
import { localServerToken } from '../opening/served';
import styles from './gym.module.css';

/** Which server to check, and how to call it. */
export interface CheckSetup {
  readonly where: 'tab' | 'url';
  readonly address: string;
  /** The description of the server, as JSON that can be changed. */
  readonly profile: string;
}

interface CheckFormProps {
  setup: CheckSetup;
  problem: string | undefined;
  onChange: (change: Partial<CheckSetup>) => void;
}

export function CheckForm({ setup, problem, onChange }: CheckFormProps) {
  const id = useId();
  return (
    <>
      <div className={styles.line}>
        <Segmented
          name="Server to check"
          value={setup.where}
          options={[
            { value: 'tab', label: 'In this tab' },
            { value: 'url', label: 'By address' },
          ]}
          onChange={(where) => onChange({ where })}
        />
        {setup.where === 'tab' ? (
          <span className={styles.quiet}>
            One like the server that runs, with sessions of its own that are cleaned up after four seconds.
          </span>
        ) : (
          <>
            <label htmlFor={`${id}-address`}>Address</label>
            <input
              id={`${id}-address`}
              className={styles.mono}
              type="url"
              spellCheck={false}
              placeholder="http://127.0.0.1:8000/stateful_counter"
              value={setup.address}
              onChange={(event) => onChange({ address: event.currentTarget.value })}
            />
          </>
        )}
      </div>
      {setup.where === 'tab' ? null : (
        <>
          {localServerToken() !== undefined ? null : (
            <p className={styles.problem}>
              A server at an address is reached through Rollscope’s local server, and this page was not opened
              by one. Start it with <code>rollscope</code> and open the address it prints, or check from a
              terminal: <code>rollscope check ADDRESS --profile NAME</code>
            </p>
          )}
          <details className={styles.schema}>
            <summary>Profile: what is sent, and what should come of it</summary>
            <textarea
              className={styles.raw}
              aria-label="Profile"
              aria-describedby={`${id}-profile`}
              rows={14}
              spellCheck={false}
              value={setup.profile}
              onChange={(event) => onChange({ profile: event.currentTarget.value })}
            />
            <p id={`${id}-profile`} className={styles.quiet}>
              This environment’s. For a server of your own: how to seed, write and read, and what is then
              seen.
            </p>
          </details>
        </>
      )}
      {problem === undefined ? null : (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
    </>
  );
}
