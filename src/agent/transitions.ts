import { noteEditsFrom, toolCallsOf, type Exchange, type Message, type SessionState } from '../model';
import { errorText } from '../model/error-text';
import { runCalls } from './calls';
import type { Encoder } from './encoder';
import { EnvironmentError, type LoopEnvironment, type Traffic } from './environment';
import type {
  AnsweredEvent,
  EmittedEvent,
  EndedEvent,
  InteractedEvent,
  LoopState,
  RenderedEvent,
  SeededEvent,
  VerifiedEvent,
} from './events';
import type { Fold, Run } from './fold';
import { PolicyError, type Emission, type Policy } from './policy';
import {
  afterCalls,
  afterEmission,
  editOf,
  emittedMessage,
  ending,
  lastCalls,
  rendersAlways,
  resultPart,
  userMessage,
} from './turns';

/** What the transitions of a run need besides where it stands. */
export interface Setting {
  readonly policy: Policy;
  readonly environment: LoopEnvironment;
  readonly encoder: Encoder;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export function ended(setting: Setting, ...end: Parameters<typeof ending>): EndedEvent {
  return { type: 'ended', at: setting.now(), ...ending(...end), next: 'TERMINATED' };
}

export async function seed(
  setting: Setting,
  run: Readonly<Run>,
  signal: AbortSignal,
): Promise<SeededEvent | EndedEvent> {
  try {
    const answer = await setting.environment.seed(signal);
    return {
      type: 'seeded',
      at: setting.now(),
      ...(answer.error === undefined ? { next: 'PENDING' } : ending('environment_error', answer.error)),
      ...trafficAfter(run, [answer]),
    };
  } catch (error) {
    return failed(setting, run, error, signal);
  }
}

/** PENDING. The only place where the context's length is checked. */
export function render(setting: Setting, run: Readonly<Run>): RenderedEvent | EndedEvent {
  let ids: readonly number[];
  try {
    ids = setting.encoder.prompt(run.rendered(), run.started?.tools ?? []);
  } catch (error) {
    return ended(setting, 'template_error', errorText(error));
  }
  const { statelm_enabled, max_model_length, response_length } = run.config;
  const overflow = ids.length + response_length - max_model_length;
  const keeps = run.context.sharedWith(ids);
  return {
    type: 'rendered',
    at: setting.now(),
    ...(statelm_enabled && overflow > 0
      ? { ...ending('context_length_exceeded'), overflow }
      : { next: 'GENERATING' }),
    keeps,
    ids: ids.slice(keeps),
  };
}

/** GENERATING. */
export async function generate(
  setting: Setting,
  run: Readonly<Run>,
  signal: AbortSignal,
  onDelta: ((text: string) => void) | undefined,
): Promise<EmittedEvent | EndedEvent> {
  const startedAt = setting.now();
  let firstTextAt: number | undefined;
  const times = () => ({
    startedAt,
    at: setting.now(),
    ...(firstTextAt === undefined ? {} : { firstTextAt }),
  });
  try {
    const emission = await setting.policy.emit({
      messages: [...run.seen],
      tools: run.started?.tools ?? [],
      step: run.steps.length,
      signal,
      onDelta: (text) => {
        firstTextAt ??= setting.now();
        onDelta?.(text);
      },
    });
    return emitted(setting, run, emission, times());
  } catch (error) {
    const end = signal.aborted ? ending('stopped') : ending('policy_error', errorText(error));
    const partial = error instanceof PolicyError ? error.partial : undefined;
    if (partial === undefined) return { type: 'ended', at: setting.now(), ...end, next: 'TERMINATED' };
    return { ...emitted(setting, run, partial, times()), ...end, unfinished: end.end.termination };
  }
}

export function emitted(
  setting: Setting,
  run: Readonly<Run>,
  emission: Emission,
  times: Pick<EmittedEvent, 'at' | 'startedAt' | 'firstTextAt'>,
): EmittedEvent {
  const message = emittedMessage(run, emission);
  const ids = areIds(emission.tokenIds) ? emission.tokenIds : setting.encoder.emission(run.appended(message));
  const { logprobs, usage, retries, model } = emission;
  const direction = afterEmission(
    run,
    ids.length,
    toolCallsOf(message).length > 0,
    setting.environment.interact !== undefined,
  );
  // A limit ends the run before the calls are read: the reference drops the turn, here it stays.
  const cutShort = direction.end?.termination === 'no_tool_call' ? undefined : direction.end?.termination;
  const unfinished = cutShort ?? emission.unfinished;
  return {
    type: 'emitted',
    ...times,
    ...direction,
    message,
    ids: [...ids],
    ...(logprobs?.length === ids.length ? { logprobs: [...logprobs] } : {}),
    ...(unfinished === undefined ? {} : { unfinished }),
    ...(usage === undefined ? {} : { usage }),
    ...(retries === undefined || retries.length === 0 ? {} : { retries: [...retries] }),
    ...(model === undefined ? {} : { model }),
  };
}

/** PROCESSING_TOOLS. */
export async function processTools(
  setting: Setting,
  run: Readonly<Run>,
  signal: AbortSignal,
): Promise<AnsweredEvent> {
  const calls = lastCalls(run);
  const most = run.config.max_parallel_calls;
  const { results, traffic, error } = await runCalls(calls.slice(0, most), { ...setting, run, signal });
  const messages = results.map(({ message }) => message);
  const deletes = results.flatMap((result) => (result.deletes === undefined ? [] : [result.deletes]));
  const edit = deletes.length === 0 ? undefined : editOf(run, messages, deletes.flat());
  const cut = results.flatMap(({ cutFrom }, index) =>
    cutFrom === undefined ? [] : [{ index, length: cutFrom }],
  );
  const answer = answered(setting, run, {
    messages,
    edit,
    finished: results.some(({ finished }) => finished),
    wholes: results.map(({ whole }) => whole),
  });
  return {
    ...answer,
    ...(error === undefined ? {} : ending('environment_error', error)),
    ...(signal.aborted ? ending('stopped') : {}),
    rewards: results.map(({ reward }) => reward),
    ...trafficAfter(run, traffic),
    ...(calls.length > most ? { dropped: calls.length - most } : {}),
    ...(cut.length === 0 ? {} : { cut }),
  };
}

interface Results {
  messages: Message[];
  edit: AnsweredEvent['edit'];
  finished: boolean;
  /** The results before they were cut: they say whether a note was taken. */
  wholes: readonly Message[];
}

function answered(
  setting: Setting,
  run: Readonly<Run>,
  { messages, edit, finished, wholes }: Results,
): AnsweredEvent {
  const ids = setting.encoder.appended(messages.map((message) => run.appended(message)));
  const direction = afterCalls(run, ids.length, { finished, edited: edit !== undefined });
  const caller = run.messages.at(-1);
  const notes =
    run.traits === undefined || caller === undefined
      ? []
      : noteEditsFrom([caller, ...wholes], run.traits.dialect, new Map(run.notes));
  return {
    type: 'answered',
    at: setting.now(),
    ...direction,
    messages,
    rewards: messages.map(() => 0),
    ...(edit === undefined ? {} : { edit }),
    ...(notes.length === 0 ? {} : { notes }),
    ...(direction.next === 'GENERATING' ? { ids: [...ids] } : {}),
  };
}

/** The results of a turn with other texts in some places. What was deleted stays deleted. */
export function withTexts(
  setting: Setting,
  run: Readonly<Run>,
  event: AnsweredEvent,
  texts: ReadonlyMap<number, string>,
): AnsweredEvent {
  const messages = event.messages.map((message, index) => {
    const text = texts.get(index);
    return text === undefined ? message : { ...message, parts: [resultPart(text)], edited: true as const };
  });
  const finished = event.end?.termination === 'finish';
  const again = answered(setting, run, { messages, edit: event.edit, finished, wholes: messages });
  const { exchanges, states, dropped } = event;
  const cut = event.cut?.filter(({ index }) => !texts.has(index)) ?? [];
  return {
    ...again,
    at: event.at,
    rewards: event.rewards,
    ...(exchanges === undefined ? {} : { exchanges }),
    ...(states === undefined ? {} : { states }),
    ...(dropped === undefined ? {} : { dropped }),
    ...(cut.length === 0 ? {} : { cut }),
  };
}

/** INTERACTING. */
export async function interact(
  setting: Setting,
  fold: Fold,
  signal: AbortSignal,
): Promise<InteractedEvent | EndedEvent> {
  const { run } = fold;
  try {
    const answer = await setting.environment.interact?.(fold.episode, signal);
    if (answer === undefined)
      return ended(setting, 'environment_error', 'The environment has no user turns.');
    const message = userMessage(run, answer.text);
    const next: LoopState = rendersAlways(run.config) ? 'PENDING' : 'GENERATING';
    const ids = setting.encoder.appended([run.appended(message)]);
    return {
      type: 'interacted',
      at: setting.now(),
      ...(answer.done === true ? ending('interaction_done') : { next }),
      message,
      ...(next === 'PENDING' ? {} : { ids: [...ids] }),
      ...(answer.reward === undefined ? {} : { score: answer.reward }),
      ...trafficAfter(run, [answer]),
    };
  } catch (error) {
    return failed(setting, run, error, signal);
  }
}

/** TERMINATED. */
export async function verify(setting: Setting, fold: Fold, signal: AbortSignal): Promise<VerifiedEvent> {
  const event = { type: 'verified' as const, next: 'TERMINATED' as const };
  try {
    const { reward, components, verdict, error, ...traffic } = await setting.environment.verify(
      fold.episode,
      signal,
    );
    return {
      ...event,
      at: setting.now(),
      ...(reward !== undefined && Number.isFinite(reward) ? { reward } : {}),
      ...(reward !== undefined && !Number.isFinite(reward) ? { notANumber: true } : {}),
      ...(components === undefined ? {} : { components: { ...components } }),
      ...(verdict === undefined ? {} : { verdict }),
      ...(error === undefined ? {} : { error }),
      ...trafficAfter(fold.run, [traffic]),
    };
  } catch (error) {
    return { ...event, at: setting.now(), error: errorText(error), ...trafficOf(fold.run, error) };
  }
}

function failed(setting: Setting, run: Readonly<Run>, error: unknown, signal: AbortSignal): EndedEvent {
  const event = signal.aborted
    ? ended(setting, 'stopped')
    : ended(setting, 'environment_error', errorText(error));
  return { ...event, ...trafficOf(run, error) };
}

function trafficOf(run: Readonly<Run>, error: unknown): RecordedTraffic {
  return error instanceof EnvironmentError ? trafficAfter(run, [error.traffic]) : {};
}

interface RecordedTraffic {
  exchanges?: Exchange[];
  states?: SessionState[];
}

/** Exchanges and states of one event. States name their exchange by its place in the whole episode. */
export function trafficAfter(run: Readonly<Run>, all: readonly Traffic[]): RecordedTraffic {
  const exchanges: Exchange[] = [];
  const states: SessionState[] = [];
  for (const traffic of all) {
    const before = run.exchanges.length + exchanges.length;
    for (const exchange of traffic.exchanges ?? []) exchanges.push(exchange);
    for (const state of traffic.states ?? []) {
      states.push(state.exchange === undefined ? state : { ...state, exchange: state.exchange + before });
    }
  }
  return { ...(exchanges.length === 0 ? {} : { exchanges }), ...(states.length === 0 ? {} : { states }) };
}

function areIds(ids: readonly number[] | undefined): ids is readonly number[] {
  return ids !== undefined && ids.every((id) => id === (id | 0));
}
