import type { Episode, Metrics, Outcome, StatelmTraits } from '../model';
import type { StartedEvent } from './events';
import type { Run } from './fold';

/** The format of episodes that were run here. */
const LIVE_FORMAT = 'live';

/** The episode as far as a run has come. Lists are copied, so that it stays as it is while the run goes on. */
export function episodeFrom(run: Readonly<Run>): Episode {
  const { started, config, messages, steps, edits, noteEdits, exchanges, states, model } = run;
  return {
    id: started?.id ?? '',
    format: LIVE_FORMAT,
    title: titleOf(started),
    ...(started?.task === undefined ? {} : { task: started.task }),
    ...(model === undefined ? {} : { model }),
    tools: [...(started?.tools ?? [])],
    messages: [...messages],
    steps: [...steps],
    edits: [...edits],
    ...(run.traits === undefined ? {} : { notes: [...noteEdits], statelm: traitsOf(run, run.traits) }),
    ...(exchanges.length === 0 ? {} : { exchanges: [...exchanges] }),
    ...(states.length === 0 ? {} : { states: [...states] }),
    ...(started?.fork === undefined ? {} : { fork: started.fork }),
    limits: { maxModelLength: config.max_model_length, responseLength: config.response_length },
    scores: {
      numTurns: run.assistantTurns + run.userTurns + 1,
      turnScores: [...run.turnScores],
      toolRewards: [...run.toolRewards],
    },
    ...(started?.tokenizer === CHARACTERS ? { tokenIds: CHARACTERS } : {}),
    outcome: outcomeOf(run),
    metrics: metricsOf(run),
    gaps: [...run.gaps],
  };
}

/** A fork says so first: in a table beside its origin that is what tells them apart. */
function titleOf(started: StartedEvent | undefined): string {
  const title = started?.title ?? '';
  return started?.fork === undefined ? title : `fork at ${started.fork.step} · ${title}`;
}

/** The id of a tokenizer whose ids are character codes. */
const CHARACTERS = 'characters';

/** After an edit, or before the first emission, no step holds the context: it is kept by itself. */
function traitsOf({ context, steps, edits }: Readonly<Run>, traits: StatelmTraits): StatelmTraits {
  const isHeld = steps.length > 0 && edits.at(-1)?.step !== steps.length - 1;
  return isHeld || context.length === 0 ? traits : { ...traits, finalIds: context.part(0, context.length) };
}

function outcomeOf({ end, verified }: Readonly<Run>): Outcome {
  const error = verified?.error ?? end?.error;
  return {
    ...(verified?.reward === undefined ? {} : { reward: verified.reward }),
    ...(verified?.notANumber === true ? { noReward: 'not-a-number' } : {}),
    components: { ...verified?.components },
    ...(verified?.verdict === undefined ? {} : { verdict: verified.verdict }),
    ...(end === undefined ? {} : { termination: end.termination }),
    ...(error === undefined ? {} : { error }),
  };
}

function metricsOf({ started, config, overflow, edited, usage }: Readonly<Run>): Metrics {
  return {
    ...(started === undefined
      ? {}
      : {
          environment: started.environment,
          policy: started.policy,
          tokenizer: started.tokenizer,
          template: started.template,
        }),
    ...(overflow === undefined
      ? {}
      : {
          context_length_exceeded: true,
          early_stop_penalty: config.context_length_penalty,
          context_overflow_tokens: overflow,
        }),
    ...(usage.promptTokens === 0 ? {} : { usage_prompt_tokens: usage.promptTokens }),
    ...(usage.completionTokens === 0 ? {} : { usage_completion_tokens: usage.completionTokens }),
    ...(edited === 0 ? {} : { messages_edited_by_hand: edited }),
  };
}
