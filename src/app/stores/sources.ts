import { create } from 'zustand';
import type { Extension, SourceData, SourceId, SourceState } from '../../ingest/protocol';
import { errorText } from '../../model/error-text';
import { ingest } from '../data/ingest';

/** A source as the page knows it. */
export interface OpenedSource extends SourceState {
  /** Tells one opening from the next: a file of the same name may hold something else by then. */
  opening: number;
  /** What it is read from, to read on in it. */
  data: SourceData;
  /** It is followed, and was written to a moment ago. */
  growing: boolean;
  /** It is another file by now than was read, or has grown in a way that rows cannot simply be added. */
  changed?: Exclude<Extension, 'extended'>;
}

export interface Sources {
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
export function openSource(id: SourceId, name: string, data: SourceData, growing = false): void {
  const opening = ++openings;
  const start: OpenedSource = {
    id,
    name,
    opening,
    data,
    growing,
    phase: 'reading',
    bytesRead: 0,
    bytesTotal: data.size,
    records: 0,
    episodes: 0,
    problems: 0,
  };
  useSources.setState(({ list }) => ({
    list: sourceOf(id) === undefined ? [...list, start] : list.map((was) => (was.id === id ? start : was)),
  }));
  const update = (state: Partial<SourceState>) => change(opening, (was) => ({ ...was, ...state }));
  ingest()
    .open({ id, name, data }, update)
    .catch((error: unknown) => {
      const what = `Reading stopped: ${errorText(error)}`;
      update({ phase: 'failed', failure: { what, next: 'Open the file again.' } });
    });
}

/** A source that was closed or replaced meanwhile stays so. */
function change(opening: number, next: (source: OpenedSource) => OpenedSource): void {
  useSources.setState(({ list }) => ({
    list: list.map((source) => (source.opening === opening ? next(source) : source)),
  }));
}

/** Reads on in a source that has grown, or whose reading was interrupted. */
export async function extendSource(id: SourceId, data: SourceData): Promise<Extension> {
  const source = sourceOf(id);
  if (source === undefined) return 'replaced';
  const { opening } = source;
  return ingest().extend(id, data, (state) =>
    change(opening, ({ growing }) => ({ ...state, opening, data, growing })),
  );
}

/** The same for one whose reading was interrupted: it is being read from now on, and what is in the way is told of it. */
export async function resumeSource(id: SourceId, data: SourceData): Promise<Extension | 'failed'> {
  const source = sourceOf(id);
  if (source === undefined) return 'replaced';
  const { failure: _failure, readOn: _readOn, ...rest } = source;
  change(source.opening, () => ({ ...rest, phase: 'reading' }));
  try {
    const outcome = await extendSource(id, data);
    if (outcome === 'replaced') change(source.opening, () => source);
    return outcome;
  } catch (error) {
    const failure = { what: `Reading stopped: ${errorText(error)}`, next: 'What was read stays.' };
    change(source.opening, () => ({ ...source, phase: 'failed', failure }));
    return 'failed';
  }
}

export function markGrowing(id: SourceId, growing: boolean): void {
  const source = sourceOf(id);
  if (source !== undefined && source.growing !== growing)
    change(source.opening, (was) => ({ ...was, growing }));
}

export function markChanged(
  { opening }: Pick<OpenedSource, 'opening'>,
  changed: Exclude<Extension, 'extended'>,
): void {
  change(opening, (was) => ({ ...was, changed }));
}

export function closeSource(id: SourceId): void {
  useSources.setState(({ list }) => ({ list: list.filter((source) => source.id !== id) }));
  void ingest().close(id);
}

export function cancelSource(id: SourceId): void {
  void ingest().cancel(id);
}
