import { useEffect, useMemo, useState } from 'react';
import type { Episode } from '../../../model';
import { bundledName, sourceFor } from '../../tokenizers/choice';
import { ask } from '../../tokenizers/work';
import { evidenceIn, unreadIds, type Reading } from './reading';
import type { Track } from './track';

/**
 * The ids of a track as the chosen tokenizer reads them. The bundled one is used where it is the right one; one that the
 * person brought always, and told so where it is not. Undefined where there is nothing to read, or nobody to read it.
 */
export function useReading(episode: Episode, track: Track | undefined, chosen: string): Reading | undefined {
  const [read, setRead] = useState<{ track: Track; chosen: string; reading: Reading }>();
  // Where ids are characters all of them are read.
  const ids = useMemo(
    () => (track === undefined || episode.tokenIds === 'characters' ? undefined : unreadIds(track)),
    [track, episode],
  );
  useEffect(() => {
    if (track === undefined || ids === undefined || ids.length === 0) return;
    let wanted = true;
    void readIds(episode, ids, chosen).then(
      (reading) => {
        if (wanted && reading !== undefined) setRead({ track, chosen, reading });
      },
      () => {
        // Ids stay ids.
      },
    );
    return () => {
      wanted = false;
    };
  }, [episode, track, ids, chosen]);
  return read !== undefined && read.track === track && read.chosen === chosen ? read.reading : undefined;
}

async function readIds(episode: Episode, ids: Int32Array, chosen: string): Promise<Reading | undefined> {
  const source = await sourceFor(chosen);
  if (source === undefined) return undefined;
  const evidence = evidenceIn(episode);
  const { texts, fits } = await ask('read', source, ids, evidence);
  if (source.kind === 'bundled' && !fits) return undefined;
  return {
    by: source.kind === 'bundled' ? bundledName : source.name,
    fits: evidence.length === 0 ? undefined : fits,
    texts: new Map(texts.map((text, index) => [ids[index] ?? -1, text])),
  };
}
