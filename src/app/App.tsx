import { lazy, Suspense, useCallback, useRef } from 'react';
import { useIsMoving } from './commands/moves';
import { useCommands } from './commands/useCommands';
import { useKeys } from './commands/useKeys';
import { RUNS } from './live/list';
import { useShown } from './live/shown';
import { chooseFiles as choose } from './opening/choose';
import { Export } from './export/Export';
import { DropZone } from './opening/DropZone';
import { OpenFiles } from './opening/OpenFiles';
import { useReopening } from './opening/useReopening';
import { refOf } from './place/place';
import { usePlace } from './place/usePlace';
import { Footer } from './shell/Footer';
import { Header } from './shell/Header';
import { ToastLine } from './shell/ToastLine';
import styles from './shell/shell.module.css';
import { useFetchedAhead } from './start/ahead';
import { StartScreen } from './start/StartScreen';
import { useDialogs } from './stores/layout';
import { useSources } from './stores/sources';

const Workspace = lazy(() => import('./shell/Workspace'));
const Palette = lazy(() => import('./commands/Palette'));
const Help = lazy(() => import('./commands/Help'));
const GymPage = lazy(() => import('./gym/GymPage'));
const LivePage = lazy(() => import('./live/LivePage'));
const ForkDialog = lazy(() => import('./live/ForkDialog'));
const ReplayDialog = lazy(() => import('./live/ReplayDialog'));

export function App() {
  useFetchedAhead();
  const place = usePlace();
  const sources = useSources((state) => state.list);
  const source = sources.find(({ id }) => id === place.source);
  const reopening = useReopening(place.source);
  // Runs are there before the table has read them.
  const ref = source === undefined && place.source !== RUNS ? undefined : refOf(place);
  const { loaded, findings, entry } = useShown(ref);
  const episode = loaded.value;
  const step = Math.min(place.step, Math.max((episode?.steps.length ?? 0) - 1, 0));

  const input = useRef<HTMLInputElement>(null);
  const chooseFiles = useCallback(() => choose(input.current), []);
  const isMoving = useIsMoving();
  const arriving = isMoving || (ref !== undefined && loaded.state === 'loading');
  const commands = useCommands({ place, episode, arriving, findings, run: entry?.run, chooseFiles });
  useKeys(commands);
  const dialog = useDialogs(({ open }) => open);

  return (
    <div className={styles.app}>
      <Header place={place} source={source} episode={episode} onOpen={chooseFiles}>
        <OpenFiles ref={input} />
        <Export episode={episode} step={place.step} />
      </Header>
      {place.page === 'gym' ? (
        <Suspense fallback={<main className={styles.main} />}>
          <GymPage />
        </Suspense>
      ) : place.page === 'live' ? (
        <Suspense fallback={<main className={styles.main} />}>
          <LivePage />
        </Suspense>
      ) : place.source === undefined ? (
        <StartScreen onOpen={chooseFiles} />
      ) : (
        <Suspense fallback={<main />}>
          <Workspace
            place={place}
            source={source}
            reopening={reopening}
            loaded={loaded}
            findings={findings}
            entry={entry}
            onOpen={chooseFiles}
          />
        </Suspense>
      )}
      <Footer commands={commands} episode={episode} />
      <DropZone />
      <Suspense>
        {dialog === 'palette' ? <Palette commands={commands} /> : null}
        {dialog === 'help' ? <Help commands={commands} /> : null}
        {dialog === 'fork' && ref !== undefined && episode !== undefined ? (
          <ForkDialog origin={ref} episode={episode} step={step} />
        ) : null}
        {dialog === 'replay' && ref !== undefined && episode !== undefined ? (
          <ReplayDialog origin={ref} episode={episode} />
        ) : null}
      </Suspense>
      <ToastLine />
    </div>
  );
}
