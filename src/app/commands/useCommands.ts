import { useMemo } from 'react';
import { useShallow } from 'zustand/react/shallow';
import type { Run } from '../../live';
import { episodeMarkdown, seenAs, type Episode, type Finding } from '../../model';
import { openFind } from '../episode/find/store';
import { useChecks } from '../episodes/checks';
import { useLacks } from '../episodes/lacks';
import { openExport } from '../export/store';
import { leave, openSample } from '../opening/open';
import { refOf, tabIds, tabName, type Place } from '../place/place';
import { goHome, goTo, goToPage, linkToHere } from '../place/usePlace';
import { samples } from '../samples';
import { useSearch } from '../search/store';
import { openDialog, setLayout, useLayout } from '../stores/layout';
import { setPreferences, usePreferences, type Theme, type ViewMode } from '../stores/preferences';
import { cancelSource, useSources } from '../stores/sources';
import { copy, say } from '../stores/toasts';
import { unavailableIf, type Command } from './command';
import { toNeighbour } from './moves';
import { after, before, deleteSteps, findingSteps } from './stops';
import { tableCommands } from './tableCommands';

const themes: readonly Theme[] = ['system', 'light', 'dark'];
const viewModes: readonly ViewMode[] = ['seen', 'history', 'changed'];

interface Situation {
  place: Place;
  episode: Episode | undefined;
  /** An episode is about to be shown instead. */
  arriving: boolean;
  findings: readonly Finding[];
  /** The run that is shown, where it is one that goes on in this page. */
  run: Run | undefined;
  /** Opens the browser's file dialog. */
  chooseFiles: () => void;
}

/** Everything the person can do here and now. */
export function useCommands({
  place,
  episode,
  arriving,
  findings,
  run,
  chooseFiles,
}: Situation): readonly Command[] {
  const steps = episode?.steps.length ?? 0;
  // Once per episode: of thousands of steps that takes longer than the rest of a step's change.
  const { deletes, found, noRawText } = useMemo(
    () => ({
      deletes: episode === undefined ? [] : deleteSteps(episode),
      found: episode === undefined ? [] : findingSteps(episode, findings),
      noRawText: inferredWhy(episode),
    }),
    [episode, findings],
  );
  const open = useSources(useShallow(({ list }) => list.map(({ id }) => id)));
  const reading = useSources(
    useShallow(({ list }) => list.filter(({ phase }) => phase === 'reading').map(({ id }) => id)),
  );
  const lacks = useLacks();
  const checking = useChecks(({ state }) => state?.phase === 'linting');
  const searching = useSearch(({ open: isOpen, state }) => (isOpen ? (state?.phase ?? 'idle') : undefined));
  return useMemo(() => {
    const step = Math.min(place.step, Math.max(steps - 1, 0));
    const ref = refOf(place);
    const noRun = run === undefined ? 'No run is shown' : undefined;
    const withEpisode = (otherwise?: string): Pick<Command, 'unavailable' | 'waits'> => {
      if (arriving) return { unavailable: 'The episode is being opened', waits: true };
      return unavailableIf(episode === undefined ? 'No episode is open' : otherwise);
    };
    const toStep = (target: number | undefined, none: string) => ({
      ...withEpisode(target === undefined ? none : undefined),
      run: ({ held }: { held: boolean }) => goTo({ step: target ?? step }, held ? 'replace' : 'push'),
    });
    const later = step + 1 < steps ? step + 1 : undefined;
    const earlier = step > 0 ? step - 1 : undefined;

    const commands: Command[] = [
      {
        id: 'step.next',
        group: 'Steps',
        title: 'Next step',
        keys: ['j'],
        ...toStep(later, 'This is the last step'),
      },
      {
        id: 'step.previous',
        group: 'Steps',
        title: 'Previous step',
        keys: ['k'],
        ...toStep(earlier, 'This is the first step'),
      },
      { id: 'step.first', group: 'Steps', title: 'First step', keys: ['g g'], ...toStep(0, '') },
      {
        id: 'step.last',
        group: 'Steps',
        title: 'Last step',
        keys: ['G'],
        ...toStep(steps > 0 ? steps - 1 : undefined, 'This episode has no steps'),
      },
      {
        id: 'step.nextDelete',
        group: 'Steps',
        title: 'Next step that deletes',
        keys: [']'],
        ...toStep(after(deletes, step), 'Nothing is deleted after this step'),
      },
      {
        id: 'step.previousDelete',
        group: 'Steps',
        title: 'Previous step that deletes',
        keys: ['['],
        ...toStep(before(deletes, step), 'Nothing is deleted before this step'),
      },
      {
        id: 'step.nextFinding',
        group: 'Steps',
        title: 'Next finding',
        keys: ['n'],
        ...toStep(after(found, step), 'No finding after this step'),
      },
      {
        id: 'step.previousFinding',
        group: 'Steps',
        title: 'Previous finding',
        keys: ['N'],
        ...toStep(before(found, step), 'No finding before this step'),
      },
      {
        id: 'episode.next',
        group: 'Episodes',
        title: 'Next episode',
        keys: ['J'],
        ...unavailableIf(ref === undefined ? 'No episode is open' : undefined),
        run: ({ held }) => toNeighbour(1, held),
      },
      {
        id: 'episode.previous',
        group: 'Episodes',
        title: 'Previous episode',
        keys: ['K'],
        ...unavailableIf(ref === undefined ? 'No episode is open' : undefined),
        run: ({ held }) => toNeighbour(-1, held),
      },
      {
        id: 'episode.compare',
        group: 'Episodes',
        title: place.compare === undefined ? 'Compare with another episode' : 'End the comparison',
        words: ['diff', 'side by side'],
        keys: ['c'],
        ...withEpisode(),
        run: () => goTo({ compare: place.compare === undefined ? ref : undefined }),
      },
      ...tableCommands({ place, sources: open, lacks, checking, searching }),
      {
        id: 'find',
        group: 'Steps',
        title: 'Find in this episode',
        words: ['search', 'text'],
        keys: ['/'],
        ...withEpisode(),
        run: openFind,
      },
      {
        id: 'show.viewMode',
        group: 'Show',
        title: 'As the model saw it / full history / what changed',
        words: ['view', 'context', 'diff'],
        keys: ['.'],
        run: () => setPreferences({ viewMode: nextOf(viewModes, usePreferences.getState().viewMode) }),
      },
      {
        id: 'show.textMode',
        group: 'Show',
        title: 'Text as it is / as Markdown',
        keys: ['m'],
        run: () => {
          const { textMode } = usePreferences.getState();
          setPreferences({ textMode: textMode === 'plain' ? 'markdown' : 'plain' });
        },
      },
      {
        id: 'show.inferred',
        group: 'Show',
        title: 'Inferred messages / the raw text they were cut out of',
        keys: ['u'],
        ...withEpisode(noRawText),
        run: () => setPreferences({ inferredText: !usePreferences.getState().inferredText }),
      },
      {
        id: 'show.episodes',
        group: 'Show',
        title: 'Episodes region',
        keys: ['e'],
        run: () => setLayout({ episodesOpen: !useLayout.getState().episodesOpen }),
      },
      {
        id: 'show.inspector',
        group: 'Show',
        title: 'Inspector region',
        keys: ['i'],
        run: () => setLayout({ inspectorOpen: !useLayout.getState().inspectorOpen }),
      },
      ...tabIds.map((id, index): Command => ({
        id: `tab.${id}`,
        group: 'Inspector',
        title: `${tabName(id)} tab`,
        keys: index < 9 ? [String(index + 1)] : [],
        run: () => {
          setLayout({ inspectorOpen: true });
          goTo({ tab: id });
        },
      })),
      {
        id: 'copy.link',
        group: 'Copy',
        title: 'Copy a link to this step',
        words: ['share', 'url'],
        keys: ['y'],
        ...withEpisode(),
        run: () => void copy(linkToHere(), 'Link'),
      },
      {
        id: 'copy.view',
        group: 'Copy',
        title: 'Copy what the model saw, as JSON',
        keys: [],
        ...withEpisode(),
        run: () => {
          if (episode === undefined) return;
          void copy(JSON.stringify(seenAs(episode, step), null, 2), 'View');
        },
      },
      {
        id: 'copy.episode',
        group: 'Copy',
        title: 'Copy the episode as Markdown',
        keys: [],
        ...withEpisode(),
        run: () => {
          if (episode !== undefined) void copy(episodeMarkdown(episode), 'Episode');
        },
      },
      {
        id: 'export',
        group: 'Copy',
        title: 'Export this episode, or all in the table',
        words: ['download', 'save', 'html', 'json'],
        keys: ['x'],
        ...withEpisode(),
        run: openExport,
      },
      {
        id: 'live.step',
        group: 'Run',
        title: 'One step',
        keys: ['>'],
        ...unavailableIf(noRun),
        run: () => void run?.step(),
      },
      {
        id: 'live.run',
        group: 'Run',
        title: 'Run, or pause',
        keys: ['r'],
        ...unavailableIf(noRun),
        run: () => {
          if (run?.getSnapshot().status === 'running') run.pause();
          else void run?.run();
        },
      },
      {
        id: 'live.stop',
        group: 'Run',
        title: 'Stop the run',
        keys: [],
        ...unavailableIf(noRun),
        run: () => void run?.stop(),
      },
      {
        id: 'live.fork',
        group: 'Run',
        title: 'Fork after this step',
        keys: ['F'],
        ...withEpisode(steps === 0 ? 'This episode has no steps' : undefined),
        run: () => openDialog('fork'),
      },
      {
        id: 'live.replay',
        group: 'Run',
        title: 'Replay and verify again',
        keys: ['R'],
        ...withEpisode(steps === 0 ? 'This episode has no steps' : undefined),
        run: () => openDialog('replay'),
      },
      {
        id: 'source.open',
        group: 'Sources',
        title: 'Open files',
        words: ['load', 'read'],
        keys: ['o'],
        run: chooseFiles,
      },
      {
        id: 'source.cancel',
        group: 'Sources',
        title: 'Cancel reading',
        words: ['stop', 'abort', 'loading'],
        keys: [],
        ...unavailableIf(reading.length === 0 ? 'Nothing is being read' : undefined),
        run: () => reading.forEach(cancelSource),
      },
      {
        id: 'source.close',
        group: 'Sources',
        title: 'Close this source',
        words: ['file', 'remove'],
        keys: [],
        ...unavailableIf(place.source === undefined ? 'No source is open' : undefined),
        run: () => {
          if (place.source !== undefined) leave(place.source);
        },
      },
      ...samples.map((sample): Command => ({
        id: `sample.${sample.id}`,
        group: 'Sources',
        title: `Sample: ${sample.title}`,
        keys: [],
        run: () => void openSample(sample.id),
      })),
      {
        id: 'home',
        group: 'Rollscope',
        title: 'First screen',
        words: ['home', 'start', 'recent', 'url'],
        keys: ['g h'],
        run: goHome,
      },
      {
        id: 'live',
        group: 'Rollscope',
        title: 'Run an episode',
        words: ['model', 'endpoint', 'agent'],
        keys: ['g r'],
        run: () => goToPage('live'),
      },
      {
        id: 'gym',
        group: 'Rollscope',
        title: 'Environments',
        words: ['server', 'tools'],
        keys: ['g e'],
        run: () => goToPage('gym'),
      },
      {
        id: 'theme',
        group: 'Rollscope',
        title: 'Theme: system / light / dark',
        words: ['colours', 'mode'],
        keys: ['t'],
        run: () => {
          const theme = nextOf(themes, usePreferences.getState().theme);
          setPreferences({ theme });
          say(`Theme: ${theme}`);
        },
      },
      {
        id: 'palette',
        group: 'Rollscope',
        title: 'All commands',
        keys: ['mod+k', ':'],
        run: () => openDialog('palette'),
      },
      {
        id: 'help',
        group: 'Rollscope',
        title: 'All keys',
        words: ['help', 'shortcuts'],
        keys: ['?'],
        run: () => openDialog('help'),
      },
    ];
    return commands;
  }, [
    place,
    episode,
    arriving,
    steps,
    deletes,
    found,
    noRawText,
    run,
    chooseFiles,
    open,
    reading,
    lacks,
    checking,
    searching,
  ]);
}

/** Why there is no raw text to switch to. */
function inferredWhy(episode: Episode | undefined): string | undefined {
  const isInferred = episode?.messages.some(({ inferredFrom }) => inferredFrom !== undefined) === true;
  return isInferred ? undefined : 'The messages of this episode are recorded, not inferred';
}

function nextOf<T>(all: readonly T[], current: T): T {
  return all[(all.indexOf(current) + 1) % all.length] ?? current;
}
