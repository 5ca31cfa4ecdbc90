import type { EpisodeRef } from '../../ingest/protocol';
import type { Episode } from '../../model';
import { Button } from '../controls/Button';
import { Notice } from '../controls/Notice';
import type { Loaded } from '../data/useLoaded';
import { useReopening } from '../opening/useReopening';
import type { Place } from '../place/place';
import { goTo } from '../place/usePlace';
import { useSources } from '../stores/sources';
import { CompareRegion } from './CompareRegion';

interface ComparedProps {
  place: Place;
  compare: EpisodeRef;
  pinned: Loaded<Episode | undefined>;
  episode: Episode;
  step: number;
}

/** The open episode beside the pinned one, or why it is not there. */
export function Compared({ place, compare, pinned, episode, step }: ComparedProps) {
  if (compare.source === place.source && compare.episode === place.episode) {
    return (
      <Notice title="Pinned for comparing" actions={<End />}>
        <p>Choose another episode in the table: it is set beside this one, step by step.</p>
      </Notice>
    );
  }
  if (pinned.value === undefined) return <PinnedAbsent compare={compare} pinned={pinned} />;
  return (
    <CompareRegion
      pinned={pinned.value}
      episode={episode}
      step={step}
      onStep={(next) => goTo({ step: next }, 'replace')}
      onClose={endComparison}
    />
  );
}

/** Opens the pinned episode's source again where it can be had, as the place's own source is. */
function PinnedAbsent({ compare, pinned }: Pick<ComparedProps, 'compare' | 'pinned'>) {
  const { source, episode } = compare;
  const isOpen = useSources(({ list }) => list.some(({ id }) => id === source));
  const reopening = useReopening(source);
  if (isOpen ? pinned.state === 'loading' : reopening.state === 'trying')
    return <Notice title={`Reading episode ${episode} of ${source}`} actions={<End />} />;
  if (!isOpen && reopening.state === 'ask') {
    const actions = (
      <>
        <Button kind="primary" onClick={reopening.open}>
          {reopening.what === 'file' ? 'Open it again' : 'Open it'}
        </Button>
        <End />
      </>
    );
    return (
      <Notice title="The pinned episode is not there" actions={actions}>
        <p>
          {reopening.what === 'file'
            ? `It is episode ${episode} of ${source}. The browser wants a click before a page may read a file again.`
            : `It is episode ${episode} of ${source}, which has not been opened in this browser before. It is fetched only if you want it.`}
        </p>
      </Notice>
    );
  }
  const failed = isOpen ? pinned : reopening;
  return (
    <Notice title="The pinned episode is not there" actions={<End />}>
      <p>
        {failed.state === 'failed'
          ? `Episode ${episode} of ${source} could not be read: ${failed.error}`
          : isOpen
            ? `The link compares with episode ${episode} of ${source}, which has no such episode.`
            : `The link compares with episode ${episode} of ${source}: open that source again.`}
      </p>
    </Notice>
  );
}

const End = () => <Button onClick={endComparison}>Close the comparison</Button>;

const endComparison = () => goTo({ compare: undefined });
