import type { ReactNode } from 'react';
import type { SourceState } from '../../ingest/protocol';
import type { Episode } from '../../model';
import { Button } from '../controls/Button';
import { Kbd } from '../controls/Kbd';
import { RUNS } from '../live/list';
import { Name, spelled } from '../markdown';
import type { Place } from '../place/place';
import { goHome, goTo } from '../place/usePlace';
import { openDialog, setLayout, useLayout } from '../stores/layout';
import styles from './shell.module.css';

interface HeaderProps {
  place: Place;
  source: SourceState | undefined;
  episode: Episode | undefined;
  onOpen: () => void;
  /** The file input behind the button. */
  children: ReactNode;
}

export function Header({ place, source, episode, onOpen, children }: HeaderProps) {
  return (
    <header className={styles.header}>
      <button type="button" className={styles.logo} onClick={goHome} aria-label="Rollscope, first screen">
        Roll<i>scope</i>
      </button>
      {place.source === undefined ? null : (
        <nav className={styles.crumbs} aria-label="Where you are">
          <button
            type="button"
            onClick={() => goTo({ episode: 0, step: 0 })}
            title={spelled(source?.name ?? place.source)}
          >
            <Name text={source?.name ?? place.source} />
          </button>
          {episode === undefined ? (
            <h1 className="unseen">
              <Name text={source?.name ?? place.source} />
            </h1>
          ) : (
            <>
              <span aria-hidden="true">/</span>
              <h1 title={spelled(episode.title)}>
                <Name text={episode.title} />
              </h1>
            </>
          )}
        </nav>
      )}
      <button type="button" className={styles.search} onClick={() => openDialog('palette')}>
        <span>Type a command</span>
        <Kbd keys="mod+k" />
      </button>
      {place.source === undefined ? null : <RegionSwitches />}
      {episode === undefined || episode.steps.length === 0 || place.source === RUNS ? null : (
        <Button title="The same beginning, another way on (F)" onClick={() => openDialog('fork')}>
          Fork
        </Button>
      )}
      <Button onClick={onOpen}>Open</Button>
      {children}
    </header>
  );
}

/** Opens and closes the regions at the sides. */
function RegionSwitches() {
  const { episodesOpen, inspectorOpen } = useLayout();
  return (
    <span className={styles.switches}>
      <button
        type="button"
        aria-pressed={episodesOpen}
        aria-label="Episodes region"
        title="Episodes region (e)"
        data-side="left"
        onClick={() => setLayout({ episodesOpen: !episodesOpen })}
      />
      <button
        type="button"
        aria-pressed={inspectorOpen}
        aria-label="Inspector region"
        title="Inspector region (i)"
        data-side="right"
        onClick={() => setLayout({ inspectorOpen: !inspectorOpen })}
      />
    </span>
  );
}
