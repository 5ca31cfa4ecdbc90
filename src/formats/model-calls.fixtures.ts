import * as fc from 'fast-check';

/** Logs of model calls whose contexts are known: what every format that keeps contexts is made from and held against. */

export interface FixtureMessage {
  role: string;
  content: string;
  reasoning_content?: string;
  tool_calls?: { id: string; name: string; arguments: string }[];
  tool_call_id?: string;
}

export interface FixtureCall {
  context: FixtureMessage[];
  emitted: FixtureMessage;
}

/** What a call is made of: which earlier call it goes on from, what was said since, and whether it thinks and calls. */
interface Plan {
  from: number;
  since: number;
  thinks: boolean;
  calls: boolean;
}

const plan: fc.Arbitrary<Plan> = fc.record({
  // Mostly the one before.
  from: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat(6)),
  since: fc.integer({ min: 1, max: 2 }),
  thinks: fc.boolean(),
  calls: fc.boolean(),
});

/** Episodes of up to eight calls; a plan that goes on from before the first call starts a new conversation. */
export const callLogs: fc.Arbitrary<FixtureCall[]> = fc
  .array(plan, { minLength: 1, maxLength: 8 })
  .map(callsFrom);

function callsFrom(plans: readonly Plan[]): FixtureCall[] {
  const calls: FixtureCall[] = [];
  let said = 0;
  for (const { from, since, thinks, calls: makesCall } of plans) {
    const before = calls.at(-1 - from);
    const context =
      before === undefined || from >= calls.length
        ? [
            { role: 'system', content: `system ${said++}` },
            { role: 'user', content: `task ${said++}` },
          ]
        : [...before.context, before.emitted, ...answersTo(before.emitted, since, () => said++)];
    calls.push({ context, emitted: emission(said++, thinks, makesCall) });
  }
  return calls;
}

function answersTo({ tool_calls }: FixtureMessage, count: number, next: () => number): FixtureMessage[] {
  const [call] = tool_calls ?? [];
  if (call !== undefined) return [{ role: 'tool', tool_call_id: call.id, content: `result ${next()}` }];
  return Array.from({ length: count }, () => ({ role: 'user', content: `answer ${next()}` }));
}

function emission(number: number, thinks: boolean, makesCall: boolean): FixtureMessage {
  return {
    role: 'assistant',
    content: `said ${number}`,
    ...(thinks ? { reasoning_content: `thought ${number}` } : {}),
    ...(makesCall ? { tool_calls: [{ id: `c${number}`, name: 'look', arguments: '{"at": 1.0}' }] } : {}),
  };
}

/** The template's token, one per letter, and for what the policy emits a token that ends it. */
export function idsOf({ role, content }: FixtureMessage): number[] {
  const own = Array.from(content, (letter) => letter.charCodeAt(0));
  return [role.length, ...own, ...(role === 'assistant' ? [1] : [])];
}

export function contextIdsOf(messages: readonly FixtureMessage[]): number[] {
  return messages.flatMap(idsOf);
}

/** As a view's chat messages tell it. */
export function seen({
  role,
  content,
  reasoning_content,
  tool_calls,
  tool_call_id,
}: FixtureMessage): unknown {
  return {
    role,
    content,
    ...(reasoning_content === undefined ? {} : { reasoning_content }),
    ...(tool_calls === undefined
      ? {}
      : {
          tool_calls: tool_calls.map(({ id, ...rest }) => ({ id, type: 'function', function: rest })),
        }),
    ...(tool_call_id === undefined ? {} : { tool_call_id }),
  };
}
