import type { EpisodeRef } from '../../ingest/protocol';
import { revisionOf, useRows } from '../data/hooks';
import { useSources } from '../stores/sources';
import { useTableQuery } from './query';

interface EpisodesRegionProps {
  selected: EpisodeRef | undefined;
  onSelect: (ref: EpisodeRef) => void;
}

export function EpisodesRegion({ selected, onSelect }: EpisodesRegionProps) {
  const sources = useSources((state) => state.list);
  const sort = useTableQuery((state) => state.sort);
  const loaded = useRows({ sources: sources.map(({ id }) => id), sort }, 0, 200, revisionOf(sources));
  return (
    <section aria-label="Episodes">
      <h2>Episodes</h2>
      <ul>
        {loaded.value?.rows.map(({ ref, title }) => (
          <li key={`${ref.source}#${ref.episode}`}>
            <button
              type="button"
              aria-pressed={ref.source === selected?.source && ref.episode === selected.episode}
              onClick={() => onSelect(ref)}
            >
              {title}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
