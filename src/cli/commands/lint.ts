import {
  lintEpisode,
  sessionShared,
  sessionsOf,
  type Episode,
  type Finding,
  type Severity,
  type UsedSession,
} from '../../model';
import { defineCommand, UsageError } from '../command';
import { counted, eachEpisode } from '../episodes';
import { findInputs } from '../inputs';
import { jsonLine, printable } from '../io';

export const lint = defineCommand({
  name: 'lint',
  synopsis: 'lint <paths...>',
  about:
    'looks for what is wrong with episodes: masks, views, edits, ids, context, sessions, outcomes; for CI',
  details: `Checks every episode of files and folders, and prints each finding with its place: the rule, how bad it is (error, warning
or info), the step, the message and the tokens it is about. - is standard input.

Exits with 1 if there is an error or a warning, or a file or a line of one could not be read; with 0 if there is nothing,
or nothing but info. Lines that could not be read are named on standard error.`,
  options: {},
  async run({ positionals, json }, io) {
    if (positionals.length === 0) throw new UsageError('Which files? Name at least one file or folder.');
    const counts: Record<Severity, number> = { error: 0, warning: 0, info: 0 };
    let episodes = 0;
    let failures = 0;
    let unread = 0;
    const report = async ({ path, episode }: Place, finding: Finding): Promise<void> => {
      counts[finding.severity] += 1;
      await io.data(
        json ? jsonLine(jsonOf(path, episode, finding)) : printable(`${textOf(path, episode, finding)}\n`),
      );
    };
    const shared = sharedSessions();
    for (const input of await findInputs(positionals)) {
      const { failure, problems } = await eachEpisode(input, io, async (episode, number) => {
        episodes += 1;
        const place = { path: input.path, episode: number };
        for (const finding of lintEpisode(episode)) await report(place, finding);
        for (const { place: where, finding } of shared(episode, place)) await report(where, finding);
      });
      unread += problems;
      if (failure === undefined) continue;
      failures += 1;
      io.note(`${input.path}: ${failure.what} ${failure.next}`);
    }
    io.note(
      [
        `${counted(episodes, 'episode')}: ${counted(counts.error, 'error')}`,
        counted(counts.warning, 'warning'),
        `${counts.info} info`,
        ...(unread === 0 ? [] : [`${counted(unread, 'line')} could not be read`]),
      ].join(', '),
    );
    return counts.error + counts.warning + failures + unread === 0 ? 0 : 1;
  },
});

interface Place {
  path: string;
  episode: number;
}

interface Found {
  place: Place;
  finding: Finding;
}

/**
 * Findings about sessions that episodes share, of episodes that come one after the other. The first to use a session is
 * told of together with the second, when it is known.
 */
function sharedSessions(): (episode: Episode, place: Place) => Found[] {
  const first = new Map<string, { place: Place; used: UsedSession; told: boolean }>();
  return (episode, place) =>
    sessionsOf(episode).flatMap((used): Found[] => {
      const other = first.get(used.session);
      if (other === undefined) {
        first.set(used.session, { place, used, told: false });
        return [];
      }
      const own = { place, finding: sessionShared(used, nameOf(other.place)) };
      if (other.told) return [own];
      other.told = true;
      return [{ place: other.place, finding: sessionShared(other.used, nameOf(place)) }, own];
    });
}

function nameOf({ path, episode }: Place): string {
  return `episode ${episode} of ${path}`;
}

function jsonOf(path: string, episode: number, finding: Finding): object {
  const { rule, severity, message, step, msgId, tokens } = finding;
  return {
    path,
    episode,
    rule,
    severity,
    message,
    ...(step === undefined ? {} : { step }),
    ...(msgId === undefined ? {} : { msgId }),
    ...(tokens === undefined ? {} : { tokens }),
  };
}

/** `run.jsonl: episode 3, step 2, message 7: warning: call_7 was never answered (unanswered-call)` */
function textOf(path: string, episode: number, { rule, severity, message, step, msgId }: Finding): string {
  const place = [
    `episode ${episode}`,
    ...(step === undefined ? [] : [`step ${step}`]),
    ...(msgId === undefined ? [] : [`message ${msgId}`]),
  ].join(', ');
  return `${path}: ${place}: ${severity}: ${message} (${rule})`;
}
