/** One thing the person can do. The registry feeds the keys, the palette, the menus and the help alike. */
export interface Command {
  id: CommandId;
  title: string;
  group: CommandGroup;
  /** Other words a person may look for it by: `lint` for what is called Check all episodes. */
  words?: readonly string[];
  /** The first is the one that is shown. */
  keys: readonly string[];
  /** Why it cannot be done now; undefined when it can. */
  unavailable?: string;
  /** It can be done in a moment: its key is kept until then. */
  waits?: boolean;
  run: (how: { held: boolean }) => void;
}

export const commandGroups = [
  'Steps',
  'Episodes',
  'Show',
  'Inspector',
  'Copy',
  'Run',
  'Sources',
  'Rollscope',
] as const;
export type CommandGroup = (typeof commandGroups)[number];

export type CommandId =
  | 'step.next'
  | 'step.previous'
  | 'step.first'
  | 'step.last'
  | 'step.nextDelete'
  | 'step.previousDelete'
  | 'step.nextFinding'
  | 'step.previousFinding'
  | 'episode.next'
  | 'episode.previous'
  | 'episode.compare'
  | `table.${string}`
  | 'find'
  | 'show.viewMode'
  | 'show.textMode'
  | 'show.inferred'
  | 'show.episodes'
  | 'show.inspector'
  | `tab.${string}`
  | 'copy.link'
  | 'copy.view'
  | 'copy.episode'
  | 'export'
  | 'source.open'
  | 'source.cancel'
  | 'source.close'
  | `sample.${string}`
  | 'live.step'
  | 'live.run'
  | 'live.stop'
  | 'live.fork'
  | 'live.replay'
  | 'live'
  | 'home'
  | 'gym'
  | 'theme'
  | 'palette'
  | 'help';

/** With `exactOptionalPropertyTypes` an absent reason is an absent key. */
export function unavailableIf(reason: string | undefined): { unavailable?: string } {
  return reason === undefined ? {} : { unavailable: reason };
}
