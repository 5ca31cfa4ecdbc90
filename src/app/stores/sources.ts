import { messageOf } from '../data/messageOf';
import { create } from 'zustand';
import type { SourceId, SourceState } from '../../ingest/protocol';
import { ingest } from '../data/ingest';

/** A source as the page knows it. */
export interface OpenedSource extends SourceState {
  /** Tells one opening from the next: a file of the same name may hold something else by then. */
  opening: number;
}

interface Sources {
  /** In the order they were opened. */
  list: readonly OpenedSource[];
}

/** The open sources and how far each has been read. */
export const useSources = create<Sources>()(() => ({ list: [] }));

export function sourceOf(id: SourceId | undefined): OpenedSource | undefined {
  return useSources.getState().list.find((source) => source.id === id);
}

let openings = 0;

/** Starts reading a source; a source of the same id is replaced. */
export function openSource(id: SourceId, name: string, data: Blob): void {
  const opening = ++openings;
  const start: OpenedSource = {
    id,
    name,
    opening,
    phase: 'reading',
    bytesRead: 0,
    bytesTotal: data.size,
    records: 0,
    episodes: 0,
    problems: 0,
  };
  useSources.setState(({ list }) => ({ list: [...list.filter((source) => source.id !== id), start] }));
  // A source that was closed or replaced meanwhile stays so.
  const update = (change: Partial<SourceState>) =>
    useSources.setState(({ list }) => ({
      list: list.map((source) => (source.opening === opening ? { ...source, ...change } : source)),
    }));
  ingest()
    .open({ id, name, data }, update)
    .catch((error: unknown) => {
      const what = `Reading stopped: ${messageOf(error)}`;
      update({ phase: 'failed', failure: { what, next: 'Open the file again.' } });
    });
}

export function closeSource(id: SourceId): void {
  useSources.setState(({ list }) => ({ list: list.filter((source) => source.id !== id) }));
  void ingest().close(id);
}

export function cancelSource(id: SourceId): void {
  void ingest().cancel(id);
}
