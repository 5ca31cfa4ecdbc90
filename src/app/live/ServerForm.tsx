import { MISTAKES, mistakesOn } from '../../gym';
import { Segmented } from '../controls/Segmented';
import { localServerToken } from '../opening/served';
import { NoProxy } from './EndpointForm';
import { Field } from './Field';
import { setUp, type Setup } from './setup';
import styles from './live.module.css';

const everyMistake = mistakesOn({
  global_state: true,
  assume_state: true,
  seed_setdefault: true,
  drop_cookies: true,
  lost_update: true,
  slow: 1,
  flaky: 1,
});

/** Else the state after each call could not be told. */
const oneAtATime =
  'A run makes its calls one after the other, so it does not show here: see it under Environments, side by side.';

/** Where the environment runs: in this tab, or anywhere behind an address. */
export function ServerForm({ setup }: { setup: Setup }) {
  return (
    <section aria-labelledby="live-server">
      <h2 id="live-server">Server</h2>
      <Segmented
        name="Server"
        value={setup.server}
        options={[
          { value: 'tab', label: 'In this tab' },
          { value: 'url', label: 'By address' },
        ]}
        onChange={(server) => setUp({ server })}
      />
      {setup.server === 'url' ? (
        <>
          <Field
            label="Address of the resources server"
            hint="Where /seed_session, the tools and /verify stand. Its session state cannot be seen from here."
          >
            <input
              type="url"
              spellCheck={false}
              value={setup.serverUrl}
              onChange={(event) => setUp({ serverUrl: event.currentTarget.value })}
            />
          </Field>
          {localServerToken() !== undefined ? null : <NoProxy what="A server at an address" />}
        </>
      ) : (
        <>
          <Segmented
            name="Sessions are kept in"
            value={setup.store}
            options={[
              { value: 'memory', label: 'Memory' },
              { value: 'indexeddb', label: 'IndexedDB' },
            ]}
            onChange={(store) => setUp({ store })}
          />
          <details className={styles.mistakes} open={setup.mistakes.length > 0}>
            <summary>
              Mistakes on purpose{setup.mistakes.length === 0 ? '' : `: ${setup.mistakes.join(', ')}`}
            </summary>
            {everyMistake.map((name) => (
              <label key={name} className={styles.check}>
                <input
                  type="checkbox"
                  checked={setup.mistakes.includes(name)}
                  onChange={(event) =>
                    setUp({
                      mistakes: event.currentTarget.checked
                        ? [...setup.mistakes, name]
                        : setup.mistakes.filter((other) => other !== name),
                    })
                  }
                />
                <code>{name}</code>
                <span>
                  {MISTAKES[name]}
                  {name === 'lost_update' ? ` ${oneAtATime}` : ''}
                </span>
              </label>
            ))}
          </details>
        </>
      )}
    </section>
  );
}
