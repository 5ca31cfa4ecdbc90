import { useMemo } from 'react';
import { useShallow } from 'zustand/react/shallow';
import type { ColumnInfo, EpisodeRef, SourceState } from '../../ingest/protocol';
import { Notice } from '../controls/Notice';
import { revisionOf, useColumns } from '../data/hooks';
import { useSources } from '../stores/sources';
import { ColumnMenu } from './ColumnMenu';
import { hideable } from './columns';
import { EpisodeTable } from './EpisodeTable';
import { formatCount } from '../words/format';
import { Problems } from './Problems';
import { useTableQuery } from './query';
import { SourceLine } from './SourceLine';
import { announcement, restingText } from './sourceText';
import { useEpisodeColumns } from './useEpisodeColumns';
import styles from './episodes.module.css';

interface EpisodesRegionProps {
  selected: EpisodeRef | undefined;
  onSelect: (ref: EpisodeRef) => void;
}

const noColumns: readonly ColumnInfo[] = [];

/** All episodes of the open sources, what is known of each, and how the reading goes. */
export function EpisodesRegion({ selected, onSelect }: EpisodesRegionProps) {
  const sources = useSources((state) => state.list);
  const sort = useTableQuery((state) => state.sort);
  const ids = useSources(useShallow((state) => state.list.map(({ id }) => id)));
  const query = useMemo(() => ({ sources: ids, sort }), [ids, sort]);
  const revision = revisionOf(sources);
  const infos = useColumns(query.sources, revision).value ?? noColumns;
  const columns = useEpisodeColumns(infos);
  const episodes = sources.reduce((sum, source) => sum + source.episodes, 0);
  return (
    <div className={styles.region}>
      <header className={styles.head}>
        <h2 className={styles.title}>Episodes</h2>
        <span className={styles.count}>{formatCount(episodes)}</span>
        <ColumnMenu infos={hideable(infos)} />
      </header>
      <ul className={styles.sources} aria-label="Sources">
        {sources.map((source) => (
          <SourceLine key={source.id} source={source} terse={episodes === 0 && sources.length === 1} />
        ))}
      </ul>
      <output className="unseen">
        {sources.map((source) => (
          <span key={source.id}>{announcement(source)}. </span>
        ))}
      </output>
      {episodes === 0 ? (
        <Nothing sources={sources} />
      ) : (
        <EpisodeTable
          query={query}
          revision={revision}
          growing={sources.some(({ phase }) => phase === 'reading')}
          expected={episodes}
          columns={columns}
          selected={selected}
          onSelect={onSelect}
        />
      )}
      <Problems sources={sources} />
    </div>
  );
}

/** Stands where the table would. */
function Nothing({ sources }: { sources: readonly SourceState[] }) {
  if (sources.some(({ phase }) => phase === 'reading')) {
    return <Notice title="Reading">Episodes appear here as they are read.</Notice>;
  }
  const [only, ...others] = sources;
  if (only === undefined || others.length > 0) {
    return <Notice title="No episodes">Drop a file of rollouts anywhere in this window.</Notice>;
  }
  return only.failure === undefined ? (
    <Notice title="No episodes">{restingText(only)}</Notice>
  ) : (
    <Notice title={only.failure.what} tone="error">
      {only.failure.next}
    </Notice>
  );
}
