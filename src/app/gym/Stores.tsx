import { useState } from 'react';
import { STORE_TRAITS, type StoreKind } from '../../gym';
import { Button } from '../controls/Button';
import { Guide } from './Guide';
import { latencyOf } from './latency';
import { useRunning } from './session';
import styles from './gym.module.css';

const kinds = Object.keys(STORE_TRAITS).filter((kind): kind is StoreKind => kind in STORE_TRAITS);

type Latencies = Partial<Record<StoreKind, number | string>>;

/** The stores side by side, with what they take in this browser, and how to choose. */
export function Stores() {
  const used = useRunning((state) => state.server.store);
  const [latencies, setLatencies] = useState<Latencies>({});
  const [busy, setBusy] = useState(false);
  const measure = async (): Promise<void> => {
    setBusy(true);
    for (const kind of ['memory', 'indexeddb'] as const) {
      const ms = await latencyOf(kind).catch((error: unknown) => String(error));
      setLatencies((known) => ({ ...known, [kind]: ms }));
    }
    setBusy(false);
  };
  return (
    <div className={styles.padded}>
      <div className={styles.line}>
        <h3>Where session state can live</h3>
        <Button disabled={busy} onClick={() => void measure()}>
          {busy ? 'Measuring …' : 'Measure here'}
        </Button>
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
              return (
                <tr key={kind} className={kind === used ? styles.rowUsed : undefined}>
                  <th scope="row">
                    <code>{kind}</code> {kind === used ? <span className={styles.tag}>in use</span> : null}
                  </th>
                  <td>{traits.where}</td>
                  <td>{traits.survivesRestart}</td>
                  <td>{traits.severalInstances}</td>
                  <td>{traits.speed}</td>
                  <td>{traits.complexity}</td>
                  <td>{latencyWords(kind, latencies[kind])}</td>
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

function latencyWords(kind: StoreKind, ms: number | string | undefined): string {
  if (kind === 'redis' || kind === 'http') return 'not in a tab';
  if (ms === undefined) return 'not measured';
  if (typeof ms === 'string') return ms;
  return ms < 0.1 ? `${(ms * 1000).toFixed(1)} µs` : `${ms.toFixed(2)} ms`;
}
