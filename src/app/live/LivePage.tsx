import { useState } from 'react';
import { environments } from '../../gym';
import { at, stringAt } from '../../model';
import { Button } from '../controls/Button';
import { Segmented } from '../controls/Segmented';
import { errorText } from '../../model/error-text';
import { PlainText } from '../markdown';
import { ConfigForm } from './ConfigForm';
import { EndpointForm } from './EndpointForm';
import { KeptRuns } from './KeptRuns';
import { ServerForm } from './ServerForm';
import { startRun } from './start';
import { chooseEnvironment, environmentOf, faultsOf, setUp, useSetup, type PolicyKind } from './setup';
import styles from './live.module.css';

const policies: readonly { value: PolicyKind; label: string; hint: string }[] = [
  { value: 'scripted', label: 'Script', hint: 'Emissions written down in advance' },
  { value: 'manual', label: 'By hand', hint: 'You write every assistant turn' },
  { value: 'openai', label: 'Endpoint', hint: 'Any server that speaks the OpenAI API' },
];

/** Before a run: environment, task, policy, loop, server. */
export default function LivePage() {
  const setup = useSetup();
  // In the page's memory alone: never stored, never exported.
  const [key, setKey] = useState('');
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState<string>();
  const environment = environmentOf(setup);
  const faults = faultsOf(setup);
  const script = environment?.scripts.find(({ name }) => name === setup.script);
  const start = async (how: 'paused' | 'running') => {
    setBusy(true);
    setFailed(undefined);
    try {
      await startRun(setup, key, how);
    } catch (error) {
      setFailed(errorText(error));
      setBusy(false);
    }
  };

  return (
    <main className={styles.page}>
      <div className={styles.form}>
        <h1>Run an episode</h1>
        <p className={styles.lead}>
          The loop runs in this tab, one transition at a time. Step through it, change what it does, fork it.
        </p>

        <section aria-labelledby="live-environment">
          <h2 id="live-environment">Environment</h2>
          <div className={styles.cards} role="radiogroup" aria-labelledby="live-environment">
            {environments.map((each) => (
              <label key={each.name} className={styles.card}>
                <input
                  type="radio"
                  name="environment"
                  checked={each.name === environment?.name}
                  onChange={() => chooseEnvironment(each)}
                />
                <b>{each.title}</b>
                <span>{each.description}</span>
              </label>
            ))}
          </div>
        </section>

        <section aria-labelledby="live-task">
          <h2 id="live-task">Task</h2>
          <select
            aria-label="Task"
            value={setup.task}
            onChange={(event) => setUp({ task: Number(event.currentTarget.value) })}
          >
            {environment?.tasks.map((task, index) => (
              // Tasks are named by their place.
              // oxlint-disable-next-line react/no-array-index-key
              <option key={index} value={index}>
                {`${index}: ${promptOf(task).slice(0, 90)}`}
              </option>
            ))}
          </select>
          <blockquote className={styles.prompt}>
            <PlainText text={promptOf(environment?.tasks[setup.task])} />
          </blockquote>
        </section>

        <section aria-labelledby="live-policy">
          <h2 id="live-policy">Policy</h2>
          <Segmented
            name="Policy"
            value={setup.policy}
            options={policies}
            onChange={(policy) => setUp({ policy })}
          />
          {setup.policy === 'scripted' ? (
            <>
              <select
                aria-label="Script"
                value={script?.name ?? ''}
                onChange={(event) => {
                  const chosen = environment?.scripts.find(({ name }) => name === event.currentTarget.value);
                  if (chosen !== undefined) setUp({ script: chosen.name, task: chosen.task });
                }}
              >
                {environment?.scripts.map(({ name, title }) => (
                  <option key={name} value={name}>
                    {title}
                  </option>
                ))}
              </select>
              <p className={styles.quiet}>{script?.description}</p>
            </>
          ) : null}
          {setup.policy === 'manual' ? (
            <p className={styles.quiet}>
              At every call the run waits for you: write the text, pick tools, fill in their arguments.
            </p>
          ) : null}
          {setup.policy === 'openai' ? (
            <EndpointForm
              endpoint={setup.endpoint}
              secret={key}
              onSecret={setKey}
              onChange={(endpoint) => setUp({ endpoint })}
            />
          ) : null}
        </section>

        <ConfigForm setup={setup} />
        <ServerForm setup={setup} />
      </div>
      <aside className={styles.side} aria-label="Start">
        <div className={styles.start}>
          <Button kind="primary" disabled={busy || faults.length > 0} onClick={() => void start('paused')}>
            {busy ? 'Starting …' : 'Start, step by step'}
          </Button>
          <Button disabled={busy || faults.length > 0} onClick={() => void start('running')}>
            Start and run
          </Button>
        </div>
        {faults.length === 0 ? null : (
          <ul className={styles.faults}>
            {faults.map((fault) => (
              <li key={fault}>{fault}</li>
            ))}
          </ul>
        )}
        {failed === undefined ? null : (
          <p className={styles.failed} role="alert">
            {failed}
          </p>
        )}
        <KeptRuns />
      </aside>
    </main>
  );
}

/** What the task asks, in its own words. */
function promptOf(task: unknown): string {
  const input = at(at(task, 'responses_create_params'), 'input');
  if (typeof input === 'string') return input;
  const asked = Array.isArray(input)
    ? input.findLast((item: unknown) => stringAt(item, 'role') === 'user')
    : undefined;
  return stringAt(asked, 'content') ?? '';
}
