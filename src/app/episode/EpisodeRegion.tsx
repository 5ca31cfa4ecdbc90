import { broughtBy, messageText, viewAt, type Episode, type Finding } from '../../model';
import styles from './EpisodeRegion.module.css';

export interface EpisodeRegionProps {
  episode: Episode;
  /** Already within the episode's steps; 0 where it has none. */
  step: number;
  onStep: (step: number, how?: 'push' | 'replace') => void;
  findings: readonly Finding[];
}

/** The steps of one episode: the timeline, and the messages of the step chosen on it. */
export function EpisodeRegion({ episode, step, onStep }: EpisodeRegionProps) {
  const { emitted, answered } = broughtBy(episode, step);
  const messages = [...viewAt(episode, step).map(({ message }) => message), ...emitted, ...answered];
  const last = Math.max(0, episode.steps.length - 1);
  return (
    <div className={styles.region}>
      <section aria-label="Timeline" className={styles.timeline}>
        <input
          type="range"
          aria-label="Step"
          aria-valuetext={`Step ${step} of ${episode.steps.length}`}
          min={0}
          max={last}
          value={step}
          onChange={(event) => onStep(event.currentTarget.valueAsNumber, 'replace')}
        />
      </section>
      <div className={styles.messages}>
        {messages.map((message) => (
          <article key={message.msgId} aria-label={`${message.role}, message ${message.msgId}`}>
            {messageText(message)}
          </article>
        ))}
      </div>
    </div>
  );
}
