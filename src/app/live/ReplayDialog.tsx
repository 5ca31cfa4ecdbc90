import { useMemo, useState } from 'react';
import { environments } from '../../gym';
import type { EpisodeRef } from '../../ingest/protocol';
import { guessEnvironment, type Replay } from '../../live';
import type { Episode } from '../../model';
import { Button } from '../controls/Button';
import { useFirst } from '../controls/first';
import { More } from '../controls/More';
import { Segmented } from '../controls/Segmented';
import { errorText } from '../../model/error-text';
import { goTo } from '../place/usePlace';
import { closeDialogs } from '../stores/layout';
import { useSources } from '../stores/sources';
import { counted, formatCount, formatNumber } from '../words/format';
import { EnvironmentFields } from './EnvironmentFields';
import { LiveDialog } from './LiveDialog';
import { refKey, useReplays } from './replayed';
import { cancelReplays, replayEpisodes } from './replays';
import { setUp, useSetup } from './setup';
import styles from './live.module.css';

interface ReplayDialogProps {
  origin: EpisodeRef;
  episode: Episode;
}

/** Replays one episode or a whole source, and says what came of it. */
export default function ReplayDialog({ origin, episode }: ReplayDialogProps) {
  const setup = useSetup();
  const source = useSources(({ list }) => list.find(({ id }) => id === origin.source));
  const total = source?.episodes ?? 1;
  const [scope, setScope] = useState<'one' | 'all'>('one');
  const [environment, setEnvironment] = useState('guess');
  const [server, setServer] = useState<'tab' | 'url'>('tab');
  const [failed, setFailed] = useState<string>();
  const { found, progress } = useReplays();
  const guessed = useMemo(() => guessEnvironment(episode, environments), [episode]);
  const refs = useMemo(
    (): readonly EpisodeRef[] =>
      scope === 'one'
        ? [origin]
        : Array.from({ length: total }, (_, nth) => ({ source: origin.source, episode: nth })),
    [scope, origin, total],
  );
  const start = async () => {
    setFailed(undefined);
    try {
      const { serverUrl, store } = setup;
      await replayEpisodes(refs, { environment, server, serverUrl, store, mistakes: [] });
    } catch (error) {
      setFailed(errorText(error));
    }
  };
  const results = refs.flatMap((ref) => {
    const replay = found.get(refKey(ref))?.replay;
    return replay === undefined ? [] : [{ ref, replay }];
  });
  return (
    <LiveDialog title="Replay and verify again">
      <p className={styles.quiet}>
        A new session, the recorded seed, the recorded calls in their order, then the verifier: what a server
        with state knew at the end is built anew, and every result is held against the recorded one.
      </p>
      {total > 1 ? (
        <Segmented
          name="What to replay"
          value={scope}
          options={[
            { value: 'one', label: 'This episode' },
            { value: 'all', label: `All ${formatCount(total)} of this source` },
          ]}
          onChange={setScope}
        />
      ) : null}
      <EnvironmentFields
        environment={environment}
        guess={
          guessed === undefined
            ? 'by the tools of each episode'
            : `as its tools say: ${guessed.environment.name}`
        }
        server={server}
        serverUrl={setup.serverUrl}
        onChange={(change) => {
          if (change.environment !== undefined) setEnvironment(change.environment);
          if (change.server !== undefined) setServer(change.server);
          if (change.serverUrl !== undefined) setUp({ serverUrl: change.serverUrl });
        }}
      />
      {failed === undefined ? null : (
        <p className={styles.failed} role="alert">
          {failed}
        </p>
      )}
      <div className={styles.dialogEnd}>
        {progress === undefined ? (
          <Button kind="primary" onClick={() => void start()}>
            {results.length === 0 ? 'Replay' : 'Replay again'}
          </Button>
        ) : (
          <>
            <progress aria-label="Replaying" value={progress.done} max={progress.total} />
            <span>
              {formatCount(progress.done)} of {formatCount(progress.total)}
            </span>
            <Button onClick={cancelReplays}>Cancel</Button>
          </>
        )}
      </div>
      <Results results={results} total={refs.length} />
    </LiveDialog>
  );
}

interface Result {
  ref: EpisodeRef;
  replay: Replay;
}

const statusWords: Record<Replay['status'], string> = {
  reproduced: 'reproduced',
  diverged: 'diverged',
  unreplayable: 'cannot replay',
};

function Results({ results, total }: { results: readonly Result[]; total: number }) {
  const { shown, rest, showMore } = useFirst(results, total);
  if (results.length === 0) return null;
  const count = (status: Replay['status']) => results.filter(({ replay }) => replay.status === status).length;
  return (
    <>
      <output className={styles.verdict}>
        {counted(count('reproduced'), 'episode')} reproduced, {formatCount(count('diverged'))} diverged,{' '}
        {formatCount(count('unreplayable'))} cannot be replayed.
      </output>
      <table className={styles.results}>
        <thead>
          <tr>
            <th>Episode</th>
            <th>Result</th>
            <th>Recorded</th>
            <th>Replayed</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ ref, replay }) => (
            <tr key={refKey(ref)} data-status={replay.status}>
              <td>
                <button
                  type="button"
                  onClick={() => {
                    goTo({ ...ref, step: replay.step ?? 0, tab: 'state' });
                    closeDialogs();
                  }}
                >
                  {ref.episode}
                </button>
              </td>
              <td>
                <b>
                  {statusWords[replay.status]}
                  {replay.step === undefined ? '' : ` at step ${replay.step}`}
                </b>
                {replay.reason === undefined ? null : <p>{replay.reason}</p>}
              </td>
              <td>{replay.recordedReward === undefined ? '—' : formatNumber(replay.recordedReward)}</td>
              <td>{replay.replayedReward === undefined ? '—' : formatNumber(replay.replayedReward)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <More rest={rest} onMore={showMore} />
      <p className={styles.quiet}>{results[0]?.replay.explanation}</p>
    </>
  );
}
