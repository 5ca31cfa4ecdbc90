import type { SearchState, SourceId } from '../../ingest/protocol';
import { cancelChecks, checkAll } from '../episodes/checks';
import { setFilter, setGroup, setSort } from '../episodes/query';
import type { Lacks } from '../episodes/lacks';
import { leaveSearch, reachColumns, reachFilter, reachRewards } from '../episodes/reach';
import type { Place } from '../place/place';
import { cancelSearch, openSearch } from '../search/store';
import { unavailableIf, type Command } from './command';

/** What is to be known of the table to say what can be done with it. */
interface TableSituation {
  place: Place;
  /** Those that are open. */
  sources: readonly SourceId[];
  lacks: Lacks;
  checking: boolean;
  /** Of the search over all records; undefined where it is closed. */
  searching: SearchState['phase'] | 'idle' | undefined;
}

/** What can be done with the table of episodes. */
export function tableCommands({ place, sources, lacks, checking, searching }: TableSituation): Command[] {
  const noSource = place.source === undefined ? 'No source is open' : undefined;
  const byReward = place.sort?.[0]?.column === 'reward' ? place.sort[0] : undefined;
  return [
    {
      id: 'table.filter',
      group: 'Episodes',
      title: 'Filter the episodes',
      words: ['where', 'query', 'select'],
      keys: ['f'],
      ...unavailableIf(noSource),
      run: reachFilter,
    },
    {
      id: 'table.filter.clear',
      group: 'Episodes',
      title: 'Clear the filter',
      words: ['reset', 'all episodes', 'remove'],
      keys: [],
      ...unavailableIf(noSource ?? ((place.filter ?? '') === '' ? 'There is no filter' : undefined)),
      run: () => setFilter(''),
    },
    {
      id: 'table.rewards',
      group: 'Episodes',
      title: 'Choose a range of rewards',
      words: ['histogram', 'reward distribution', 'filter', 'brush'],
      keys: [],
      ...unavailableIf(noSource),
      run: reachRewards,
    },
    {
      id: 'table.sort.reward',
      group: 'Episodes',
      title: byReward?.descending === true ? 'Sort by reward, lowest first' : 'Sort by reward, highest first',
      words: ['order', 'best', 'worst'],
      keys: [],
      ...unavailableIf(noSource),
      run: () => setSort([{ column: 'reward', descending: byReward?.descending !== true }]),
    },
    {
      id: 'table.sort.clear',
      group: 'Episodes',
      title: 'Clear the sort: the order of the file',
      words: ['unsort', 'reset'],
      keys: [],
      ...unavailableIf(noSource ?? ((place.sort ?? []).length === 0 ? 'Nothing is sorted' : undefined)),
      run: () => setSort([]),
    },
    {
      id: 'table.group',
      group: 'Episodes',
      title: place.group === undefined ? 'Group by task' : 'Ungroup the episodes',
      words: ['groups', 'tasks', 'ungroup', 'pass@k'],
      keys: [],
      ...unavailableIf(noSource ?? (place.group === undefined ? lacks.group : undefined)),
      run: () => setGroup(place.group === undefined ? 'task' : undefined),
    },
    {
      id: 'table.columns',
      group: 'Episodes',
      title: 'Columns, and what is in them',
      words: ['hide', 'show', 'facet', 'values', 'histogram', 'distribution'],
      keys: [],
      ...unavailableIf(noSource ?? lacks.columns),
      run: reachColumns,
    },
    {
      id: 'table.check',
      group: 'Episodes',
      title: 'Check all episodes',
      words: ['lint', 'findings', 'rules', 'validate'],
      keys: [],
      ...unavailableIf(noSource ?? lacks.check),
      run: () => checkAll(sources),
    },
    {
      id: 'table.check.cancel',
      group: 'Episodes',
      title: 'Cancel checking',
      words: ['stop', 'lint'],
      keys: [],
      ...unavailableIf(checking ? undefined : 'Nothing is being checked'),
      run: cancelChecks,
    },
    {
      id: 'table.search',
      group: 'Episodes',
      title: 'Search all records',
      words: ['find', 'grep', 'text'],
      keys: ['s'],
      ...unavailableIf(noSource),
      run: openSearch,
    },
    {
      id: 'table.search.cancel',
      group: 'Episodes',
      title: 'Cancel the search',
      words: ['stop'],
      keys: [],
      ...unavailableIf(searching === 'searching' ? undefined : 'Nothing is being searched for'),
      run: cancelSearch,
    },
    {
      id: 'table.search.close',
      group: 'Episodes',
      title: 'Close the search',
      words: ['clear', 'end'],
      keys: [],
      ...unavailableIf(searching === undefined ? 'No search is open' : undefined),
      run: leaveSearch,
    },
  ];
}
