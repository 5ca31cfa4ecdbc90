import { Segmented } from '../controls/Segmented';
import { localServerToken } from '../opening/served';
import { Field } from './Field';
import type { Setup } from './setup';
import styles from './live.module.css';

type Endpoint = Setup['endpoint'];

interface EndpointFormProps {
  endpoint: Endpoint;
  secret: string;
  onSecret: (secret: string) => void;
  onChange: (endpoint: Endpoint) => void;
}

/** An endpoint that speaks the OpenAI API. The key is not part of what is remembered. */
export function EndpointForm({ endpoint, secret, onSecret, onChange }: EndpointFormProps) {
  return (
    <div className={styles.fields}>
      <Field label="Address">
        <input
          type="url"
          value={endpoint.baseUrl}
          spellCheck={false}
          onChange={(event) => onChange({ ...endpoint, baseUrl: event.currentTarget.value })}
        />
      </Field>
      <Field label="Model">
        <input
          value={endpoint.model}
          spellCheck={false}
          onChange={(event) => onChange({ ...endpoint, model: event.currentTarget.value })}
        />
      </Field>
      <Field
        label="Key"
        hint="Kept in this page’s memory until it is closed; never stored, exported or logged."
      >
        <input
          type="password"
          autoComplete="off"
          value={secret}
          onChange={(event) => onSecret(event.currentTarget.value)}
        />
      </Field>
      <div className={styles.field}>
        <span>API</span>
        <Segmented
          name="API"
          value={endpoint.api}
          options={[
            { value: 'chat', label: 'Chat completions' },
            { value: 'responses', label: 'Responses' },
          ]}
          onChange={(api) => onChange({ ...endpoint, api })}
        />
      </div>
      {localServerToken() !== undefined ? null : <NoProxy what="A model endpoint" />}
    </div>
  );
}

/** The page may speak to its own origin only. */
export function NoProxy({ what }: { what: string }) {
  return (
    <p className={styles.warning}>
      {what} is reached through Rollscope’s local server, and this page was not opened by one. Start it with{' '}
      <code>npm start</code>, or <code>rollscope</code>, and open the address it prints.
    </p>
  );
}
