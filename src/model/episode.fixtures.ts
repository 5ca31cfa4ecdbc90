import * as fc from 'fast-check';
import type { ContextEdit, Episode, Message, Origin, Part, Role } from './episode';

/** An episode with nothing in it but what is given. */
export function episodeOf(given: Partial<Episode>): Episode {
  const lastStep = given.messages?.at(-1)?.bornAtStep ?? -1;
  return {
    id: '0:0',
    format: 'test',
    title: 'test',
    tools: [],
    messages: [],
    steps: Array.from({ length: lastStep + 1 }, (_, index) => ({ index })),
    edits: [],
    outcome: { reward: 1, components: {} },
    metrics: {},
    gaps: [],
    ...given,
  };
}

const roleOf = { prompt: 'user', policy: 'assistant', environment: 'tool' } as const;

/** A message by its origin: prompt messages are the user's, policy messages the assistant's, others a tool's. */
export function messageOf(
  msgId: number,
  origin: Origin,
  given: Partial<Message> & Pick<Message, 'bornAtStep'>,
): Message {
  return { msgId, role: roleOf[origin], origin, parts: [], raw: [`/messages/${msgId}`], ...given };
}

export function callPart(callId: string, name = 'search', args = '{}'): Part {
  return { kind: 'call', call: { callId, name, arguments: args } };
}

interface StepPlan {
  emissions: { text: boolean; reasoning: boolean; calls: ('answered' | 'shared' | 'dangling')[] }[];
  userTurn: boolean;
  edits: { kind: ContextEdit['kind']; targets: number[]; summarised: boolean }[];
}

interface EpisodePlan {
  prompt: Role[];
  steps: StepPlan[];
  /** msgId of the message at a position: ids need not be positions, nor ascend. */
  ids: 'position' | 'sparse' | 'descending';
  /** Per message, in order: what it follows. Empty for a history that does not branch. */
  follows: ('previous' | 'nothing' | number)[];
}

const stepPlans: fc.Arbitrary<StepPlan> = fc.record({
  // None at all where the source dropped an emission.
  emissions: fc.array(
    fc.record({
      text: fc.boolean(),
      reasoning: fc.boolean(),
      calls: fc.array(fc.constantFrom('answered', 'shared', 'dangling'), { maxLength: 3 }),
    }),
    { maxLength: 2 },
  ),
  userTurn: fc.boolean(),
  edits: fc.array(
    fc.record({
      kind: fc.constantFrom('delete', 'delete', 'compact'),
      targets: fc.array(fc.nat(60), { minLength: 1, maxLength: 4 }),
      summarised: fc.boolean(),
    }),
    { maxLength: 2 },
  ),
});

const episodePlans: fc.Arbitrary<EpisodePlan> = fc.record({
  prompt: fc.array(fc.constantFrom('system', 'developer', 'user'), { maxLength: 3 }),
  steps: fc.array(stepPlans, { maxLength: 6 }),
  ids: fc.constantFrom('position', 'sparse', 'descending'),
  follows: fc.oneof(
    fc.constant<EpisodePlan['follows']>([]),
    fc.array(
      fc.oneof(
        { weight: 3, arbitrary: fc.constant('previous' as const) },
        { weight: 1, arbitrary: fc.constant('nothing' as const) },
        { weight: 1, arbitrary: fc.nat(30) },
      ),
      { minLength: 1, maxLength: 40 },
    ),
  ),
});

/**
 * Random valid episodes: parallel, shared and dangling calls, user turns, repeated deletes, deletes and
 * compactions of what is not there or not there yet, and histories that branch. Every text is unique.
 */
export function episodes(): fc.Arbitrary<Episode> {
  return episodePlans.map(episodeFrom);
}

function episodeFrom(plan: EpisodePlan): Episode {
  const messages: Message[] = [];
  const idAt = (position: number): number =>
    ({ position, sparse: 3 * position + 1, descending: 1000 - position })[plan.ids];
  const text = (): Part => ({ kind: 'text', text: `text of ${messages.length}.` });
  const add = (origin: Origin, bornAtStep: number, parts: Part[], given: Partial<Message> = {}): void => {
    const position = messages.length;
    const follows = plan.follows[position];
    messages.push({
      ...messageOf(idAt(position), origin, { bornAtStep, parts, ...given }),
      // May name a message that comes later or not at all: hostile data does.
      ...(follows === undefined || follows === 'previous'
        ? {}
        : { follows: follows === 'nothing' ? null : idAt(follows) }),
    });
  };

  for (const role of plan.prompt) add('prompt', -1, [text()], { role });
  plan.steps.forEach((step, index) => {
    const answers: string[][] = [];
    const shared: string[] = [];
    step.emissions.forEach(({ text: hasText, reasoning, calls }, nth) => {
      const parts: Part[] = [];
      if (reasoning) parts.push({ kind: 'reasoning', text: `thought of ${messages.length}.`, form: 'full' });
      if (hasText) parts.push(text());
      calls.forEach((fate, which) => {
        const callId = `call_${index}_${nth}_${which}`;
        parts.push(callPart(callId));
        if (fate === 'answered') answers.push([callId]);
        if (fate === 'shared') shared.push(callId);
      });
      add('policy', index, parts);
    });
    if (shared.length > 0) answers.push(shared);
    for (const toolResultFor of answers) add('environment', index, [text()], { toolResultFor });
    if (step.userTurn) add('environment', index, [text()], { role: 'user' });
  });

  const edits = plan.steps.flatMap((step, index) =>
    step.edits.map(({ kind, targets, summarised }): ContextEdit => {
      const msgIds = targets.map(idAt);
      const summary = summarised ? messages.at(-1)?.msgId : undefined;
      return { step: index, kind, msgIds, ...(summary === undefined ? {} : { summary }) };
    }),
  );
  return episodeOf({ messages, edits, steps: plan.steps.map((_, index) => ({ index })) });
}
