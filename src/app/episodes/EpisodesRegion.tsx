import { useMemo } from 'react';
import { useShallow } from 'zustand/react/shallow';
import type { ColumnInfo, EpisodeRef } from '../../ingest/protocol';
import { Notice } from '../controls/Notice';
import { revisionOf, useColumns } from '../data/hooks';
import { useSources } from '../stores/sources';
import { ColumnMenu } from './ColumnMenu';
import { EpisodeTable } from './EpisodeTable';
import { formatCount } from './format';
import { Problems } from './Problems';
import { useTableQuery } from './query';
import { SourceLine } from './SourceLine';
import { announcement } from './sourceText';
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
  const columns = useEpisodeColumns(infos, sources.length > 1);
  const episodes = sources.reduce((sum, source) => sum + source.episodes, 0);
  return (
    <section aria-label="Episodes" className={styles.region}>
      <header className={styles.head}>
        <h2 className={styles.title}>Episodes</h2>
        <span className={styles.count}>{formatCount(episodes)}</span>
        <ColumnMenu infos={infos} />
      </header>
      <ul className={styles.sources} aria-label="Sources">
        {sources.map((source) => (
          <SourceLine key={source.id} source={source} />
        ))}
      </ul>
      <output className="unseen">
        {sources.map((source) => (
          <span key={source.id}>{announcement(source)}. </span>
        ))}
      </output>
      {episodes === 0 ? (
        <Nothing reading={sources.some(({ phase }) => phase === 'reading')} />
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
    </section>
  );
}

function Nothing({ reading }: { reading: boolean }) {
  return reading ? (
    <Notice title="Reading">Episodes appear here as they are read.</Notice>
  ) : (
    <Notice title="No episodes">Drop a file of rollouts anywhere in this window.</Notice>
  );
}
