import { arrayAt, at, type ContextEdit, type Message } from '../../model';
import { plainText } from '../content';
import type { PlacedGap } from '../gaps';

/** What the policy saw other than the history says: edits, and what of it cannot be told as such. */
export interface Shown {
  edits: ContextEdit[];
  gaps: PlacedGap[];
  /** Steps whose query is in the file. */
  queried: number;
}

/**
 * The context edits behind the `query` of each step. SWE-agent keeps the history whole and shortens old observations in
 * what it sends (`last_n_observations`): a message that is sent in other words than it has in the history was replaced by
 * them after the step before.
 *
 * `history` and `messages` are the same list, before and after reading it.
 */
export function editsFromQueries(
  history: readonly unknown[],
  messages: readonly Message[],
  trajectory: readonly unknown[],
): Shown {
  const positions = messages.flatMap(({ origin }, position) => (origin === 'policy' ? [position] : []));
  const shown: Shown = { edits: [], gaps: [], queried: 0 };
  const stubs = new Map<number, string>();
  const troubles = new Set<keyof typeof troubleReasons>();
  for (let step = 0; step < Math.min(positions.length, trajectory.length); step++) {
    const position = positions[step] ?? 0;
    const query = arrayAt(trajectory[step], 'query') ?? arrayAt(trajectory[step], 'messages');
    if (query === undefined) continue;
    shown.queried += 1;
    if (query.length !== position) {
      troubles.add('other messages');
      continue;
    }
    const changes = new Map<string, number[]>();
    query.forEach((sent, nth) => {
      const [was, is] = [plainText(at(history[nth], 'content')), plainText(at(sent, 'content'))];
      const before = stubs.get(nth);
      if (is === (before ?? was)) return;
      const msgId = messages[nth]?.msgId;
      if (before !== undefined || step === 0 || msgId === undefined) troubles.add('not an edit');
      else if (changes.get(is)?.push(msgId) === undefined) changes.set(is, [msgId]);
      stubs.set(nth, is);
    });
    for (const [stub, msgIds] of changes) shown.edits.push({ step: step - 1, kind: 'delete', msgIds, stub });
  }
  shown.gaps = [...troubles].map((trouble) => ({ about: 'views', reason: troubleReasons[trouble] }));
  return shown;
}

const troubleReasons = {
  'other messages':
    'Some queries do not hold the messages of the history before them; their views show the history. The queries are in the raw record.',
  'not an edit':
    'Some messages were sent in other words from the start, or in more than one wording; the views show the first. The queries are in the raw record.',
};
