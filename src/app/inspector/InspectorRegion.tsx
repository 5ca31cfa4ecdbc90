import { Tabs } from '@base-ui/react/tabs';
import { memo, startTransition, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { EpisodeRef } from '../../ingest/protocol';
import type { Episode, Finding } from '../../model';
import { Notice } from '../controls/Notice';
import { TabStrip } from '../controls/TabStrip';
import type { TabId } from '../place/place';
import { withStep, type EpisodePlace } from './place';
import type { TabProps } from './tab';
import { tabs } from './tabs';
import styles from './inspector.module.css';

interface InspectorRegionProps {
  episodeRef: EpisodeRef | undefined;
  episode: Episode | undefined;
  step: number;
  tab: TabId;
  findings: readonly Finding[];
  onTab: (tab: TabId) => void;
  onPlace: TabProps['onPlace'];
}

/** While steps fly by, and where an episode is opened, the messages come first, and this when there is time. */
export function InspectorRegion({ episodeRef, episode, step, tab, findings, ...ways }: InspectorRegionProps) {
  const wanted = useMemo(
    () => ({ episodeRef, episode, step, tab, findings }),
    [episodeRef, episode, step, tab, findings],
  );
  const drawn = usePaced(wanted);
  // Who goes to a tab and a step at once finds the tab at that step.
  return <Inspector {...ways} {...(drawn.tab === tab ? drawn : wanted)} />;
}

/** At once after a rest; while changes come in every frame, now and then, and the last one soon after. */
function usePaced<T>(value: T): T {
  const [shown, setShown] = useState(value);
  const since = useRef(0);
  useEffect(() => {
    if (shown === value) return;
    const left = since.current + pace.every - performance.now();
    const timer = setTimeout(
      () => {
        since.current = performance.now();
        startTransition(() => setShown(value));
      },
      Math.min(pace.rest, Math.max(0, left)),
    );
    return () => clearTimeout(timer);
  }, [shown, value]);
  return shown;
}

/** In milliseconds. Each costs a frame: more often would be seen as a jerk. */
const pace = { every: 1000, rest: 60 };

const Inspector = memo(function Inspector({
  episodeRef,
  episode,
  step,
  tab,
  findings,
  onTab,
  onPlace,
}: InspectorRegionProps) {
  // The same function for as long as the episode is the same, so that what is drawn with it can be kept.
  const goToPlace = useCallback(
    (place: EpisodePlace) => onPlace(episode === undefined ? place : withStep(episode, place)),
    [episode, onPlace],
  );
  const props: TabProps | undefined =
    episodeRef === undefined || episode === undefined
      ? undefined
      : { episodeRef, episode, step, findings, onPlace: goToPlace };
  const list = useRef<HTMLDivElement>(null);
  // In a narrow inspector the tabs are wider than it is, and wider still once findings are counted.
  useEffect(() => {
    const chosen = tabs.findIndex(({ id }) => id === tab);
    list.current?.children[chosen]?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    // oxlint-disable-next-line react/exhaustive-effect-dependencies
  }, [tab, findings]);
  return (
    <Tabs.Root
      className={styles.root ?? ''}
      value={tab}
      onValueChange={(value) => {
        const chosen = tabs.find(({ id }) => id === value);
        if (chosen !== undefined) onTab(chosen.id);
      }}
    >
      <TabStrip
        ref={list}
        label="Inspector"
        tabs={tabs.map(({ id, name, badge }) => ({
          id,
          name,
          badge: props === undefined ? 0 : (badge?.(props) ?? 0),
        }))}
      />
      {tabs.map(({ id, component: Component }) => (
        <Tabs.Panel key={id} value={id} className={styles.panel ?? ''}>
          {props === undefined ? (
            <Notice title="No episode is open">Choose one in the table to see what is known of it.</Notice>
          ) : (
            <Component {...props} />
          )}
        </Tabs.Panel>
      ))}
    </Tabs.Root>
  );
});
