import { messageOf } from '../data/messageOf';
import { create } from 'zustand';
import type { SourceId, SourceState } from '../../ingest/protocol';
import { ingest } from '../data/ingest';

interface Sources {
  /** In the order they were opened. */
  list: readonly SourceState[];
}

/** The open sources and how far each has been read. */
export const useSources = create<Sources>()(() => ({ list: [] }));

export function sourceOf(id: SourceId | undefined): SourceState | undefined {
  return useSources.getState().list.find((source) => source.id === id);
}

/** Starts reading a source; a source of the same id is replaced. */
export function openSource(id: SourceId, name: string, data: Blob): void {
  const start: SourceState = {
    id,
    name,
    phase: 'reading',
    bytesRead: 0,
    bytesTotal: data.size,
    records: 0,
    episodes: 0,
    problems: 0,
  };
  useSources.setState(({ list }) => ({ list: [...list.filter((source) => source.id !== id), start] }));
  ingest()
    .open({ id, name, data }, update)
    .catch((error: unknown) => {
      const what = `Reading stopped: ${messageOf(error)}`;
      update({
        ...(sourceOf(id) ?? start),
        phase: 'failed',
        failure: { what, next: 'Open the file again.' },
      });
    });
}

/** A source that was closed meanwhile stays closed. */
function update(state: SourceState): void {
  useSources.setState(({ list }) => ({
    list: list.map((source) => (source.id === state.id ? state : source)),
  }));
}

export function closeSource(id: SourceId): void {
  useSources.setState(({ list }) => ({ list: list.filter((source) => source.id !== id) }));
  void ingest().close(id);
}

export function cancelSource(id: SourceId): void {
  void ingest().cancel(id);
}
