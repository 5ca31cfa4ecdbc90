import { useEffect, useRef, useState } from 'react';
import type { RunSnapshot } from '../../../live';
import type { Outcome } from '../../../model';
import { Button } from '../../controls/Button';
import { errorText } from '../../../model/error-text';
import { goTo } from '../../place/usePlace';
import { openDialog } from '../../stores/layout';
import { say } from '../../stores/toasts';
import { formatCount, oneLine } from '../../words/format';
import { RUNS, useRuns, useSnapshot, type RunEntry } from '../list';
import { runWithoutMistakes, takeUp } from '../start';
import { BreakpointsMenu } from './BreakpointsMenu';
import { Control } from './Control';
import { EmissionForm } from './EmissionForm';
import { emissionIn, resultsIn } from './last';
import { ResultsForm } from './ResultsForm';
import { StateForm } from './StateForm';
import { seedWords, stateWords, statusWords } from './words';
import styles from './bar.module.css';

interface LiveBarProps {
  entry: RunEntry;
  step: number;
}

/** The debugger's controls over the run that is shown. */
export default function LiveBar({ entry, step }: LiveBarProps) {
  const snapshot = useSnapshot(entry.run);
  useFollowing(snapshot, step);
  return snapshot === undefined ? (
    <KeptBar key={entry.id} entry={entry} />
  ) : (
    <RunningBar key={entry.id} entry={entry} snapshot={snapshot} />
  );
}

/** While a run goes on, the newest step stays in view for whoever is looking at it. */
function useFollowing(snapshot: RunSnapshot | undefined, step: number): void {
  const steps = snapshot?.episode.steps.length ?? 0;
  const last = useRef(steps);
  useEffect(() => {
    if (steps !== last.current && step >= last.current - 1) goTo({ step: Math.max(0, steps - 1) }, 'replace');
    last.current = steps;
  }, [steps, step]);
}

type Editing = 'emission' | 'results' | 'state';

const speeds = [
  { label: 'full speed', ms: 0 },
  { label: '4 a second', ms: 250 },
  { label: '1 a second', ms: 1000 },
  { label: '1 in 3 s', ms: 3000 },
] as const;

function RunningBar({ entry, snapshot }: { entry: RunEntry; snapshot: RunSnapshot }) {
  const { run, manual } = entry;
  const [editing, setEditing] = useState<Editing>();
  const { status, state, editable, episode, hit, error, streamed } = snapshot;
  const isOver = status === 'finished' || status === 'stopped' || status === 'failed';
  const isRunning = status === 'running';
  const open = editing !== undefined && editable[editing] ? editing : undefined;
  if (run === undefined) return null;
  const done = () => setEditing(undefined);
  return (
    <section className={styles.bar} aria-label="Run">
      <div className={styles.controls}>
        <Control kind="primary" disabled={isRunning || isOver} onClick={() => attempt(() => run.step())}>
          Step
        </Control>
        <Control
          disabled={isRunning || isOver}
          title="One transition of the loop: render, emit, run the calls, verify"
          onClick={() => attempt(() => run.advance())}
        >
          Transition
        </Control>
        <Control disabled={isRunning || isOver} onClick={() => attempt(() => run.run())}>
          Run
        </Control>
        <Control disabled={!isRunning} onClick={() => run.pause()}>
          Pause
        </Control>
        <Control disabled={isOver} onClick={() => attempt(() => run.stop())}>
          Stop
        </Control>
        <Control disabled={isRunning} onClick={() => attempt(() => run.reset())}>
          Reset
        </Control>
        <Control disabled={episode.steps.length === 0} onClick={() => openDialog('fork')}>
          Fork
        </Control>
        <select
          aria-label="Speed"
          value={snapshot.delayMs}
          onChange={(event) => run.setDelay(Number(event.currentTarget.value))}
        >
          {speeds.map(({ label, ms }) => (
            <option key={ms} value={ms}>
              {label}
            </option>
          ))}
        </select>
        <BreakpointsMenu snapshot={snapshot} run={run} />
      </div>
      <div className={styles.line}>
        <output className={styles.status} data-status={status}>
          <b>{statusWords[status]}</b>
          <span>
            {isOver
              ? outcomeWords(episode.outcome)
              : `${status === 'ready' ? seedWords : stateWords[state]} · step ${snapshot.step}`}
          </span>
          <span className={styles.tokens}>{formatCount(snapshot.contextTokens)} tokens in context</span>
          <span className={styles.where}>{snapshot.server}</span>
        </output>
        <span className={styles.edits}>
          {(['emission', 'results', 'state'] as const).map((what) => (
            <Control
              key={what}
              kind="quiet"
              disabled={!editable[what]}
              aria-expanded={open === what}
              title={editWords[what]}
              onClick={() => setEditing(open === what ? undefined : what)}
            >
              Edit {what}
            </Control>
          ))}
        </span>
      </div>
      <Origin episode={episode} description={entry.description} />
      <Mistakes entry={entry} isOver={isOver} />
      {hit === undefined ? null : (
        <p className={styles.hit}>
          <b>Breakpoint.</b> {hit.reason}
        </p>
      )}
      {status === 'failed' ? (
        <p className={styles.failed} role="alert">
          {error ?? 'It ended.'} Finished steps are kept.{' '}
          <Button onClick={() => attempt(() => run.retry())}>Try again from there</Button>
        </p>
      ) : null}
      {isRunning && streamed !== '' ? (
        <p className={styles.streamed} aria-live="off">
          {oneLine(streamed.slice(-400), 400)}
        </p>
      ) : null}
      {manual === undefined ? null : <ManualTurn entry={entry} />}
      {open === 'emission' ? (
        <EmissionForm
          key={snapshot.log.length}
          title="The emission, before its calls are run"
          first={emissionIn(snapshot)}
          tools={episode.tools}
          submit="Replace it"
          onSubmit={(emission) => {
            attempt(() => run.editEmission(emission));
            done();
          }}
          onCancel={done}
        />
      ) : null}
      {open === 'results' ? (
        <ResultsForm
          key={snapshot.log.length}
          results={resultsIn(snapshot)}
          onSubmit={(texts) => {
            attempt(() => run.editResults(texts));
            done();
          }}
          onCancel={done}
        />
      ) : null}
      {open === 'state' ? (
        <StateForm
          key={snapshot.log.length}
          value={episode.states?.at(-1)?.value}
          onSubmit={(value) => {
            attempt(() => run.editState(value));
            done();
          }}
          onCancel={done}
        />
      ) : null}
    </section>
  );
}

const sayWhy = (reason: unknown) => say(errorText(reason));

/** Says why something could not be done, now or later. */
function attempt(work: () => void | Promise<void>): void {
  try {
    void Promise.resolve(work()).catch(sayWhy);
  } catch (reason) {
    sayWhy(reason);
  }
}

const editWords: Record<Editing, string> = {
  emission: 'Change what the policy said before its calls are run: stop after an emission with Transition',
  results: 'Change what the tools answered before the policy reads it',
  state: 'Change what the server keeps for this session',
};

/** Where a fork comes from. */
function Origin({ episode: { fork }, description: { origin } }: Pick<RunEntry, 'episode' | 'description'>) {
  const nth = useRuns(({ list }) => list.findIndex(({ id }) => id === origin));
  if (fork === undefined) return null;
  const { source, step } = fork;
  const episode = origin === undefined ? fork.episode : nth;
  const where = step < 0 ? 'before its first step' : `after step ${step}`;
  if (episode < 0) return <p className={styles.origin}>Forked {where} from a run that was removed since.</p>;
  return (
    <p className={styles.origin}>
      Forked from{' '}
      <button type="button" onClick={() => goTo({ source, episode, step: Math.max(0, step) })}>
        {source === RUNS ? `run ${episode}` : `episode ${episode} of ${source}`}
      </button>{' '}
      {where}.{' '}
      <button type="button" onClick={() => goTo({ compare: { source, episode } })}>
        Compare the two
      </button>
    </p>
  );
}

/** A run with mistakes on purpose says so, and has a counterpart without them. */
function Mistakes({ entry, isOver }: { entry: RunEntry; isOver: boolean }) {
  const [busy, setBusy] = useState(false);
  const { mistakes } = entry.description;
  if (mistakes.length === 0) return null;
  const again = () => {
    setBusy(true);
    attempt(() => runWithoutMistakes(entry).finally(() => setBusy(false)));
  };
  return (
    <p className={styles.origin}>
      On purpose: <code>{mistakes.join(', ')}</code>.{' '}
      {isOver ? (
        <button type="button" aria-disabled={busy || undefined} onClick={busy ? undefined : again}>
          {busy ? 'Running it without …' : 'Run it again without, and compare'}
        </button>
      ) : null}
    </p>
  );
}

/** The turn that waits for a person. */
function ManualTurn({ entry: { manual, run } }: { entry: RunEntry }) {
  const waiting = useWaiting(manual);
  if (manual === undefined || run === undefined || waiting === undefined) return null;
  return (
    <EmissionForm
      key={waiting.step}
      title={`Step ${waiting.step} waits for your turn`}
      tools={waiting.tools}
      submit="Emit"
      onSubmit={(emission) => manual.submit(emission)}
    />
  );
}

function useWaiting(manual: RunEntry['manual']) {
  const [, setCount] = useState(0);
  useEffect(() => manual?.subscribe(() => setCount((count) => count + 1)), [manual]);
  return manual?.waiting;
}

/** A run from before: it can be taken up where it stopped. */
function KeptBar({ entry }: { entry: RunEntry }) {
  const { id, episode, description } = entry;
  // In the page's memory alone, as where the run was set up.
  const [key, setKey] = useState('');
  const [busy, setBusy] = useState(false);
  const isOver = episode.outcome.termination !== undefined;
  const again = async () => {
    setBusy(true);
    try {
      await takeUp(id, key);
    } catch (error) {
      say(errorText(error));
      setBusy(false);
    }
  };
  return (
    <section className={styles.bar} aria-label="Run">
      <div className={styles.controls}>
        {isOver ? null : (
          <Button kind="primary" disabled={busy} onClick={() => void again()}>
            {busy ? 'Taking it up …' : 'Go on'}
          </Button>
        )}
        {isOver || description.policy.kind !== 'openai' ? null : (
          <input
            type="password"
            autoComplete="off"
            aria-label="Key of the endpoint"
            placeholder="Key of the endpoint"
            value={key}
            onChange={(event) => setKey(event.currentTarget.value)}
          />
        )}
        <Button disabled={episode.steps.length === 0} onClick={() => openDialog('fork')}>
          Fork
        </Button>
        <output className={styles.status}>
          <b>{isOver ? 'Finished before' : 'Interrupted'}</b>
          <span>
            {isOver
              ? outcomeWords(episode.outcome)
              : description.store === 'memory' && description.server === 'tab'
                ? 'Its session is gone with the page: going on plays its steps again in a new one.'
                : 'Its session is still there.'}
          </span>
        </output>
      </div>
      <Origin episode={episode} description={description} />
      <Mistakes entry={entry} isOver={isOver} />
    </section>
  );
}

function outcomeWords({ termination, reward }: Outcome): string {
  return `${termination ?? 'ended'} · ${reward === undefined ? 'no reward' : `reward ${reward}`}`;
}
