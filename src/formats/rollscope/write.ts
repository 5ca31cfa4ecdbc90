import type { Episode, Step } from '../../model';
import { version } from './schema';
import { growths } from './tokens';
import { jsonOf } from './values';

/** An episode as one line of Rollscope's own format, without the line break. */
export function writeEpisode(episode: Episode): string {
  return jsonOf({
    rollscope: version,
    ...episode,
    // Where a message stood in its first source says nothing about where it stands here.
    messages: episode.messages.map((message) => ({ ...message, raw: undefined })),
    steps: stepsOf(episode.steps),
  });
}

function stepsOf(steps: readonly Step[]): object[] {
  const prompts = growths(steps.flatMap(({ tokens }) => tokens ?? []));
  let next = 0;
  return steps.map((step) =>
    step.tokens === undefined ? step : { ...step, tokens: { ...step.tokens, promptIds: prompts[next++] } },
  );
}
