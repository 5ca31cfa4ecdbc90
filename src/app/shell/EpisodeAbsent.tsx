import type { Episode } from '../../model';
import { Button } from '../controls/Button';
import { Notice } from '../controls/Notice';
import { isBegun, type Growable } from '../episodes/ledger';
import { begunText } from '../episodes/sourceText';
import { counted } from '../words/format';
import type { Loaded } from '../data/useLoaded';
import { SAMPLE_PREFIX } from '../opening/open';
import type { Reopening } from '../opening/useReopening';
import type { Place } from '../place/place';
import { goHome, goTo } from '../place/usePlace';

interface EpisodeAbsentProps {
  place: Place;
  source: Growable | undefined;
  reopening: Reopening;
  loaded: Loaded<Episode | undefined>;
  onOpen: () => void;
}

/** What stands in the middle while there is no episode to show: which of the reasons it is, and the way on. */
export function EpisodeAbsent({ place, source, reopening, loaded, onOpen }: EpisodeAbsentProps) {
  const home = <Button onClick={goHome}>First screen</Button>;
  const open = (
    <Button kind="primary" onClick={onOpen}>
      Open files
    </Button>
  );
  if (source === undefined) {
    if (reopening.state === 'failed') {
      return (
        <Notice tone="error" title={`${place.source} could not be opened`} actions={home}>
          <p>{reopening.error}</p>
        </Notice>
      );
    }
    if (reopening.state === 'missing' && place.source?.startsWith(SAMPLE_PREFIX) === true) {
      return (
        <Notice title="There is no such sample" actions={home}>
          <p>{`The link names ${place.source}, which this version does not have.`}</p>
        </Notice>
      );
    }
    if (reopening.state === 'trying') return <Notice title={`Opening ${place.source}`} />;
    if (reopening.state === 'ask') {
      const allow = (
        <Button kind="primary" onClick={reopening.open}>
          {reopening.what === 'file' ? 'Open it again' : 'Open it'}
        </Button>
      );
      return (
        <Notice
          title={reopening.what === 'file' ? `${place.source} was open before` : 'This link names a URL'}
          actions={
            <>
              {allow}
              {home}
            </>
          }
        >
          <p>
            {reopening.what === 'file'
              ? `The browser wants a click before a page may read a file again. The link points to ${wherein(place)}.`
              : `${place.source} has not been opened in this browser before. It is fetched only if you want it.`}
          </p>
        </Notice>
      );
    }
    return (
      <Notice
        title={`Drop ${place.source} here`}
        actions={
          <>
            {open}
            {home}
          </>
        }
      >
        <p>
          This link points to {wherein(place)} of that file. Files stay on your machine, so the link alone
          cannot bring it back.
        </p>
      </Notice>
    );
  }
  if (isBegun(source)) {
    return (
      <Notice title={begunText.what}>
        <p>{begunText.next}</p>
      </Notice>
    );
  }
  if (source.phase === 'failed' && source.episodes === 0) {
    return (
      <Notice tone="error" title={`${source.name} cannot be opened`} actions={open}>
        <p>{source.failure?.what}</p>
        <p>{source.failure?.next}</p>
      </Notice>
    );
  }
  if (loaded.state === 'failed') {
    return (
      <Notice tone="error" title="This episode could not be read" actions={open}>
        <p>{loaded.error}</p>
      </Notice>
    );
  }
  if (loaded.state === 'loading' || source.phase === 'reading')
    return <Notice title={`Reading ${source.name}`} />;
  if (source.episodes === 0) {
    return (
      <Notice title="No episode in this file" actions={open}>
        <p>
          {source.problems > 0
            ? `None of its lines could be read: see the ${counted(source.problems, 'problem')} listed at the left.`
            : 'It was read to the end, and holds no record.'}
        </p>
      </Notice>
    );
  }
  return (
    <Notice
      title={`There is no episode ${place.episode}`}
      actions={
        <Button kind="primary" onClick={() => goTo({ episode: 0, step: 0 })}>
          First episode
        </Button>
      }
    >
      <p>{`${source.name} has ${counted(source.episodes, 'episode')}, counted from 0.`}</p>
    </Notice>
  );
}

function wherein({ episode, step }: Place): string {
  return episode === undefined ? 'a place' : `episode ${episode}, step ${step}`;
}
