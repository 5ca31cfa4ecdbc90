import { arrayAt, noCounts, stringAt, type Counts, type Episode, type Message } from '../../model';
import { bareEpisode, bareSummary, type Bare } from '../bare';
import type { Format, SourceRecord } from '../format';
import { summaryOf } from '../episodes';
import { isLine, readEpisode } from './read';

/**
 * Rollscope's own format, one episode per line (`docs/rollscope-format.md`):
 *
 *     {"rollscope":1,"id":"0","format":"nemo_gym_rollout","title":"…","messages":[…],"steps":[…],…}
 *
 * The episode is the one that was written, its `format` too: it says where the episode first came from.
 */
export const rollscope: Format = {
  id: 'rollscope',
  name: 'Rollscope',
  unit: 'record',
  confidence(value) {
    if (!isLine(value)) return 0;
    return arrayAt(value, 'messages') === undefined ? 0.5 : 1;
  },
  summarise(record) {
    const read = readEpisode(record.value);
    return [
      read.ok ? summaryOf(read.episode, countsOf(read.episode)) : bareSummary(unread(record, read.reason)),
    ];
  },
  episode(record) {
    const read = readEpisode(record.value);
    return read.ok ? read.episode : bareEpisode(unread(record, read.reason), 'rollscope', record);
  },
};

/** A line that cannot be read is shown as it is. */
function unread({ value, index }: SourceRecord, reason: string): Bare {
  return {
    title: stringAt(value, 'title')?.slice(0, 80) ?? `record ${index}`,
    outcome: { components: {} },
    metrics: {},
    gaps: [{ about: 'messages', reason: `${reason} It is shown as it stands in the file.` }],
  };
}

/** What its first source counted was the source's items, which are not in the episode; here its messages are. */
export function countsOf({ messages }: Episode): Counts {
  const counts = noCounts();
  for (const message of messages) {
    const calls = message.parts.filter(({ kind }) => kind === 'call').length;
    const thoughts = message.parts.some(({ kind }) => kind === 'reasoning' || kind === 'sealed') ? 1 : 0;
    if (message.origin === 'prompt') {
      counts.inputToolCalls += calls;
      counts.inputReasoning += thoughts;
      if (message.role === 'tool') counts.inputToolResults += 1;
      else if (isSpoken(message)) counts.inputMessages += 1;
    } else {
      counts.toolCalls += calls;
      counts.reasoning += thoughts;
      if (message.role === 'tool') counts.toolResults += 1;
      else if (isSpoken(message)) counts.messages += 1;
    }
  }
  return counts;
}

function isSpoken({ parts }: Message): boolean {
  return parts.some(({ kind }) => kind !== 'call' && kind !== 'reasoning' && kind !== 'sealed');
}
