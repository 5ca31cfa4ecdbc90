import type { Episode } from '../../model';
import { Button } from '../controls/Button';
import { Notice } from '../controls/Notice';
import type { Loaded } from '../data/useLoaded';
import type { Place } from '../place/place';
import { goTo } from '../place/usePlace';
import { CompareRegion } from './CompareRegion';

interface ComparedProps {
  place: Place;
  pinned: Loaded<Episode | undefined>;
  episode: Episode;
  step: number;
}

/** The open episode beside the pinned one, or why it is not there. */
export function Compared({ place, pinned, episode, step }: ComparedProps) {
  const actions = <Button onClick={endComparison}>Close the comparison</Button>;
  const { compare } = place;
  if (compare?.source === place.source && compare?.episode === place.episode) {
    return (
      <Notice title="Pinned for comparing" actions={actions}>
        <p>Choose another episode in the table: it is set beside this one, step by step.</p>
      </Notice>
    );
  }
  if (pinned.value === undefined) {
    return pinned.state === 'loading' ? (
      <Notice title={`Reading episode ${compare?.episode} of ${compare?.source}`} actions={actions} />
    ) : (
      <Notice title="The pinned episode is not there" actions={actions}>
        <p>{`The link compares with episode ${compare?.episode} of ${compare?.source}: open that source again.`}</p>
      </Notice>
    );
  }
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

const endComparison = () => goTo({ compare: undefined });
