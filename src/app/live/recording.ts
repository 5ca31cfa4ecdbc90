/** An episode with what its file, and the files opened beside it, say: what forks and replays start from. */
import type { EpisodeRef } from '../../ingest/protocol';
import type { Recording } from '../../live';
import type { Episode } from '../../model';
import { ingest } from '../data/ingest';

export async function recordingOf(ref: EpisodeRef, episode: Episode): Promise<Recording> {
  const [raw, partners] = await Promise.all([ingest().raw(ref), ingest().partners(ref)]);
  const partner = partners?.found.find(({ role }) => role === 'input');
  const record = valueOf(raw?.text);
  const input = partner === undefined ? undefined : valueOf((await ingest().raw(partner.ref))?.text);
  return {
    episode,
    ...(record === undefined ? {} : { record }),
    ...(input === undefined ? {} : { input }),
  };
}

function valueOf(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    // A record that is no JSON of its own, as one inside an array: the episode alone has to do.
    return undefined;
  }
}
