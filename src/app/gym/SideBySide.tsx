import { useState } from 'react';
import { isMistake, MISTAKES, type Environment, type MistakeName } from '../../gym';
import { errorText } from '../../model/error-text';
import { Button } from '../controls/Button';
import { Notice } from '../controls/Notice';
import { Exchanges } from './Exchanges';
import { ServerLine } from './ServerLine';
import { CIRCUMSTANCES, mistakesOf, playSideBySide, type SideBySide as Played } from './sideBySide';
import styles from './gym.module.css';

/** One scripted episode on two servers, one of them with a mistake. */
export function SideBySide({ environment }: { environment: Environment }) {
  const [scriptName, setScript] = useState(environment.scripts[0]?.name ?? '');
  const [mistake, setMistake] = useState<MistakeName>('global_state');
  const [played, setPlayed] = useState<Played>();
  const [failed, setFailed] = useState<string>();
  const [busy, setBusy] = useState(false);
  const script = environment.scripts.find(({ name }) => name === scriptName) ?? environment.scripts[0];
  if (script === undefined) return <Notice title="This environment has no script to play" />;

  const play = async (): Promise<void> => {
    setBusy(true);
    setFailed(undefined);
    try {
      setPlayed(await playSideBySide(environment, script, mistake));
    } catch (error) {
      setFailed(errorText(error));
    } finally {
      setBusy(false);
    }
  };

  return (
    <div className={styles.padded}>
      <div className={styles.line}>
        <label htmlFor="gym-script">Script</label>
        <select
          id="gym-script"
          value={script.name}
          onChange={(event) => {
            setScript(event.currentTarget.value);
            setPlayed(undefined);
          }}
        >
          {environment.scripts.map(({ name, title }) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
        </select>
        <label htmlFor="gym-mistake">with</label>
        <select
          id="gym-mistake"
          value={mistake}
          onChange={(event) => {
            const { value } = event.currentTarget;
            if (isMistake(value)) setMistake(value);
            setPlayed(undefined);
          }}
        >
          {Object.keys(MISTAKES).map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
        <Button kind="primary" disabled={busy} onClick={() => void play()}>
          {busy ? 'Playing …' : 'Play both'}
        </Button>
      </div>
      <p className={styles.quiet}>
        {MISTAKES[mistake]} {CIRCUMSTANCES[mistake]} Both servers are new and only for this.
      </p>
      {failed === undefined ? null : (
        <Notice tone="error" title="The script could not be played">
          {failed}
        </Notice>
      )}
      {played === undefined ? null : (
        <>
          <output className={styles.summary}>{verdictOf(played, mistake)}</output>
          <div className={styles.pair}>
            <section aria-labelledby="side-without">
              <h3 id="side-without">Without the mistake · reward {played.without.reward ?? 'none'}</h3>
              <Exchanges
                environment={environment}
                exchanges={played.without.exchanges}
                marked={played.differsAt}
              />
            </section>
            <section aria-labelledby="side-with">
              <h3 id="side-with">
                With <code>{mistake}</code> · reward {played.with.reward ?? 'none'}
              </h3>
              <Exchanges
                environment={environment}
                exchanges={played.with.exchanges}
                marked={played.differsAt}
              />
            </section>
          </div>
          <ServerLine mistakes={mistakesOf(mistake)} />
        </>
      )}
    </div>
  );
}

function verdictOf({ differsAt, without, with: mistaken }: Played, mistake: MistakeName): string {
  if (differsAt === undefined) return `No exchange differs: ${mistake} does not show in this script.`;
  const path = (without.exchanges[differsAt] ?? mistaken.exchanges[differsAt])?.request.path ?? '';
  return `The first exchange that differs is number ${differsAt + 1}, ${path}.`;
}
