import type { Episode, Message, ToolCall } from '../episode';
import { answersIn } from '../answers';
import { historyOf, toolCallsOf } from '../history';
import { at, arrayAt, isObject } from '../record';
import { excerpt } from '../text';
import { placeOf, type Rule } from './finding';

/** Calls and results: whether each finds the other. */

const danglingCall: Rule = {
  id: 'dangling-call',
  severity: 'warning',
  explanation:
    'The policy called a tool and no result with its call id is in the history, yet the episode went on. The next ' +
    'model call ran without an observation, and many chat templates refuse such a history. Look for a harness that ' +
    'drops results (a timeout, a limit on parallel calls) or writes them under another id. A call that no model call ' +
    'followed is only noted: the episode, or this branch of it, may simply have ended there, as a finish tool or a turn ' +
    'limit makes it.',
  check(episode) {
    const { resultsOf } = answersIn(episode);
    const unnamed = stepsWithUnnamedResults(episode);
    const wentOn = messagesThatWentOn(episode);
    return callsOf(episode).flatMap(({ call, message }) => {
      if (resultsOf.has(call) || unnamed.has(message.bornAtStep)) return [];
      const last = !wentOn(message);
      const end =
        message.bornAtStep === episode.steps.length - 1 ? 'the episode' : 'this branch of the episode';
      return [
        {
          message: `${nameOf(call)} was never answered${last ? `: ${end} ends here` : ''}`,
          ...placeOf(message),
          ...(last ? { severity: 'info' as const } : {}),
        },
      ];
    });
  },
};

const orphanResult: Rule = {
  id: 'orphan-result',
  severity: 'warning',
  explanation:
    'A tool result names a call id that no call in this history has. Either the call was lost (a truncated history, ' +
    'a message dropped on the way to the file) or the ids were rewritten on one side only. The model saw an answer ' +
    'to a question it did not ask; check what the harness sent before training on it.',
  check(episode) {
    const { calls } = historyOf(episode);
    return episode.messages.flatMap((message) =>
      (message.toolResultFor ?? [])
        .filter((callId) => !calls.has(callId))
        .map((callId) => ({
          message: `A result answers ${excerpt(callId) || 'an empty call id'}, which nothing called`,
          ...placeOf(message),
        })),
    );
  },
};

const duplicateCallId: Rule = {
  id: 'duplicate-call-id',
  severity: 'warning',
  explanation:
    'Two calls of one episode have the same id, so a result cannot be matched to its call with certainty: here it ' +
    'is shown with the nearest call before it that has none. Usual causes are a counter that starts again with every model call, and a turn that was ' +
    'retried and recorded twice. Make ids unique within the episode.',
  check(episode) {
    const seen = new Map<string, Message>();
    return callsOf(episode).flatMap(({ call, message }) => {
      const first = seen.get(call.callId);
      if (first === undefined) seen.set(call.callId, message);
      // Where a source gives no ids there is nothing to be unique.
      if (first === undefined || call.callId === '') return [];
      return [
        { message: `${nameOf(call)} has the id of a call in message ${first.msgId}`, ...placeOf(message) },
      ];
    });
  },
};

const sharedResult: Rule = {
  id: 'shared-result',
  severity: 'info',
  explanation:
    'One result stands for several parallel calls. Some harnesses do this on purpose (they run the calls in one ' +
    'shell and return one screen); the model then cannot tell which call did what, and per-tool statistics count the ' +
    'result once. If each call was meant to have its own answer, the others were lost.',
  check(episode) {
    return episode.messages.flatMap((message) => {
      const callIds = message.toolResultFor ?? [];
      if (callIds.length < 2) return [];
      const named = callIds.slice(0, 3).map((callId) => excerpt(callId, 40));
      const more = callIds.length > 3 ? ` and ${callIds.length - 3} more` : '';
      return [
        {
          message: `${callIds.length} calls share one result: ${named.join(', ')}${more}`,
          ...placeOf(message),
        },
      ];
    });
  },
};

const argumentsNotJson: Rule = {
  id: 'arguments-not-json',
  severity: 'warning',
  explanation:
    'The arguments of a tool call must be a JSON object, written as text. What the policy emitted is not: often the ' +
    'emission was cut off by the token limit, or holds single quotes, comments or NaN. Servers reject such a call or ' +
    'repair it silently, and then the recorded call is not the one that ran. A frequent finding here says that the ' +
    'policy has not learnt the format, or that the tool-call parser cuts in the wrong place.',
  check(episode) {
    const needy = toolsThatNeedArguments(episode);
    return callsOf(episode).flatMap(({ call, message }) => {
      const fault = faultOfArguments(call, needy);
      return fault === undefined ? [] : [{ message: `${nameOf(call)}: ${fault}`, ...placeOf(message) }];
    });
  },
};

export const idRules: readonly Rule[] = [
  danglingCall,
  orphanResult,
  duplicateCallId,
  sharedResult,
  argumentsNotJson,
];

function faultOfArguments(call: ToolCall, needy: ReadonlySet<string>): string | undefined {
  // An empty string is how several providers and streaming clients write "no arguments", and servers read it so. For
  // a tool that takes none that is nobody's mistake; for one with required parameters they are missing.
  if (call.arguments.trim() === '') {
    return needy.has(call.name) ? 'arguments are empty, and the tool has required parameters' : undefined;
  }
  try {
    const value: unknown = JSON.parse(call.arguments);
    return isObject(value) ? undefined : `arguments are not a JSON object: ${excerpt(call.arguments)}`;
  } catch {
    return `arguments are not JSON: ${excerpt(call.arguments)}`;
  }
}

function toolsThatNeedArguments(episode: Episode): Set<string> {
  return new Set(
    episode.tools.flatMap(({ name, parameters }) => {
      const required = arrayAt(parameters, 'required') ?? [];
      // A key both required and unknown to the schema is a slip of the schema, not of the call.
      return required.some(
        (key) => typeof key === 'string' && at(at(parameters, 'properties'), key) !== undefined,
      )
        ? [name]
        : [];
    }),
  );
}

function callsOf(episode: Episode): { call: ToolCall; message: Message }[] {
  return episode.messages.flatMap((message) => toolCallsOf(message).map((call) => ({ call, message })));
}

/** Whether a later model call saw a message. Where the history branches, only one further along the same branch did. */
function messagesThatWentOn(episode: Episode): (message: Message) => boolean {
  const last = episode.steps.length - 1;
  if (!historyOf(episode).branches) return ({ bornAtStep }) => bornAtStep < last;
  const { byId } = historyOf(episode);
  const before = new Map<number, Message | undefined>();
  episode.messages.forEach(({ msgId, follows }, position) => {
    const parent = follows === undefined ? episode.messages[position - 1] : byId.get(follows ?? NaN);
    before.set(msgId, parent);
  });
  /** By message, the last step that has it in its past. */
  const seenBy = new Map<number, number>();
  for (const { msgId, origin, bornAtStep } of episode.messages.toReversed()) {
    if (origin !== 'policy') continue;
    let past = before.get(msgId);
    while (past !== undefined && (seenBy.get(past.msgId) ?? -1) < bornAtStep) {
      seenBy.set(past.msgId, bornAtStep);
      past = before.get(past.msgId);
    }
  }
  return ({ msgId, bornAtStep }) => (seenBy.get(msgId) ?? -1) > bornAtStep;
}

/** Some sources keep results without saying which call they answer: then no call of that step counts as unanswered. */
function stepsWithUnnamedResults(episode: Episode): Set<number> {
  const unnamed = episode.messages.filter(
    ({ role, toolResultFor }) => role === 'tool' && (toolResultFor ?? []).length === 0,
  );
  return new Set(unnamed.map(({ bornAtStep }) => bornAtStep));
}

/** `call_7 (readChunk)` */
function nameOf({ callId, name }: ToolCall): string {
  return callId === '' ? `A call of ${excerpt(name)}` : `${excerpt(callId)} (${excerpt(name)})`;
}
