import { useState } from 'react';
import { STORE_TRAITS, type StoreKind } from '../../gym';
import { Button, join } from '../controls/Button';
import { Guide } from './Guide';
import { latencyOf } from './latency';
import type { TabStoreKind } from './server';
import { useRunning } from './session';
import { tryStore, type Trial } from './trial';
import styles from './gym.module.css';

const kinds = Object.keys(STORE_TRAITS).filter((kind): kind is StoreKind => kind in STORE_TRAITS);

interface Seen {
  /** Milliseconds of an update. */
  readonly latency: number;
  readonly trial: Trial;
}

async function lookAt(kind: TabStoreKind): Promise<Seen> {
  const trial = await tryStore(kind);
  return { trial, latency: await latencyOf(kind) };
}

/** The stores side by side, with what they do in this browser, and how to choose. */
export function Stores() {
  const used = useRunning((state) => state.server.store);
  const [seen, setSeen] = useState<Partial<Record<StoreKind, Seen | string>>>({});
  const [busy, setBusy] = useState(false);
  const tryThem = async (): Promise<void> => {
    setBusy(true);
    for (const kind of ['memory', 'indexeddb'] as const) {
      const found = await lookAt(kind).catch((error: unknown) => String(error));
      setSeen((known) => ({ ...known, [kind]: found }));
    }
    setBusy(false);
  };
  return (
    <div className={styles.padded}>
      <div className={styles.line}>
        <h3>Where session state can live</h3>
        <Button disabled={busy} onClick={() => void tryThem()}>
          {busy ? 'Trying …' : 'Try them here'}
        </Button>
        <span className={styles.quiet}>
          Seeds a counter with 3, restarts the server, asks a second instance, and times an update.
        </span>
      </div>
      <div className={styles.scroller}>
        <table className={styles.table} aria-label="Stores">
          <thead>
            <tr>
              <th scope="col">store</th>
              <th scope="col">where</th>
              <th scope="col">survives a restart</th>
              <th scope="col">several instances</th>
              <th scope="col">speed</th>
              <th scope="col">complexity</th>
              <th scope="col">one update here</th>
            </tr>
          </thead>
          <tbody>
            {kinds.map((kind) => {
              const traits = STORE_TRAITS[kind];
              const found = seen[kind];
              const trial = typeof found === 'object' ? found.trial : undefined;
              return (
                <tr key={kind} className={kind === used ? styles.rowUsed : undefined}>
                  <th scope="row">
                    <code>{kind}</code> {kind === used ? <span className={styles.tag}>in use</span> : null}
                  </th>
                  <td>{traits.where}</td>
                  <td>
                    {traits.survivesRestart} <Outcome trial={trial} count={trial?.afterRestart} />
                  </td>
                  <td>
                    {traits.severalInstances} <Outcome trial={trial} count={trial?.onAnotherInstance} />
                  </td>
                  <td>{traits.speed}</td>
                  <td>{traits.complexity}</td>
                  <td>{latencyWords(kind, found)}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      <Guide />
    </div>
  );
}

/** `3 → 0`: lost; `3 → 3`: kept. */
function Outcome({ trial, count }: { trial: Trial | undefined; count: number | undefined }) {
  if (trial === undefined) return null;
  const kept = count === trial.seeded;
  return (
    <span className={join(styles.status, kept ? styles.good : styles.bad)}>
      {trial.seeded} → {count} {kept ? 'kept' : 'lost'}
    </span>
  );
}

function latencyWords(kind: StoreKind, found: Seen | string | undefined): string {
  if (kind === 'redis' || kind === 'http') return 'not in a tab';
  if (found === undefined) return 'not tried';
  if (typeof found === 'string') return found;
  const { latency } = found;
  return latency < 0.1 ? `${(latency * 1000).toFixed(1)} µs` : `${latency.toFixed(2)} ms`;
}
