import { create } from 'zustand';
import type { SourceId } from '../../ingest/protocol';
import { useSources } from '../stores/sources';
import { rateOf, withSample, type Sample } from './pace';

const usePaces = create<Record<SourceId, readonly Sample[]>>()(() => ({}));

// A pace is made of moments, so it has to be noted when a source speaks, not when something is drawn.
useSources.subscribe(({ list }) => {
  const at = performance.now();
  const before = usePaces.getState();
  const reading = list.filter(({ phase }) => phase === 'reading');
  usePaces.setState(
    Object.fromEntries(
      reading.map(({ id, bytesRead }) => {
        const samples = before[id] ?? [];
        const known = samples.at(-1)?.bytes === bytesRead;
        return [id, known ? samples : withSample(samples, { at, bytes: bytesRead })];
      }),
    ),
    true,
  );
});

/** Bytes per second at which a source is being read now. */
export function useRate(source: SourceId): number | undefined {
  return usePaces((paces) => rateOf(paces[source] ?? []));
}
