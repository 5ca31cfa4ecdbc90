import { MISTAKES, type MistakeName } from '../../gym';
import { Button } from '../controls/Button';
import { Segmented } from '../controls/Segmented';
import { say } from '../stores/toasts';
import { mistakesOf } from './sideBySide';
import { restart, setInstances, setMistakes, setStore, useRunning } from './session';
import { Traffic } from './Traffic';
import type { Host } from './worker';
import styles from './gym.module.css';

const MOST_INSTANCES = 4;
const mistakeNames = Object.keys(MISTAKES).filter((name): name is MistakeName => name in MISTAKES);

/** The server itself: how it is reached, where its sessions live, what is wrong with it on purpose. */
export function ServerPanel({ host }: { host: Host | undefined }) {
  const server = useRunning((state) => state.server);
  const { store, instances, mistakes } = server;
  return (
    <aside className={styles.side} aria-label="Server">
      <section aria-labelledby="server-title">
        <h2 id="server-title">Server</h2>
        <Reached host={host} />
        <Traffic />
      </section>
      <section aria-labelledby="store-title">
        <h2 id="store-title">Sessions are kept in</h2>
        <Segmented
          name="Store"
          value={store}
          options={[
            { value: 'memory', label: 'Memory' },
            { value: 'indexeddb', label: 'IndexedDB' },
          ]}
          onChange={setStore}
        />
        <p className={styles.quiet}>
          {store === 'memory'
            ? 'Gone with a restart or a reload; every instance has its own.'
            : 'Kept over restarts and reloads, shared by instances and tabs.'}
        </p>
        <div className={styles.buttons}>
          <Button
            onClick={() => {
              restart();
              say(
                store === 'memory'
                  ? 'Restarted: the sessions are gone'
                  : 'Restarted: the sessions are still there',
              );
            }}
          >
            Restart the server
          </Button>
          <Button disabled={instances >= MOST_INSTANCES} onClick={() => setInstances(instances + 1)}>
            Add an instance
          </Button>
          {instances > 1 ? <Button onClick={() => setInstances(instances - 1)}>Remove one</Button> : null}
        </div>
        <output className={styles.quiet}>
          {instances === 1
            ? 'One instance answers all requests.'
            : `${instances} instances answer in turn${store === 'memory' ? ', and know nothing of each other’s sessions' : ''}.`}
        </output>
      </section>
      <section aria-labelledby="mistakes-title">
        <h2 id="mistakes-title">Mistakes on purpose</h2>
        <ul className={styles.switches}>
          {mistakeNames.map((name) => (
            <li key={name}>
              <label>
                <input
                  type="checkbox"
                  checked={Boolean(mistakes[name])}
                  onChange={(event) => {
                    const { [name]: _, ...others } = mistakes;
                    setMistakes(event.currentTarget.checked ? { ...others, ...mistakesOf(name) } : others);
                  }}
                />
                <code>{name}</code>
                <span>{MISTAKES[name]}</span>
              </label>
            </li>
          ))}
        </ul>
      </section>
    </aside>
  );
}

function Reached({ host }: { host: Host | undefined }) {
  if (host === undefined) return <p className={styles.quiet}>Starting …</p>;
  if (host.without === undefined) {
    return (
      <p className={styles.reached}>
        <span className={styles.good}>Running</span> behind a service worker at{' '}
        <code>{new URL(host.baseUrl).pathname}/</code>
      </p>
    );
  }
  return (
    <output className={styles.fallback}>
      <b>No service worker: the server is called directly.</b>
      <p>
        {host.without} Everything here works the same; only the requests do not show in the browser’s network
        tools.
      </p>
    </output>
  );
}
