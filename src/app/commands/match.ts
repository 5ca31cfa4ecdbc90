import { commandGroups, type Command, type CommandGroup } from './command';

/**
 * The commands that answer to what is typed, group by group, the best first. In a group, what cannot be done now stands
 * behind what can. Where nothing is typed, all as they are.
 */
export function offered(
  commands: readonly Command[],
  typed: string,
): { group: CommandGroup; commands: readonly Command[] }[] {
  const ranked = commands
    .map((command) => {
      const match = matchOf(typed, {
        title: command.title,
        words: [...(command.words ?? []), command.group],
      });
      return { command, match, rank: match + (command.unavailable === undefined ? 1 : 0) };
    })
    .filter(({ match }) => match > 0);
  const inOrder = typed.trim() === '' ? ranked : ranked.sort((a, b) => b.rank - a.rank);
  const all = inOrder.map(({ command }) => command);
  const groups = typed.trim() === '' ? commandGroups : new Set(all.map(({ group }) => group));
  return [...groups].map((group) => ({ group, commands: all.filter((each) => each.group === group) }));
}

/**
 * How well a command answers to what is typed, from 0 (not at all) to 1. Each word typed has to begin a word of the
 * command: `gr ta` is Group by task, and not every command with these letters somewhere. What it is called counts more
 * than its other words; a part out of the middle of a name is the last resort.
 */
export function matchOf(
  typed: string,
  { title, words }: { title: string; words: readonly string[] },
): number {
  const wanted = wordsOf(typed);
  if (wanted.length === 0) return 1;
  const own = wordsOf(title);
  if (wanted.every((each) => begins(own, each))) {
    return wanted[0] !== undefined && own[0]?.startsWith(wanted[0]) === true ? 1 : 0.9;
  }
  const others = words.flatMap(wordsOf);
  if (wanted.every((each) => begins(own, each) || begins(others, each))) return 0.6;
  return title.toLowerCase().includes(typed.trim().toLowerCase()) ? 0.3 : 0;
}

const begins = (words: readonly string[], start: string): boolean =>
  words.some((word) => word.startsWith(start));

/** `Sort by reward, highest first` is five words, without the comma; `pass@k` is one. */
function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[\s,:;/()]+/)
    .filter((word) => word !== '');
}
