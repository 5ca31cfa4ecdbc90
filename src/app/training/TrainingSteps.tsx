import { useMemo } from 'react';
import type { EpisodeRef } from '../../ingest/protocol';
import type { Episode } from '../../model';
import { ingest } from '../data/ingest';
import { useLoaded } from '../data/useLoaded';
import { Section } from '../inspector/info/Section';
import { goTo } from '../place/usePlace';
import { useSources } from '../stores/sources';
import { formatCount, formatReward } from '../words/format';
import { axisOf, promptQuery, sessionQuery, stepColumn, trainingStep } from './axis';
import { Chart } from './Chart';
import styles from './training.module.css';

interface TrainingStepsProps {
  episodeRef: EpisodeRef;
  episode: Episode;
}

/** Enough for a long run, and few enough to draw. */
const mostSteps = 5000;
const mostScores = 1000;

/** The open episode among the steps of its training run; nothing for an episode that names no training step. */
export function TrainingSteps({ episodeRef, episode }: TrainingStepsProps) {
  const list = useSources((state) => state.list);
  const revision = list
    .map(({ opening, phase, episodes }) => `${opening}:${phase}:${phase === 'reading' ? '' : episodes}`)
    .join();
  const sources = useMemo(() => list.map(({ id }) => id), [list]);
  const step = trainingStep(episode);
  const key =
    step === undefined
      ? undefined
      : JSON.stringify([revision, episode.task, episode.metrics['prompt'], step]);
  const { value } = useLoaded(key, () => load(episode, sources), { keepLast: true });
  if (step === undefined || value === undefined) return null;
  const { axis, outputs } = value;
  return (
    <Section title="Training steps" aside={<span className={styles.aside}>step {formatCount(step)}</span>}>
      {axis === undefined ? (
        <p className={styles.quiet}>
          Only one training step is open. Open the dumps of other steps beside it to see scores over time.
        </p>
      ) : (
        <Chart axis={axis} open={episodeRef} onOpen={go} />
      )}
      {outputs.length < 2 ? null : (
        <p className={styles.outputs}>
          Outputs of this session:{' '}
          {outputs.map(({ ref, cells }, nth) => (
            <button
              key={`${ref.source} ${ref.episode}`}
              type="button"
              className={styles.link}
              aria-current={ref.source === episodeRef.source && ref.episode === episodeRef.episode}
              title={`Score ${typeof cells['reward'] === 'number' ? formatReward(cells['reward']) : 'none'}`}
              onClick={() => go(ref)}
            >
              {String(cells['attempt'] ?? nth)}
            </button>
          ))}
        </p>
      )}
    </Section>
  );
}

function go({ source, episode }: EpisodeRef): void {
  goTo({ source, episode, step: 0 });
}

async function load(episode: Episode, sources: readonly string[]) {
  const prompt = promptQuery(episode, sources);
  const session = sessionQuery(episode, sources);
  const [{ groups }, same, outputs] = await Promise.all([
    ingest().groups({ query: { sources, sort: [] }, by: stepColumn, k: [] }, 0, mostSteps),
    prompt === undefined ? { rows: [] } : ingest().rows(prompt, 0, mostScores),
    session === undefined ? { rows: [] } : ingest().rows(session, 0, 50),
  ]);
  return { axis: axisOf(groups, same.rows), outputs: outputs.rows };
}
