import type { ColumnInfo, EpisodeRef } from '../../ingest/protocol';
import { Notice } from '../controls/Notice';
import { revisionOf } from '../data/hooks';
import { ingest } from '../data/ingest';
import { spelled } from '../markdown';
import { usePlacePart } from '../place/usePlace';
import { SearchPanel } from '../search/SearchPanel';
import { toggleSearch, useSearch } from '../search/store';
import { useSources } from '../stores/sources';
import { formatCount } from '../words/format';
import { checkAll, useChecks } from './checks';
import { ChecksLine } from './ChecksLine';
import { ColumnMenu } from './ColumnMenu';
import { sameToFilter } from './columns';
import { EpisodeTable } from './EpisodeTable';
import { RewardHistogram } from './facet/RewardHistogram';
import { FilterBox } from './filter/FilterBox';
import { GroupTable } from './groups/GroupTable';
import { CheckIcon, GroupIcon, SearchIcon } from './icons';
import { isBegun, type Growable } from './ledger';
import { Problems } from './Problems';
import { setGroup, useTableQuery } from './query';
import { SourceLine } from './SourceLine';
import { announcement, begunText, restingText } from './sourceText';
import { useAnswer } from './useAnswer';
import { useEpisodeColumns, useUnchanged } from './useEpisodeColumns';
import { useRowWindows } from './useRowWindows';
import { useTellLacks } from './useTellLacks';
import menu from './menu.module.css';
import styles from './episodes.module.css';

interface EpisodesRegionProps {
  selected: EpisodeRef | undefined;
  onSelect: (ref: EpisodeRef) => void;
}

const noColumns: readonly ColumnInfo[] = [];

/** All episodes of the open sources, what is known of each, and how the reading goes. */
export function EpisodesRegion({ selected, onSelect }: EpisodesRegionProps) {
  const sources = useSources((state) => state.list);
  const query = useTableQuery();
  const checks = useChecks(({ state }) => state);
  const revision = `${revisionOf(sources)} ${checks?.phase} ${checks?.episodes}`;
  const infos =
    useAnswer(JSON.stringify(query.sources), revision, () => ingest().columns(query.sources), {
      keepLast: true,
    }).value ?? noColumns;
  const columns = useEpisodeColumns(infos);
  const named = useUnchanged(infos, sameToFilter);
  const windows = useRowWindows();
  const group = usePlacePart((place) => place.group);
  const searching = useSearch(({ open }) => open);
  const episodes = sources.reduce((sum, source) => sum + source.episodes, 0);
  const shown = windows.total();
  const some = query.filter !== undefined && shown !== undefined;
  const lacks = useTellLacks(infos, episodes);
  const noGroups = group === undefined ? lacks.group : undefined;
  const grouped = group === undefined || group === 'task' ? 'task' : nameOf(infos, group);
  const growing = sources.some(({ phase }) => phase === 'reading');
  const table = {
    query,
    revision,
    growing,
    expected: episodes,
    windows,
    columns,
    selected,
    onSelect,
  };
  return (
    <div className={styles.region}>
      <header className={styles.head}>
        <h2 className={styles.title}>Episodes</h2>
        <span className={styles.count}>
          {some ? `${formatCount(shown)} of ${formatCount(episodes)}` : formatCount(episodes)}
          <span className={styles.noun}> {episodes === 1 ? 'episode' : 'episodes'}</span>
        </span>
        <button
          type="button"
          className={menu.icon}
          aria-label="Check all episodes"
          title={lacks.check ?? 'Check all episodes: fills the column of findings'}
          disabled={lacks.check !== undefined}
          aria-pressed={checks?.phase === 'linting'}
          onClick={() => checkAll(query.sources)}
        >
          <CheckIcon />
        </button>
        <button
          type="button"
          className={menu.icon}
          aria-label="Search all records"
          title="Search all records (s)"
          aria-pressed={searching}
          onClick={toggleSearch}
        >
          <SearchIcon />
        </button>
        <button
          type="button"
          className={menu.icon}
          aria-label={`Group by ${spelled(grouped, 60)}`}
          title={noGroups ?? `Group by ${spelled(grouped, 60)}`}
          aria-pressed={group !== undefined}
          aria-disabled={noGroups !== undefined}
          onClick={() => {
            if (noGroups === undefined) setGroup(group === undefined ? 'task' : undefined);
          }}
        >
          <GroupIcon />
        </button>
        <ColumnMenu columns={infos} query={query} revision={revision} lack={lacks.columns} />
      </header>
      <ul className={styles.sources} aria-label="Sources">
        {sources.map((source) => (
          <SourceLine key={source.id} source={source} terse={episodes === 0 && sources.length === 1} />
        ))}
      </ul>
      <output className="unseen">
        {sources.map((source) => (
          <span key={source.id}>{announcement(source)} </span>
        ))}
      </output>
      <ChecksLine query={query} revision={revision} columns={infos} />
      {searching ? <SearchPanel query={query} revision={revision} onSelect={onSelect} /> : null}
      {episodes === 0 ? (
        <Nothing sources={sources} />
      ) : (
        <>
          <FilterBox sources={query.sources} columns={named} />
          <output className="unseen">
            {some ? `${formatCount(shown)} of ${formatCount(episodes)} episodes` : ''}
          </output>
          <RewardHistogram
            query={query}
            revision={revision}
            growing={growing}
            columns={named}
            shown={shown}
          />
          {group === undefined ? (
            <EpisodeTable {...table} />
          ) : (
            <GroupTable {...table} by={group} infos={named} />
          )}
        </>
      )}
      <Problems sources={sources} />
    </div>
  );
}

function nameOf(infos: readonly ColumnInfo[], key: string): string {
  return infos.find((info) => info.key === key)?.label ?? key;
}

/** Stands where the table would. */
function Nothing({ sources }: { sources: readonly Growable[] }) {
  if (sources.some(({ phase }) => phase === 'reading')) {
    return <Notice title="Reading">Episodes appear here as they are read.</Notice>;
  }
  const [only, ...others] = sources;
  if (only === undefined || others.length > 0) {
    return <Notice title="No episodes">Drop a file of rollouts anywhere in this window.</Notice>;
  }
  if (isBegun(only)) return <Notice title={begunText.what}>{begunText.next}</Notice>;
  return only.failure === undefined ? (
    <Notice title="No episodes">{restingText(only)}</Notice>
  ) : (
    <Notice title={only.failure.what} tone="error">
      {only.failure.next}
    </Notice>
  );
}
