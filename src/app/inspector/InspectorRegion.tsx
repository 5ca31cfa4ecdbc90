import { Tabs } from '@base-ui/react/tabs';
import { memo, useCallback, useDeferredValue, useEffect, useMemo, useRef } from 'react';
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

/** While steps fly by, the messages come first, and this when there is time. */
export function InspectorRegion({ episodeRef, step, tab, ...props }: InspectorRegionProps) {
  const { source, episode } = episodeRef ?? {};
  const sameRef = useMemo(
    () => (source === undefined || episode === undefined ? undefined : { source, episode }),
    [source, episode],
  );
  const drawn = useDeferredValue(useMemo(() => ({ step, tab }), [step, tab]));
  // Who goes to a tab and a step at once finds the tab at that step.
  const stepOfTab = drawn.tab === tab ? drawn.step : step;
  return <Inspector {...props} episodeRef={sameRef} step={stepOfTab} tab={tab} />;
}

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
