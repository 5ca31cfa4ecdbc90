import { environments } from '../../gym';
import { Segmented } from '../controls/Segmented';
import { localServerToken } from '../opening/served';
import { NoProxy } from './EndpointForm';
import { Field } from './Field';
import styles from './live.module.css';

interface EnvironmentFieldsProps {
  /** A name, or `guess`. */
  environment: string;
  /** What `guess` comes to, in words; where it is absent there is nothing to guess. */
  guess?: string;
  server: 'tab' | 'url';
  serverUrl: string;
  onChange: (change: { environment?: string; server?: 'tab' | 'url'; serverUrl?: string }) => void;
}

/** Which environment, and where it runs. */
export function EnvironmentFields({
  environment,
  guess,
  server,
  serverUrl,
  onChange,
}: EnvironmentFieldsProps) {
  return (
    <div className={styles.dialogFields}>
      <Field label="Environment">
        <select
          value={environment}
          onChange={(event) => onChange({ environment: event.currentTarget.value })}
        >
          {guess === undefined ? null : <option value="guess">{guess}</option>}
          {environments.map(({ name, title }) => (
            <option key={name} value={name}>
              {`${name}: ${title}`}
            </option>
          ))}
        </select>
      </Field>
      <Segmented
        name="Server"
        value={server}
        options={[
          { value: 'tab', label: 'In this tab' },
          { value: 'url', label: 'By address' },
        ]}
        onChange={(next) => onChange({ server: next })}
      />
      {server === 'tab' ? null : (
        <>
          <Field label="Address of the resources server">
            <input
              type="url"
              spellCheck={false}
              value={serverUrl}
              onChange={(event) => onChange({ serverUrl: event.currentTarget.value })}
            />
          </Field>
          {localServerToken() !== undefined ? null : <NoProxy what="A server at an address" />}
        </>
      )}
    </div>
  );
}
