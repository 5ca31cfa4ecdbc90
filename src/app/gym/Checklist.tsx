import { useState } from 'react';
import {
  CHECKS,
  mistakesOn,
  readProfile,
  runChecklist,
  type CheckId,
  type ChecklistOptions,
  type CheckResult,
  type Environment,
} from '../../gym';
import { proxyTransport } from '../../live/proxy';
import { errorText } from '../../model/error-text';
import { Button, join } from '../controls/Button';
import { localServerToken } from '../opening/served';
import { CheckForm, type CheckSetup } from './CheckForm';
import { Exchanges } from './Exchanges';
import type { TabServer } from './server';
import { ServerLine } from './ServerLine';
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
  /** It was one that curl reaches as well. */
  readonly real: boolean;
}

/** The five checks against the server in this tab, as it is set now, or against any other, each with its proof. */
export function Checklist({ environment, host }: { environment: Environment; host: Host }) {
  const server = useRunning((state) => state.server);
  const [setup, setSetup] = useState<CheckSetup>({
    where: 'tab',
    address: '',
    profile: JSON.stringify(environment.checklist, null, 2),
  });
  const [problem, setProblem] = useState<string>();
  const [run, setRun] = useState<Run>();
  const running = run?.state === 'running';

  const start = async (): Promise<void> => {
    let target: Target;
    try {
      target = setup.where === 'tab' ? inTab(server, environment, host) : byAddress(setup);
    } catch (error) {
      setProblem(errorText(error));
      return;
    }
    setProblem(undefined);
    const { about, real } = target;
    const results: CheckResult[] = [];
    setRun({ results, about, real, state: 'running' });
    try {
      await target.run({
        dropCookies: server.mistakes.drop_cookies === true,
        onCheck: (result) => {
          results.push(result);
          setRun({ results: [...results], about, real, state: 'running' });
        },
      });
      setRun({ results, about, real, state: 'done' });
    } catch (error) {
      const failed = errorText(error);
      setRun({ results, about, real, state: { failed } });
    }
  };

  return (
    <div className={styles.padded}>
      <CheckForm
        setup={setup}
        problem={problem}
        onChange={(change) => {
          setSetup({ ...setup, ...change });
          setProblem(undefined);
        }}
      />
      <div className={styles.line}>
        <Button kind="primary" disabled={running} onClick={() => void start()}>
          {running ? 'Checking …' : 'Run the checklist'}
        </Button>
        <output className={styles.summary}>{run === undefined ? '' : summaryOf(run)}</output>
      </div>
      <ol className={styles.checks}>
        {checkIds.map((id) => (
          <Check
            key={id}
            id={id}
            environment={environment}
            result={run?.results.find((result) => result.id === id)}
            waiting={running}
            real={run?.real === true}
          />
        ))}
      </ol>
      {run === undefined || run.real ? null : <ServerLine mistakes={server.mistakes} />}
    </div>
  );
}

interface Target {
  readonly about: string;
  readonly real: boolean;
  run(options: Pick<ChecklistOptions, 'dropCookies' | 'onCheck'>): Promise<unknown>;
}

function inTab(server: TabServer, environment: Environment, host: Host): Target {
  const on = mistakesOn(server.mistakes);
  return {
    about: [
      server.store === 'memory' ? 'Memory' : 'IndexedDB',
      server.instances === 1 ? 'one instance' : `${server.instances} instances`,
      on.length === 0 ? 'no mistakes' : `with ${on.join(', ')}`,
    ].join(', '),
    real: false,
    run: (options) =>
      withCheckedServer((path) =>
        runChecklist({
          ...options,
          baseUrl: `${host.baseUrl}${path}/${environment.name}`,
          transport: host.transport,
          profile: environment.checklist,
        }),
      ),
  };
}

/** Throws where it cannot be reached, or is not described. */
function byAddress({ address, profile }: CheckSetup): Target {
  const url = address.trim();
  if (!URL.canParse(url) || !/^https?:/.test(url))
    throw new Error('The address is an http one, such as http://127.0.0.1:8000.');
  const token = localServerToken();
  if (token === undefined) throw new Error('No local server opened this page: see above.');
  const read = readProfile(profile);
  return {
    about: url,
    real: true,
    run: (options) =>
      runChecklist({
        ...options,
        baseUrl: url.replace(/\/+$/, ''),
        transport: proxyTransport(document.baseURI, token),
        profile: read,
      }),
  };
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
  real: boolean;
}

function Check({ id, environment, result, waiting, real }: CheckProps) {
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
              <Exchanges environment={environment} exchanges={result.exchanges} real={real} />
            </details>
          )}
        </>
      )}
    </li>
  );
}
