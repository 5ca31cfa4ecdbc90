import { useState } from 'react';
import {
  CHECKS,
  mistakesOn,
  runChecklist,
  type CheckId,
  type CheckResult,
  type Environment,
} from '../../gym';
import { Button, join } from '../controls/Button';
import { Exchanges } from './Exchanges';
import { useRunning, withCheckedServer } from './session';
import type { Host } from './worker';
import styles from './gym.module.css';

const checkIds = Object.keys(CHECKS).filter((id): id is CheckId => id in CHECKS);
const statusWords = { pass: 'pass', fail: 'fail', 'not-applicable': 'does not apply' } as const;

interface Run {
  readonly results: readonly CheckResult[];
  readonly state: 'running' | 'done' | { readonly failed: string };
  /** Of the server that was checked. */
  readonly about: string;
}

/** The five checks against the server in this tab, as it is set now, each with its proof. */
export function Checklist({ environment, host }: { environment: Environment; host: Host }) {
  const server = useRunning((state) => state.server);
  const [run, setRun] = useState<Run>();
  const running = run?.state === 'running';

  const start = async (): Promise<void> => {
    const on = mistakesOn(server.mistakes);
    const about = [
      server.store === 'memory' ? 'Memory' : 'IndexedDB',
      server.instances === 1 ? 'one instance' : `${server.instances} instances`,
      on.length === 0 ? 'no mistakes' : `with ${on.join(', ')}`,
    ].join(', ');
    const results: CheckResult[] = [];
    setRun({ results, about, state: 'running' });
    try {
      await withCheckedServer((path) =>
        runChecklist({
          baseUrl: `${host.baseUrl}${path}/${environment.name}`,
          transport: host.transport,
          profile: environment.checklist,
          dropCookies: server.mistakes.drop_cookies === true,
          onCheck: (result) => {
            results.push(result);
            setRun({ results: [...results], about, state: 'running' });
          },
        }),
      );
      setRun({ results, about, state: 'done' });
    } catch (error) {
      const failed = error instanceof Error ? error.message : String(error);
      setRun({ results, about, state: { failed } });
    }
  };

  return (
    <div className={styles.padded}>
      <div className={styles.line}>
        <Button kind="primary" disabled={running} onClick={() => void start()}>
          {running ? 'Checking …' : 'Run the checklist'}
        </Button>
        <span className={styles.quiet}>
          On a server like the one that runs, with sessions of its own that are cleaned up after four seconds.
        </span>
      </div>
      <output className={styles.summary}>{run === undefined ? '' : summaryOf(run)}</output>
      <ol className={styles.checks}>
        {checkIds.map((id) => (
          <Check
            key={id}
            id={id}
            environment={environment}
            result={run?.results.find((result) => result.id === id)}
            waiting={running}
          />
        ))}
      </ol>
    </div>
  );
}

function summaryOf({ results, state, about }: Run): string {
  if (typeof state === 'object') return `The checklist stopped: ${state.failed}`;
  if (state === 'running') return `${results.length} of ${checkIds.length} checked (${about})`;
  const failed = results.filter(({ status }) => status === 'fail').length;
  const passed = results.filter(({ status }) => status === 'pass').length;
  const skipped = results.length - failed - passed;
  const parts = [`${passed} passed`, `${failed} failed`];
  if (skipped > 0) parts.push(`${skipped} not applicable`);
  return `${parts.join(', ')} (${about})`;
}

interface CheckProps {
  id: CheckId;
  environment: Environment;
  result: CheckResult | undefined;
  waiting: boolean;
}

function Check({ id, environment, result, waiting }: CheckProps) {
  const tone = result?.status === 'pass' ? styles.good : result?.status === 'fail' ? styles.bad : styles.tag;
  return (
    <li className={styles.check} data-check={id}>
      <h3>
        <span className={join(styles.status, tone)}>
          {result === undefined ? (waiting ? 'waiting' : 'not run') : statusWords[result.status]}
        </span>
        {CHECKS[id]}
      </h3>
      {result === undefined ? null : (
        <>
          <p>{result.detail}</p>
          {result.exchanges.length === 0 ? null : (
            <details>
              <summary>
                Proof: {result.exchanges.length} {result.exchanges.length === 1 ? 'exchange' : 'exchanges'}
              </summary>
              <Exchanges environment={environment} exchanges={result.exchanges} />
            </details>
          )}
        </>
      )}
    </li>
  );
}
