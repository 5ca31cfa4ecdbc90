import { lazy, Suspense, useCallback, useMemo, useRef } from 'react';
import { lintEpisode, type Finding } from '../model';
import { useCommands } from './commands/useCommands';
import { useKeys } from './commands/useKeys';
import { revisionOf, useEpisode } from './data/hooks';
import { DropZone } from './opening/DropZone';
import { OpenFiles } from './opening/OpenFiles';
import { useReopening } from './opening/useReopening';
import { refOf } from './place/place';
import { usePlace } from './place/usePlace';
import { Footer } from './shell/Footer';
import { Header } from './shell/Header';
import { ToastLine } from './shell/ToastLine';
import { Workspace } from './shell/Workspace';
import styles from './shell/shell.module.css';
import { StartScreen } from './start/StartScreen';
import { useDialogs } from './stores/layout';
import { useSources } from './stores/sources';

const Palette = lazy(() => import('./commands/Palette'));
const Help = lazy(() => import('./commands/Help'));

const noFindings: readonly Finding[] = [];

export function App() {
  const place = usePlace();
  const sources = useSources((state) => state.list);
  const source = sources.find(({ id }) => id === place.source);
  const reopening = useReopening(place.source);
  const loaded = useEpisode(source === undefined ? undefined : refOf(place), revisionOf(sources));
  const episode = loaded.value;
  const findings = useMemo(() => (episode === undefined ? noFindings : lintEpisode(episode)), [episode]);

  const input = useRef<HTMLInputElement>(null);
  const chooseFiles = useCallback(() => input.current?.click(), []);
  const commands = useCommands({ place, episode, findings, chooseFiles });
  useKeys(commands);
  const dialog = useDialogs(({ open }) => open);

  return (
    <div className={styles.app}>
      <Header place={place} source={source} episode={episode} onOpen={chooseFiles}>
        <OpenFiles ref={input} />
      </Header>
      {place.source === undefined ? (
        <StartScreen onOpen={chooseFiles} />
      ) : (
        <Workspace
          place={place}
          source={source}
          reopening={reopening}
          loaded={loaded}
          findings={findings}
          onOpen={chooseFiles}
        />
      )}
      <Footer commands={commands} episode={episode} />
      <DropZone />
      <Suspense>
        {dialog === 'palette' ? <Palette commands={commands} /> : null}
        {dialog === 'help' ? <Help commands={commands} /> : null}
      </Suspense>
      <ToastLine />
    </div>
  );
}
