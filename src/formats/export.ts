import type { Episode } from '../model';
import { writeOpenaiChat } from './chat/export';
import { lossesBetween } from './losses';
import { writeNemoGym } from './nemo-gym/export';
import { detectFormat } from './registry';
import { writeEpisode } from './rollscope/write';
import { writeStatelm } from './statelm/export';

/** A format that episodes can be written in. */
export interface Exporter {
  id: string;
  /** For people: `NeMo Gym rollouts`. */
  name: string;
  /** One episode as one line of JSON, without the line break. */
  write: (episode: Episode) => string;
}

export const exporters = [
  { id: 'rollscope', name: 'Rollscope', write: writeEpisode },
  { id: 'nemo-gym', name: 'NeMo Gym rollouts', write: writeNemoGym },
  { id: 'statelm', name: 'StateLM', write: writeStatelm },
  { id: 'openai', name: 'OpenAI chat', write: writeOpenaiChat },
] as const satisfies readonly Exporter[];

export type ExportTarget = (typeof exporters)[number]['id'];

export interface Exported {
  /** A line of JSON, without the line break. */
  text: string;
  /** What the target cannot hold, one sentence each; nothing where it holds all of the episode. */
  losses: string[];
}

export function findExporter(id: string): Exporter | undefined {
  return exporters.find((exporter) => exporter.id === id);
}

/** Writes an episode, and reads what was written to find out what is missing from it. */
export function exportEpisode(episode: Episode, { write }: Exporter): Exported {
  const text = write(episode);
  const value: unknown = JSON.parse(text);
  const again = detectFormat(value)?.episode({ value, text, index: 0, line: 1 }, 0);
  return { text, losses: again === undefined ? [] : lossesBetween(episode, again) };
}
