import { useEffect, useRef, type KeyboardEvent } from 'react';
import type { EpisodeRef, TableQuery } from '../../ingest/protocol';
import { SearchField, WalkButtons } from '../controls/SearchField';
import { SmallButton } from '../controls/SmallButton';
import { ingest } from '../data/ingest';
import { useShown } from '../episodes/groups/request';
import { leaveSearch } from '../episodes/reach';
import { useAnswer } from '../episodes/useAnswer';
import { useSources } from '../stores/sources';
import { placeWords, resultWords } from './results';
import {
  cancelSearch,
  episodesOf,
  openingsOf,
  runSearch,
  searchId,
  setSearch,
  useSearch,
  walkResults,
} from './store';
import styles from './search.module.css';

interface SearchPanelProps {
  query: TableQuery;
  revision: string;
  onSelect: (ref: EpisodeRef) => void;
}

/** After this long without a key the search starts by itself. */
const restMs = 500;

/** Looks for a text in the bytes of all records, and goes from one episode that has it to the next in the table. */
export function SearchPanel({ query, revision, onSelect }: SearchPanelProps) {
  const { sources } = query;
  const { text, matchCase, asked, state, episodes, failure, at, focuses } = useSearch();
  const openings = useSources(openingsOf);
  const grown = useSources((list) => episodes !== undefined && episodesOf(list) > episodes);
  const input = useRef<HTMLInputElement>(null);
  // A source that was opened or closed since is a reason to look again.
  const isAsked = asked?.text === text && asked.matchCase === matchCase && asked.openings === openings;

  useEffect(() => {
    if (focuses === 0) return;
    input.current?.focus();
    input.current?.select();
  }, [focuses]);

  useEffect(() => {
    if (isAsked) return;
    // An empty field has nothing to wait for.
    const timer = setTimeout(() => runSearch(sources, { text, matchCase }), text === '' ? 0 : restMs);
    return () => clearTimeout(timer);
  }, [isAsked, text, matchCase, sources]);

  const shown = useShown(query);
  const subject = JSON.stringify([asked, shown, at?.ref]);
  const answer = useAnswer(
    state === undefined ? undefined : subject,
    `${revision} ${state?.found.length} ${state?.phase}`,
    async () => ({ asked, ...(await ingest().results(searchId, shown, at?.ref)) }),
    { keepLast: true },
  ).value;
  const results = answer?.asked === asked ? answer : undefined;

  const go = (by: 1 | -1) => walkResults(shown, by, onSelect);

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' && event.target === input.current) {
      if (isAsked && failure === undefined) go(event.shiftKey ? -1 : 1);
      else runSearch(sources, { text, matchCase });
    } else if (event.key === 'Escape') leaveSearch();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  const none = (results?.shown ?? 0) === 0;
  return (
    // Keys of what stands in it, which bubble up to here.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/no-static-element-interactions
    <search aria-label="All records" className={styles.panel} onKeyDown={onKeyDown}>
      <SearchField
        ref={input}
        label="Search all records"
        text={text}
        matchCase={matchCase}
        onChange={setSearch}
      >
        <WalkButtons what="result" disabled={none} go={go} />
        <SmallButton label="Close the search" title="Close (Escape)" sign="×" onClick={leaveSearch} />
      </SearchField>
      {failure === undefined ? null : (
        <p role="alert" className={styles.failure}>
          The search stopped: {failure}
        </p>
      )}
      {state === undefined ? null : (
        <div className={styles.line}>
          <span className={styles.words}>{resultWords(state, results)}</span>
          {state.phase === 'searching' ? (
            <button type="button" className={styles.action} onClick={cancelSearch}>
              Cancel
            </button>
          ) : grown ? (
            <button
              type="button"
              className={styles.action}
              title="Episodes have come since"
              onClick={() => runSearch(sources, { text, matchCase })}
            >
              Search again
            </button>
          ) : (
            <span className={styles.place}>{results === undefined ? '' : placeWords(results)}</span>
          )}
        </div>
      )}
      {state?.phase === 'searching' ? (
        <progress
          aria-label="Searching"
          className={styles.progress}
          max={Math.max(1, state.bytesTotal)}
          value={state.bytesRead}
        />
      ) : null}
      <output className="unseen">{state?.phase === 'done' ? resultWords(state, results) : ''}</output>
    </search>
  );
}
