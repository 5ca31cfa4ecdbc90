import { exportEpisode, exporters, type Exporter } from '../../formats';
import { episodeMarkdown, type Episode } from '../../model';
import { episodeHtml } from './html';

/** Something an episode can be saved as. */
export interface Target {
  id: string;
  name: string;
  /** What it is good for, in a few words. */
  about: string;
  extension: string;
  type: string;
  /** Of a single episode. */
  write: (episode: Episode) => { text: string; losses: readonly string[] };
  /** Formats that hold one episode per line can hold many. */
  exporter?: Exporter;
}

const about: Record<string, string> = {
  rollscope: 'everything, to be opened here again',
  'nemo-gym': 'request, output items and reward, one line each',
  statelm: "the loop's own fields",
  openai: 'messages and tools, as for fine-tuning',
};

export const targets: readonly Target[] = [
  ...exporters.map((exporter): Target => ({
    id: exporter.id,
    name: exporter.name,
    about: about[exporter.id] ?? '',
    extension: 'jsonl',
    type: 'application/jsonl',
    write: (episode) => {
      const { text, losses } = exportEpisode(episode, exporter);
      return { text: `${text}\n`, losses };
    },
    exporter,
  })),
  {
    id: 'html',
    name: 'HTML page',
    about: 'one file to read anywhere, without a network',
    extension: 'html',
    type: 'text/html',
    write: (episode) => ({ text: episodeHtml(episode), losses: readingLosses(episode) }),
  },
  {
    id: 'markdown',
    name: 'Markdown',
    about: 'for reports and chats',
    extension: 'md',
    type: 'text/markdown',
    write: (episode) => ({ text: episodeMarkdown(episode), losses: readingLosses(episode, true) }),
  },
];

/** What a page to be read leaves out. */
function readingLosses(episode: Episode, isPlain = false): string[] {
  const hasTokens =
    episode.steps.some(({ tokens }) => tokens !== undefined) ||
    (episode.samples ?? []).some(({ tokens }) => tokens !== undefined);
  return [
    ...(hasTokens ? ['Token ids, masks and log probabilities are left out.'] : []),
    ...((episode.exchanges ?? []).length > 0 ? ['Exchanges with the server are left out.'] : []),
    ...((episode.states ?? []).length > 0 ? ['States of the session are left out.'] : []),
    ...(isPlain && episode.edits.length > 0 ? ['Which messages were deleted, and when, is left out.'] : []),
    ...(isPlain && hasImages(episode) ? ['Images are left out.'] : []),
  ];
}

function hasImages({ messages }: Episode): boolean {
  return messages.some(({ parts }) => parts.some(({ kind }) => kind === 'image'));
}
