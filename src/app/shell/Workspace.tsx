import { lazy, memo, Suspense, useCallback, useMemo, useRef, useState } from 'react';
import { Group, Panel, Separator } from 'react-resizable-panels';
import type { EpisodeRef, SourceState } from '../../ingest/protocol';
import type { Episode, Finding } from '../../model';
import { Compared } from '../compare/Compared';
import { OwnFrame } from '../controls/OwnFrame';
import type { Loaded } from '../data/useLoaded';
import { EpisodeRegion } from '../episode';
import { EpisodesRegion } from '../episodes';
import type { RunEntry } from '../live/list';
import { useShown } from '../live/shown';
import { InspectorRegion } from '../inspector';
import type { EpisodePlace } from '../inspector/place';
import type { Reopening } from '../opening/useReopening';
import type { Place } from '../place/place';
import { goTo } from '../place/usePlace';
import { useFocusArrives } from '../start/focus';
import { setLayout, useLayout } from '../stores/layout';
import { EpisodeAbsent } from './EpisodeAbsent';
import styles from './shell.module.css';

const LiveBar = lazy(() => import('../live/bar/LiveBar'));

interface WorkspaceProps {
  place: Place;
  source: SourceState | undefined;
  reopening: Reopening;
  loaded: Loaded<Episode | undefined>;
  findings: readonly Finding[];
  /** The run that is shown, where it is one. */
  entry: RunEntry | undefined;
  onOpen: () => void;
}

const goToTab = (tab: Place['tab']) => goTo({ tab });
const goToEpisode = ({ source, episode }: EpisodeRef) => goTo({ source, episode, step: 0 });
const goToStep = (step: number, how?: 'push' | 'replace') => goTo({ step }, how);

/** While a source is read its state comes ten times a second, and the open episode is the same. */
const SteadyEpisode = memo(EpisodeRegion);
/** At every step of the open episode, the table is the same. */
const SteadyEpisodes = memo(EpisodesRegion);

const defaults = { episodes: 23, episode: 47, inspector: 30 };

/** The three regions side by side; the outer two can be closed. */
export default function Workspace({
  place,
  source,
  reopening,
  loaded,
  findings,
  entry,
  onOpen,
}: WorkspaceProps) {
  const main = useRef<HTMLElement>(null);
  useFocusArrives(main);
  const { episodesOpen, inspectorOpen, widths } = useLayout();
  const open = [
    ...(episodesOpen ? ['episodes'] : []),
    'episode',
    ...(inspectorOpen ? ['inspector'] : []),
  ].join(' ');
  const sizes = { ...defaults, ...widths[open] };
  const { source: of, episode: nth } = place;
  // The same object for as long as it is the same episode.
  const ref = useMemo(
    () => (of === undefined || nth === undefined ? undefined : { source: of, episode: nth }),
    [of, nth],
  );
  const episode = loaded.value;
  const compared = useShown(place.compare).loaded;
  const [target, setTarget] = useState<{ msgId: number; nth: number }>();
  const goToPlace = useCallback(({ step: to, msgId }: EpisodePlace) => {
    if (to !== undefined) goTo({ step: to });
    if (msgId !== undefined) setTarget((last) => ({ msgId, nth: (last?.nth ?? 0) + 1 }));
  }, []);
  const step = Math.min(place.step, Math.max((episode?.steps.length ?? 0) - 1, 0));
  return (
    <main ref={main} className={styles.main}>
      <Group
        // Each set of open regions has its own remembered widths.
        key={open}
        className={styles.panels ?? ''}
        onLayoutChanged={(layout) => setLayout({ widths: { ...widths, [open]: layout } })}
      >
        {episodesOpen ? (
          <>
            <Panel id="episodes" minSize={220} defaultSize={`${sizes.episodes}%`}>
              <section className={styles.region} aria-label="Episodes">
                <OwnFrame>
                  <SteadyEpisodes selected={ref} onSelect={goToEpisode} />
                </OwnFrame>
              </section>
            </Panel>
            <Separator className={styles.separator ?? ''} aria-label="Width of the episodes region" />
          </>
        ) : null}
        <Panel id="episode" minSize={320} defaultSize={`${sizes.episode}%`}>
          <section className={styles.region} aria-label="Episode">
            {entry === undefined ? null : (
              <Suspense>
                <LiveBar entry={entry} step={step} />
              </Suspense>
            )}
            {episode === undefined ? (
              <EpisodeAbsent
                place={place}
                source={source}
                reopening={reopening}
                loaded={loaded}
                onOpen={onOpen}
              />
            ) : place.compare !== undefined ? (
              <Compared
                place={place}
                compare={place.compare}
                pinned={compared}
                episode={episode}
                step={step}
              />
            ) : (
              <OwnFrame>
                <SteadyEpisode
                  episode={episode}
                  step={step}
                  findings={findings}
                  target={target}
                  onStep={goToStep}
                />
              </OwnFrame>
            )}
          </section>
        </Panel>
        {inspectorOpen ? (
          <>
            <Separator className={styles.separator ?? ''} aria-label="Width of the inspector" />
            <Panel id="inspector" minSize={240} defaultSize={`${sizes.inspector}%`}>
              <section className={styles.region} aria-label="Inspector">
                <OwnFrame>
                  <InspectorRegion
                    episodeRef={ref}
                    episode={episode}
                    step={step}
                    tab={place.tab}
                    findings={findings}
                    onTab={goToTab}
                    onPlace={goToPlace}
                  />
                </OwnFrame>
              </section>
            </Panel>
          </>
        ) : null}
      </Group>
    </main>
  );
}
