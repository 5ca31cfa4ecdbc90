import { useRunning } from './session';
import styles from './gym.module.css';

const WIDTH = 240;
const HEIGHT = 36;
const BARS = 60;

/** The last requests as bars: height is time, failed ones are marked by colour and a foot. */
export function Traffic() {
  const served = useRunning((state) => state.served);
  const count = useRunning((state) => state.count);
  const errors = useRunning((state) => state.errors);
  if (count === 0) return <p className={styles.quiet}>No request yet.</p>;
  const shown = served.slice(-BARS);
  const longest = Math.max(...shown.map(({ ms }) => ms), 1);
  const sorted = shown.map(({ ms }) => ms).sort((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
  const step = WIDTH / BARS;
  const words = `${count} ${count === 1 ? 'request' : 'requests'}, ${errors} failed, median ${median.toFixed(1)} ms, max ${longest.toFixed(1)} ms`;
  return (
    <figure className={styles.traffic}>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {shown.map(({ ms, status }, index) => {
          const height = Math.max((ms / longest) * (HEIGHT - 4), 1.5);
          return (
            <rect
              // Bars stand by their place from the right.
              // oxlint-disable-next-line react/no-array-index-key
              key={index}
              className={status >= 400 ? styles.barFailed : styles.bar}
              x={WIDTH - (shown.length - index) * step}
              y={HEIGHT - height}
              width={step - 1}
              height={height}
            />
          );
        })}
      </svg>
      <figcaption>{words}</figcaption>
    </figure>
  );
}
