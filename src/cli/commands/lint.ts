import { lintAcross, lintEpisode, type Finding, type Severity } from '../../model';
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

Exits with 1 if there is an error or a warning, or a file could not be read; with 0 if there is nothing, or nothing but
info.`,
  options: {},
  async run({ positionals, json }, io) {
    if (positionals.length === 0) throw new UsageError('Which files? Name at least one file or folder.');
    const counts: Record<Severity, number> = { error: 0, warning: 0, info: 0 };
    let episodes = 0;
    let failures = 0;
    const across = lintAcross();
    for (const input of await findInputs(positionals)) {
      const { failure } = await eachEpisode(input, io, async (episode, number) => {
        episodes += 1;
        const shared = across(episode, `episode ${number} of ${input.path}`);
        for (const finding of [...lintEpisode(episode), ...shared]) {
          counts[finding.severity] += 1;
          await io.data(
            json
              ? jsonLine(jsonOf(input.path, number, finding))
              : printable(`${textOf(input.path, number, finding)}\n`),
          );
        }
      });
      if (failure === undefined) continue;
      failures += 1;
      io.note(`${input.path}: ${failure.what} ${failure.next}`);
    }
    io.note(
      `${counted(episodes, 'episode')}: ${counted(counts.error, 'error')}, ${counted(counts.warning, 'warning')}, ${counts.info} info`,
    );
    return counts.error + counts.warning + failures === 0 ? 0 : 1;
  },
});

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
