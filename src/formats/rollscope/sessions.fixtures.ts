import { episodeOf, messageOf } from '../../model/episode.fixtures';
import { writeEpisode } from './write';

/** An episode that made one call in each of these sessions, as a line of a file. */
export function lineWithSessions(title: string, ...sessions: string[]): string {
  return writeEpisode(
    episodeOf({
      title,
      messages: [messageOf(0, 'policy', { bornAtStep: 0 })],
      exchanges: sessions.map((session) => ({
        step: 0,
        purpose: 'call',
        request: { method: 'POST', url: 'http://localhost/call', headers: [] },
        session,
      })),
    }),
  );
}
