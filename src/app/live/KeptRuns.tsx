import { useEffect, useState } from 'react';
import { Button } from '../controls/Button';
import { Name } from '../markdown';
import { goTo } from '../place/usePlace';
import { ago } from '../words/ago';
import { counted, formatReward } from '../words/format';
import { RUNS, useRuns } from './list';
import { loadRuns, openRuns, removeRun } from './runs';
import styles from './live.module.css';

/** Runs of this browser, the newest first. */
export function KeptRuns() {
  const { list, loaded } = useRuns();
  const [now] = useState(() => Date.now());
  useEffect(() => void loadRuns(), []);
  if (!loaded || list.length === 0) return null;
  return (
    <section aria-labelledby="kept-runs">
      <h2 id="kept-runs">Runs</h2>
      <ul className={styles.runs}>
        {list
          .map((entry, index) => ({ entry, index }))
          .reverse()
          .map(({ entry: { id, episode, description }, index }) => (
            <li key={id}>
              <button
                type="button"
                className={styles.run}
                onClick={() => {
                  void openRuns();
                  goTo({ source: RUNS, episode: index, step: 0 });
                }}
              >
                <b>
                  <Name text={`${description.environment} · ${episode.title}`} />
                </b>
                <span>
                  {counted(episode.steps.length, 'step')}
                  {episode.outcome.reward === undefined
                    ? ''
                    : ` · reward ${formatReward(episode.outcome.reward)}`}
                  {` · ${ago(now - description.createdAt)}`}
                </span>
              </button>
              <Button
                kind="quiet"
                aria-label={`Forget ${description.environment}, ${episode.title}`}
                title="Forget this run"
                onClick={() => void removeRun(id)}
              >
                ×
              </Button>
            </li>
          ))}
      </ul>
    </section>
  );
}
