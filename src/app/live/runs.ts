/** The runs of this browser: those that go on in this page, and those kept from before. In the table they are one source. */
import { foldEpisode } from '../../agent';
import { writeEpisode } from '../../formats/rollscope/write';
import { forgetLog, keptRuns, loadLog } from '../../live';
import type { Episode } from '../../model';
import { errorText } from '../../model/error-text';
import { closeSource, openSource } from '../stores/sources';
import { say } from '../stores/toasts';
import { readDescription } from './description';
import { RUNS, useRuns, type RunEntry } from './list';
import { forgetReplays } from './replayed';
import { runStore } from './storage';

const byAge = (one: RunEntry, other: RunEntry) =>
  one.description.createdAt - other.description.createdAt || (one.id < other.id ? -1 : 1);

let loading: Promise<void> | undefined;

/** Brings back what was kept; once. */
export function loadRuns(): Promise<void> {
  loading ??= load().catch((error: unknown) => {
    useRuns.setState({ loaded: true });
    say(`Kept runs cannot be read: ${errorText(error)}`);
  });
  return loading;
}

async function load(): Promise<void> {
  const entries: RunEntry[] = [];
  const all = (await keptRuns(runStore)).map((id) => loadLog(runStore, id));
  for (const kept of await Promise.all(all)) {
    const description = readDescription(kept?.description);
    if (kept === undefined || description === undefined || kept.log.length === 0) continue;
    try {
      entries.push({ id: kept.id, description, episode: foldEpisode(kept.log) });
    } catch {
      // Written by another version: it stays where it is, and is not shown.
    }
  }
  useRuns.setState(({ list }) => {
    const here = new Set(list.map(({ id }) => id));
    return { list: [...list, ...entries.filter(({ id }) => !here.has(id))].sort(byAge), loaded: true };
  });
}

/** Opens the source of all runs. False where there is none. */
export async function openRuns(): Promise<boolean> {
  await loadRuns();
  if (useRuns.getState().list.length === 0) return false;
  publish();
  return true;
}

export function addRun(entry: RunEntry): number {
  useRuns.setState(({ list }) => ({
    list: [...list.filter(({ id }) => id !== entry.id), entry].sort(byAge),
  }));
  publish();
  return useRuns.getState().list.findIndex(({ id }) => id === entry.id);
}

/** The run stands still: the table shows it as it is now. */
export function updateRun(id: string, episode: Episode): void {
  const entry = useRuns.getState().list.find((other) => other.id === id);
  if (entry === undefined || entry.episode === episode) return;
  const nth = useRuns.getState().list.indexOf(entry);
  // What a replay found out about it was about another episode than it is now.
  forgetReplays(({ source, episode: other }) => source === RUNS && other === nth);
  useRuns.setState(({ list }) => ({
    list: list.map((other) => (other.id === id ? { ...other, episode } : other)),
  }));
  publish();
}

export async function removeRun(id: string): Promise<void> {
  const entry = useRuns.getState().list.find((other) => other.id === id);
  await entry?.run?.stop();
  // What is still to be written would be written after all is forgotten.
  await entry?.keeper?.settled().catch(() => undefined);
  // Those behind it have other numbers from now on.
  forgetReplays(({ source }) => source === RUNS);
  useRuns.setState(({ list }) => ({ list: list.filter((other) => other.id !== id) }));
  await forgetLog(runStore, id).catch(() => undefined);
  publish();
}

const lines = new WeakMap<Episode, string>();

function lineOf(episode: Episode): string {
  const known = lines.get(episode);
  if (known !== undefined) return known;
  const line = `${writeEpisode(episode)}\n`;
  lines.set(episode, line);
  return line;
}

let soon: ReturnType<typeof setTimeout> | undefined;

/** All runs as one source, read like any file. Many changes in a row are one. */
function publish(): void {
  soon ??= setTimeout(() => {
    soon = undefined;
    const { list } = useRuns.getState();
    if (list.length === 0) closeSource(RUNS);
    else openSource(RUNS, 'Runs', new Blob(list.map(({ episode }) => lineOf(episode))));
  }, 50);
}
