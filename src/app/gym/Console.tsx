import { useState } from 'react';
import type { Environment } from '../../gym';
import { Button } from '../controls/Button';
import { Segmented } from '../controls/Segmented';
import { copy } from '../stores/toasts';
import { BodyForm } from './BodyForm';
import { curlLine } from './curl';
import { endpointsOf, type Endpoint } from './endpoints';
import { bodyOf, fieldsOf, filledFrom, isObject, jsonOf, type Filled } from './form';
import { jarFor, portUrl } from './port';
import { Response } from './Response';
import { send, type Sent } from './send';
import { ServerLine } from './ServerLine';
import { addClient, chooseClient, keepCookie, removeClient, useClients, useRunning } from './session';
import type { Host } from './worker';
import styles from './gym.module.css';

const groups = ['Episode', 'Tools', 'About the server'] as const;

/** What has been filled in for an endpoint, kept while the person looks at others. */
interface Draft {
  readonly mode: 'form' | 'raw';
  readonly filled: Filled;
  readonly raw: string;
}

/** Any request to the environment, by any client, and what came of it. */
export function Console({ environment, host }: { environment: Environment; host: Host }) {
  const [endpoints] = useState(() => endpointsOf(environment));
  const [name, setName] = useState(endpoints[0]?.name ?? '');
  const [drafts, setDrafts] = useState<ReadonlyMap<string, Draft>>(new Map());
  const [sent, setSent] = useState<Sent>();
  const [problems, setProblems] = useState<ReadonlyMap<string, string>>(new Map());
  const [busy, setBusy] = useState(false);
  const server = useRunning((state) => state.server);
  const clients = useClients((state) => state.list);
  const chosen = useClients((state) => state.chosen);
  const client = clients.find((one) => one.name === chosen) ?? clients[0];
  const endpoint = endpoints.find((one) => one.name === name) ?? endpoints[0];
  if (endpoint === undefined || client === undefined) return null;

  const fields = fieldsOf(endpoint.schema ?? {});
  const draft = drafts.get(endpoint.name) ?? firstDraft(endpoint);
  const cookie = client.cookies[environment.name] ?? '';
  const setDraft = (change: Partial<Draft>): void => {
    setDrafts(new Map(drafts).set(endpoint.name, { ...draft, ...change }));
    setProblems(new Map());
  };
  const bodyText = (): string | undefined => {
    if (draft.mode === 'raw') return draft.raw;
    const made = bodyOf(fields, draft.filled);
    setProblems(made.ok ? new Map() : made.problems);
    return made.ok ? JSON.stringify(made.body) : undefined;
  };
  const sendNow = async (): Promise<void> => {
    const body = bodyText();
    if (body === undefined) return;
    setBusy(true);
    try {
      const made = await send({ server, host, environment, endpoint, body, cookie });
      keepCookie(client.name, environment.name, made.cookie);
      setSent(made);
    } finally {
      setBusy(false);
    }
  };
  const copyCurl = (): void => {
    const body = bodyText();
    if (body === undefined) return;
    const post = endpoint.method === 'POST';
    const line = curlLine({
      method: endpoint.method,
      url: portUrl(environment.name, `/${endpoint.name}`),
      headers: post ? { 'content-type': 'application/json' } : {},
      cookie,
      jar: jarFor(environment, client.name),
      body: post ? body : undefined,
    });
    void copy(line, 'curl');
  };

  return (
    <div className={styles.console}>
      <form
        className={styles.request}
        aria-label="Request"
        onSubmit={(event) => {
          event.preventDefault();
          void sendNow();
        }}
      >
        <div className={styles.line}>
          <label htmlFor="gym-endpoint">Endpoint</label>
          <select
            id="gym-endpoint"
            value={endpoint.name}
            onChange={(event) => {
              setName(event.currentTarget.value);
              setProblems(new Map());
            }}
          >
            {groups.map((group) => (
              <optgroup key={group} label={group}>
                {endpoints
                  .filter((one) => one.group === group)
                  .map((one) => (
                    <option key={one.name} value={one.name}>
                      {one.method} /{one.name}
                    </option>
                  ))}
              </optgroup>
            ))}
          </select>
        </div>
        <p className={styles.quiet}>{endpoint.description}</p>
        <div className={styles.line}>
          <label htmlFor="gym-client">Client</label>
          <select
            id="gym-client"
            value={client.name}
            onChange={(event) => chooseClient(event.currentTarget.value)}
          >
            {clients.map((one) => (
              <option key={one.name}>{one.name}</option>
            ))}
          </select>
          <Button onClick={addClient}>New client</Button>
          {clients.length > 1 ? (
            <Button kind="quiet" onClick={() => removeClient(client.name)}>
              Forget
            </Button>
          ) : null}
        </div>
        <div className={styles.line}>
          <label htmlFor="gym-cookie">Cookie</label>
          <input
            id="gym-cookie"
            className={styles.mono}
            value={cookie}
            placeholder={
              environment.session.kind === 'named'
                ? `${environment.session.cookie}=alice`
                : 'none: a new session'
            }
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => keepCookie(client.name, environment.name, event.currentTarget.value)}
          />
          {cookie === '' ? null : (
            <Button kind="quiet" onClick={() => keepCookie(client.name, environment.name, '')}>
              Drop
            </Button>
          )}
        </div>
        {endpoint.schema === undefined ? null : (
          <>
            <div className={styles.line}>
              <h3>Body</h3>
              <Segmented
                name="Body as"
                value={draft.mode}
                options={[
                  { value: 'form', label: 'Form' },
                  { value: 'raw', label: 'Raw JSON' },
                ]}
                onChange={(mode) => setDraft(switched(draft, mode, endpoint))}
              />
            </div>
            {draft.mode === 'raw' ? (
              <textarea
                className={styles.raw}
                aria-label="Raw JSON body"
                rows={7}
                spellCheck={false}
                value={draft.raw}
                onChange={(event) => setDraft({ raw: event.currentTarget.value })}
              />
            ) : (
              <BodyForm
                fields={fields}
                filled={draft.filled}
                problems={problems}
                onChange={(filled) => setDraft({ filled })}
              />
            )}
          </>
        )}
        <div className={styles.line}>
          <Button kind="primary" type="submit" disabled={busy}>
            {busy ? 'Sending …' : 'Send'}
          </Button>
          <Button onClick={copyCurl}>Copy as curl</Button>
        </div>
        <ServerLine mistakes={server.mistakes} />
      </form>
      <Response sent={sent} environment={environment} instances={server.instances} />
    </div>
  );
}

function firstDraft({ schema = {}, example }: Endpoint): Draft {
  return {
    mode: 'form',
    filled: filledFrom(fieldsOf(schema), example),
    raw: JSON.stringify(example, null, 2),
  };
}

/** What was filled in goes along, as far as the other way can hold it. */
function switched(draft: Draft, mode: Draft['mode'], { schema = {} }: Endpoint): Partial<Draft> {
  const fields = fieldsOf(schema);
  if (mode === 'raw') {
    const made = bodyOf(fields, draft.filled);
    return made.ok ? { mode, raw: JSON.stringify(made.body, null, 2) } : { mode };
  }
  const body = jsonOf(draft.raw) ?? null;
  return isObject(body) ? { mode, filled: filledFrom(fields, body) } : { mode };
}
