import {
  arrayAt,
  at,
  isObject,
  pointer,
  recordViews,
  stringAt,
  type ChatMessage,
  type Episode,
  type Gap,
} from '../../model';
import type { SourceRecord } from '../format';
import { chatMessages, sameChat } from './chat';
import { oneEpisode } from '../episodes';
import { noTokenIds } from '../gaps';
import { titleFrom } from '../title';
import { toolSpecs } from '../tool-specs';
import { fitted, rewardGap, statelmEpisode } from './episode';
import { readHistory } from './history';
import { inferenceOutcome, inferenceTraits, inferenceVariants } from './inference-result';
import { Unrenderer } from './rendered';

/**
 * `api_calls_{session}.json` of StateLM's inference code: every model call with the view it was really sent and what
 * came back. The history is put together from what each view adds to the one before it. Nothing is counted: requests
 * repeat each other, and the answers are in the requests after them.
 */
export const statelmApiCalls = oneEpisode(
  { id: 'statelm_api_calls', name: 'StateLM API calls', unit: 'source', confidence },
  read,
);

/** Of one call: the reader takes the file's array apart and gathers the calls again. */
function confidence(call: unknown): number {
  return isObject(at(call, 'api_input')) && at(call, 'api_output') !== undefined ? 1 : 0;
}

function read(record: SourceRecord): Episode {
  const calls: readonly unknown[] = Array.isArray(record.value) ? record.value : [record.value];
  const history = new Unrenderer();
  const views: { step: number; messages: ChatMessage[] }[] = [];
  const gaps: Gap[] = [rewardGap, noTokenIds];
  calls.forEach((call, step) => {
    const messages = chatMessages(at(at(call, 'api_input'), 'messages'));
    if (messages.length < history.entries.length) {
      gaps.push({ about: 'messages', step, reason: `Call ${step} was sent less than the calls before it.` });
    }
    for (const message of messages.slice(history.entries.length)) {
      history.add(message, pointer(step, 'api_input', 'messages', history.entries.length));
    }
    views.push({ step, messages });
    history.add(emittedBy(call), pointer(step, 'api_output'));
  });
  const read = readHistory(history.entries);
  const steps = read.messages.filter(({ role }) => role === 'assistant').length;
  // Calls from before the log began stand in its first view as emissions of their own.
  const earlier = steps - calls.length;
  const input = at(calls[0], 'api_input');
  const model = stringAt(input, 'model');
  const question = history.entries.find(({ value }) => at(value, 'role') === 'user')?.value;
  const episode = statelmEpisode(record, 'statelm_api_calls', read, inferenceTraits, {
    title: titleFrom(stringAt(question, 'content'), 'StateLM API calls'),
    ...(model === undefined ? {} : { model }),
    tools: toolSpecs(arrayAt(input, 'tools') ?? []),
    outcome: inferenceOutcome(read, undefined),
    metrics: { api_calls: calls.length, ...sessionOf(calls[0]) },
    recordedViews: recordViews(
      views.map(({ step, messages }) => ({ step: step + earlier, messages })),
      sameChat,
    ),
    gaps: [
      ...gaps.map((gap) => (gap.step === undefined ? gap : { ...gap, step: gap.step + earlier })),
      ...stubGaps(history),
      {
        about: 'results',
        reason: 'A log of calls ends with the last answer: what the tools made of it is not in it.',
        ...(steps === 0 ? {} : { step: steps - 1 }),
      },
    ],
  });
  return fitted(episode, inferenceVariants);
}

function emittedBy(call: unknown): ChatMessage {
  const choice = arrayAt(at(call, 'api_output'), 'choices')?.[0];
  const [message] = chatMessages([at(choice, 'message')]);
  return { content: '', ...message, role: 'assistant' };
}

/** For messages whose original the source does not have. */
export function stubGaps({ stubs }: Unrenderer): Gap[] {
  return stubs.map(({ value }) => ({
    about: 'messages',
    reason: `Only the stub of message ${String(at(value, 'msg_id'))} is in this file, not what was deleted.`,
  }));
}

function sessionOf(call: unknown): Record<string, string> {
  const id = stringAt(call, 'session_id');
  return id === undefined ? {} : { session_id: id };
}
