import { useMemo, useState } from 'react';
import { environmentNamed, environments } from '../../gym';
import type { EpisodeRef } from '../../ingest/protocol';
import { guessEnvironment } from '../../live';
import type { Episode } from '../../model';
import { Button } from '../controls/Button';
import { Segmented } from '../controls/Segmented';
import { errorText } from '../../model/error-text';
import { closeDialogs } from '../stores/layout';
import type { PolicyChoice } from './description';
import { EndpointForm } from './EndpointForm';
import { EnvironmentFields } from './EnvironmentFields';
import { RUNS, useRuns } from './list';
import { LiveDialog } from './LiveDialog';
import { recordingOf } from './recording';
import { setUp, useSetup } from './setup';
import { startFork } from './start';
import styles from './live.module.css';

interface ForkDialogProps {
  origin: EpisodeRef;
  episode: Episode;
  step: number;
}

type Way = 'manual' | 'recorded' | 'openai';

/** The same beginning, another way on. */
export default function ForkDialog({ origin, episode, step }: ForkDialogProps) {
  const setup = useSetup();
  const made = useRuns(({ list }) =>
    origin.source === RUNS ? list[origin.episode]?.description.environment : undefined,
  );
  const guessed = useMemo(() => guessEnvironment(episode, environments), [episode]);
  const [environment, setEnvironment] = useState(
    made ?? guessed?.environment.name ?? environments[0]?.name ?? '',
  );
  const [server, setServer] = useState<'tab' | 'url'>('tab');
  const [way, setWay] = useState<Way>('manual');
  const [key, setKey] = useState('');
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState<string>();
  const fork = async () => {
    const chosen = environmentNamed(environment);
    if (chosen === undefined) return;
    setBusy(true);
    setFailed(undefined);
    try {
      const policy: PolicyChoice | 'recorded' =
        way === 'openai' ? { kind: 'openai', ...setup.endpoint } : way === 'manual' ? { kind: way } : way;
      await startFork({
        recording: await recordingOf(origin, episode),
        origin,
        step,
        environment: chosen,
        policy,
        setup: { ...setup, server, mistakes: [] },
        key,
      });
      closeDialogs();
    } catch (error) {
      setFailed(errorText(error));
      setBusy(false);
    }
  };
  return (
    <LiveDialog title={`Fork after step ${step}`}>
      <p className={styles.quiet}>
        A new session is seeded, and the calls of step 0 to {step} are made again in it: the state is what it
        was then. From there on the fork goes its own way; this episode stays as it is.
      </p>
      <EnvironmentFields
        environment={environment}
        server={server}
        serverUrl={setup.serverUrl}
        onChange={(change) => {
          if (change.environment !== undefined) setEnvironment(change.environment);
          if (change.server !== undefined) setServer(change.server);
          if (change.serverUrl !== undefined) setUp({ serverUrl: change.serverUrl });
        }}
      />
      {made === undefined && guessed !== undefined && guessed.environment.name === environment ? (
        <p className={styles.quiet}>Taken for this one because {guessed.why}.</p>
      ) : null}
      <Segmented<Way>
        name="Who goes on"
        value={way}
        options={[
          { value: 'manual', label: 'You, by hand' },
          { value: 'recorded', label: 'As it went on before' },
          { value: 'openai', label: 'An endpoint' },
        ]}
        onChange={setWay}
      />
      {way === 'openai' ? (
        <EndpointForm
          endpoint={setup.endpoint}
          secret={key}
          onSecret={setKey}
          onChange={(endpoint) => setUp({ endpoint })}
        />
      ) : null}
      {failed === undefined ? null : (
        <p className={styles.failed} role="alert">
          {failed}
        </p>
      )}
      <div className={styles.dialogEnd}>
        <Button kind="primary" disabled={busy} onClick={() => void fork()}>
          {busy ? 'Playing the beginning …' : 'Fork here'}
        </Button>
      </div>
    </LiveDialog>
  );
}
