import { useEffect, useState } from 'react';
import { environments, type Environment, type Json } from '../../gym';
import { errorText } from '../../model/error-text';
import { Name } from '../markdown';
import { JsonTree } from './JsonTree';
import type { SessionRow, TabServer } from './server';
import { useRunning } from './session';
import styles from './gym.module.css';

/** The most recent ones are looked into; all are counted. */
const MOST_ROWS = 40;

interface Shown {
  readonly rows: readonly (SessionRow & { readonly state: Json | undefined })[];
  readonly total: number;
  readonly now: number;
}

/** Every session the server knows, as it is now. */
export function Sessions({ environment }: { environment: Environment }) {
  const { shown, failed } = useSessions();
  return (
    <section className={styles.sessions} aria-labelledby="sessions-title">
      <div className={styles.sessionsHead}>
        <h2 id="sessions-title">Sessions</h2>
        <span className={styles.quiet}>
          {shown === undefined ? '' : `${shown.total} on this server, latest first`}
        </span>
      </div>
      {failed === undefined ? null : (
        <p className={styles.problem} role="alert">
          The store cannot be read: {failed}
        </p>
      )}
      {shown === undefined || shown.total === 0 ? (
        <p className={styles.none}>
          {environment.stateful
            ? 'None yet. A session gets its state with the first seed or the first tool call that writes.'
            : 'None. This environment keeps no state.'}
        </p>
      ) : (
        <table className={styles.table} aria-label="Sessions">
          <thead>
            <tr>
              <th scope="col">session</th>
              <th scope="col">environment</th>
              <th scope="col">kept by</th>
              <th scope="col">age</th>
              <th scope="col">idle</th>
              <th scope="col">writes</th>
              <th scope="col">state</th>
            </tr>
          </thead>
          <tbody>
            {shown.rows.map((row) => (
              <tr key={`${row.environment} ${row.instance ?? ''} ${row.id}`}>
                <th scope="row">
                  <code>
                    <Name text={row.id} most={16} />
                  </code>
                </th>
                <td>{row.environment}</td>
                <td>{row.instance === undefined ? 'all instances' : `instance ${row.instance}`}</td>
                <td>{age(shown.now - row.createdAt)}</td>
                <td>{age(shown.now - row.touchedAt)}</td>
                <td>{row.version}</td>
                <td>
                  <JsonTree value={row.state} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

/** Read again after every request and every second: another tab may share the store. */
function useSessions(): { shown: Shown | undefined; failed: string | undefined } {
  const server = useRunning((state) => state.server);
  const count = useRunning((state) => state.count);
  const [shown, setShown] = useState<Shown>();
  const [failed, setFailed] = useState<string>();
  useEffect(() => {
    let wanted = true;
    const look = (): void => {
      read(server).then(
        (next) => {
          if (!wanted) return;
          setShown(next);
          setFailed(undefined);
        },
        (error: unknown) => {
          if (wanted) setFailed(errorText(error));
        },
      );
    };
    look();
    const timer = setInterval(() => {
      if (!document.hidden) look();
    }, 1000);
    return () => {
      wanted = false;
      clearInterval(timer);
    };
    // A request that was answered (`count`) may have changed a session.
    // oxlint-disable-next-line react/exhaustive-effect-dependencies
  }, [server, count]);
  return { shown, failed };
}

async function read(server: TabServer): Promise<Shown> {
  const stateful = environments.filter((environment) => environment.stateful);
  const found = await Promise.all(stateful.map(({ name }) => server.sessions(name)));
  const all = found.flat().sort((a, b) => b.touchedAt - a.touchedAt);
  const rows = await Promise.all(
    all.slice(0, MOST_ROWS).map(async (row) => {
      const states = await server.states(row.environment, row.id);
      return { ...row, state: states[(row.instance ?? 1) - 1] };
    }),
  );
  return { rows, total: all.length, now: Date.now() };
}

/** `12 s`, `3 min`, `2 h` */
function age(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86_400)} d`;
}
