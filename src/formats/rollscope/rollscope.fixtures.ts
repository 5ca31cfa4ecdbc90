import * as fc from 'fast-check';
import { emptyRecord, type Episode, type Part, type Step } from '../../model';
import { episodes } from '../../model/episode.fixtures';
import type { Fixture } from '../harness.fixtures';
import { writeEpisode } from './write';

/** Text with everything that JSON has trouble with: lone surrogates, controls, quotes. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom('\ud800', '\udc00x', '\u2028', '\u0000', '"\\', '', '{"$number":"NaN"}', 'NaN'),
);
const name = fc.oneof(text, fc.constantFrom('__proto__', 'constructor', '$number', '$object', 'toString'));
const number = fc.oneof(fc.double(), fc.constantFrom(-0, NaN, Infinity, -Infinity, 5e-324, 2 ** 53, 1e21));
const int = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
const ids = fc.array(int, { maxLength: 6 }).map((list) => Int32Array.from(list));
const floats = fc
  .array(fc.oneof(fc.float(), fc.constantFrom(-0, NaN, -Infinity)), { maxLength: 6 })
  .map((list) => Float32Array.from(list));
const spans = fc.array(fc.tuple(fc.nat(100), fc.nat(100)), { maxLength: 3 });

/** Any JSON value, numbers that JSON lacks and keys that mean something here included. */
const { value: anything } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.oneof(text, number, fc.boolean(), fc.constant(null)),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.array(fc.tuple(name, tie('value')), { maxLength: 3 }).map((entries) => plainObject(entries)),
  ),
}));

function plainObject(entries: readonly (readonly [string, unknown])[]): object {
  const object = {};
  for (const [key, value] of entries) {
    Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true });
  }
  return object;
}

function recordsOf<T>(item: fc.Arbitrary<T>): fc.Arbitrary<Record<string, T>> {
  return fc.array(fc.tuple(name, item), { maxLength: 4 }).map((entries) => {
    const record = emptyRecord<T>();
    for (const [key, value] of entries) record[key] = value;
    return record;
  });
}

const parts: fc.Arbitrary<Part> = fc.oneof(
  fc.record({ kind: fc.constant('text' as const), text }),
  fc.record({
    kind: fc.constant('reasoning' as const),
    text,
    form: fc.constantFrom('full' as const, 'summary' as const, 'inline' as const),
  }),
  fc.record({ kind: fc.constant('sealed' as const), bytes: fc.nat() }),
  fc.record({
    kind: fc.constant('call' as const),
    call: fc.record({ callId: text, name, arguments: text }),
  }),
  fc.record(
    { kind: fc.constant('image' as const), url: text, detail: text },
    { requiredKeys: ['kind', 'url'] },
  ),
  fc.record({ kind: fc.constantFrom('refusal' as const, 'json' as const), text }),
  fc.record({ kind: fc.constant('unknown' as const), type: text, value: anything }),
);

const timings = fc.record(
  { startedAt: number, durationMs: number, firstTokenMs: number },
  { requiredKeys: [] },
);

const messageExtras = fc.record(
  {
    sourceMsgId: int,
    roleLabel: text,
    toolName: text,
    invokedBy: int,
    inferredFrom: text,
    timing: timings,
    edited: fc.constant(true as const),
  },
  { requiredKeys: [] },
);

const tracks = fc.record(
  {
    promptIds: ids,
    responseIds: ids,
    maskLength: fc.nat(1_000),
    trained: spans,
    turns: spans,
    logprobs: floats,
    values: recordsOf(floats),
    texts: fc.array(fc.option(text, { nil: undefined }), { maxLength: 4 }),
  },
  { requiredKeys: ['promptIds', 'responseIds', 'maskLength', 'trained', 'turns'] },
);

const samples = fc.record(
  {
    kind: fc.constantFrom('snapshot' as const, 'final' as const),
    index: fc.nat(),
    firstStep: fc.nat(),
    lastStep: fc.integer({ min: -1 }),
    tokens: tracks,
    sizes: fc.record({ prompt: number, response: number, mask: number, trained: number }),
    text: fc.record({ prompt: text, response: text }),
    numTurns: number,
    turnScores: fc.array(number),
    toolRewards: fc.array(number),
  },
  { requiredKeys: ['kind', 'index', 'firstStep', 'lastStep'] },
);

const traits = fc.record(
  {
    dialect: fc.constantFrom('rl' as const, 'inference' as const),
    toolResults: fc.constantFrom('returned' as const, 'rendered' as const, 'returned-from-edit' as const),
    notesBlock: fc.constant('joined' as const),
    keepsDeletedText: fc.boolean(),
    recordedDeletes: fc.array(int),
    recordedNotes: text,
    recordedTurns: spans,
    finalIds: ids,
    repeatedPrompt: int,
  },
  { requiredKeys: ['dialect'] },
);

/** Per step: whether it has tokens, how much of the context before it its prompt keeps, and what is new. */
const growth = fc.record(
  { keeps: fc.double({ min: 0, max: 1, noNaN: true }), adds: ids, generationIds: ids, logprobs: floats },
  { requiredKeys: ['keeps', 'adds', 'generationIds'] },
);

const notes = fc.record(
  {
    by: int,
    key: text,
    change: fc.oneof(
      fc.record({ kind: fc.constant('write' as const), summary: text, content: text }),
      fc.record(
        { kind: fc.constant('append' as const), summary: text, content: text },
        { requiredKeys: ['kind', 'content'] },
      ),
      fc.record({ kind: fc.constant('remove' as const) }),
    ),
  },
  { requiredKeys: ['key', 'change'] },
);

const chats = fc.record(
  {
    role: text,
    content: fc.oneof(
      text,
      fc.constant(null),
      fc.array(
        fc.oneof(
          fc.record({ type: fc.constant('text' as const), text }),
          fc.record({ type: fc.constant('image_url' as const), image_url: fc.record({ url: text }) }),
        ),
        { maxLength: 2 },
      ),
    ),
    reasoning_content: text,
    tool_calls: fc.array(
      fc.record({
        id: text,
        type: fc.constant('function' as const),
        function: fc.record({ name: text, arguments: text }),
      }),
      { maxLength: 2 },
    ),
    tool_call_id: text,
  },
  { requiredKeys: ['role', 'content'] },
);

const views = fc.oneof(
  fc.record({
    keeps: fc.nat(),
    form: fc.constant('messages' as const),
    adds: fc.array(chats, { maxLength: 2 }),
  }),
  fc.record({ keeps: fc.nat(), form: fc.constant('text' as const), adds: text }),
);

const headers = fc.array(fc.tuple(text, text), { maxLength: 2 });

const exchanges = fc.record(
  {
    step: fc.constant(-1),
    purpose: fc.constantFrom('seed' as const, 'call' as const, 'verify' as const, 'other' as const),
    callId: text,
    request: fc.record(
      { method: text, url: text, headers, cookie: text, body: text },
      { requiredKeys: ['method', 'url', 'headers'] },
    ),
    response: fc.record({
      status: number,
      headers,
      setCookies: fc.array(text, { maxLength: 2 }),
      body: text,
    }),
    error: text,
    startedAt: number,
    ms: number,
    session: text,
  },
  { requiredKeys: ['step', 'purpose', 'request'] },
);

const states = fc.record(
  {
    step: fc.constant(-1),
    exchange: int,
    session: text,
    value: anything,
    edited: fc.constant(true as const),
  },
  { requiredKeys: ['step'] },
);

const scored = fc.record({ step: int, value: number });

const extras = fc.record(
  {
    id: text,
    format: text,
    title: text,
    task: fc.record({ key: text, rollout: number, attempt: number }, { requiredKeys: ['key'] }),
    model: text,
    tools: fc.array(
      fc.record({ name: text, description: text, parameters: anything }, { requiredKeys: ['name'] }),
      { maxLength: 2 },
    ),
    samples: fc.array(samples, { maxLength: 2 }),
    exchanges: fc.array(exchanges, { maxLength: 2 }),
    states: fc.array(states, { maxLength: 2 }),
    fork: fc.record({ source: text, episode: fc.nat(), step: int }),
    statelm: traits,
    limits: fc.record({ maxModelLength: number, responseLength: number }, { requiredKeys: [] }),
    scores: fc.record({
      numTurns: number,
      turnScores: fc.array(scored, { maxLength: 2 }),
      toolRewards: fc.array(scored, { maxLength: 2 }),
    }),
    tokenIds: fc.constant('characters' as const),
    outcome: fc.record(
      {
        reward: number,
        noReward: fc.constantFrom('never-kept' as const, 'not-a-number' as const),
        components: recordsOf(number),
        verdict: text,
        termination: text,
        error: text,
      },
      { requiredKeys: ['components'] },
    ),
    metrics: recordsOf(fc.oneof(number, text, fc.boolean())),
    gaps: fc.array(
      fc.record(
        { about: fc.constantFrom('tokens' as const, 'views' as const), reason: text, step: int, msgId: int },
        { requiredKeys: ['about', 'reason'] },
      ),
      { maxLength: 2 },
    ),
  },
  { requiredKeys: [] },
);

/** Episodes that have, at one time or another, everything the model knows, with values that are hard to write. */
export function wholeEpisodes(): fc.Arbitrary<Episode> {
  return fc
    .record({
      episode: episodes(),
      extras,
      parts: fc.array(parts, { maxLength: 8 }),
      messages: fc.array(messageExtras, { maxLength: 4 }),
      growths: fc.array(fc.option(growth, { nil: undefined }), { maxLength: 6 }),
      unfinished: fc.option(text, { nil: undefined }),
      timing: fc.option(timings, { nil: undefined }),
      notes: fc.option(fc.array(notes, { maxLength: 3 }), { nil: undefined }),
      views: fc.option(fc.array(views, { maxLength: 3 }), { nil: undefined }),
    })
    .map(({ episode, extras, parts, messages, growths, unfinished, timing, notes, views }) => {
      const steps = stepsWith(episode.steps, growths);
      const [first] = steps;
      if (first !== undefined && unfinished !== undefined) first.unfinished = unfinished;
      if (first !== undefined && timing !== undefined) first.timing = timing;
      return {
        ...episode,
        ...extras,
        messages: episode.messages.map((message, index) => ({
          ...message,
          ...messages[index],
          parts: [...message.parts, ...parts.slice(index, index + 2)],
        })),
        steps,
        edits: episode.edits.map((edit) => ({ ...edit, stub: 'gone', tokensBefore: 7.5, tokensAfter: -0 })),
        ...(notes === undefined || steps.length === 0
          ? {}
          : { notes: notes.map((each) => ({ step: 0, ...each })) }),
        ...(views === undefined
          ? {}
          : { recordedViews: views.map((each) => ({ step: steps.length, ...each })) }),
      };
    });
}

function stepsWith(
  steps: readonly Step[],
  growths: readonly (
    { keeps: number; adds: Int32Array; generationIds: Int32Array; logprobs?: Float32Array } | undefined
  )[],
): Step[] {
  let context = new Int32Array();
  return steps.map((step, index) => {
    const given = growths[index];
    if (given === undefined) return step;
    const { keeps, adds, generationIds, logprobs } = given;
    const promptIds = Int32Array.from([...context.subarray(0, Math.round(keeps * context.length)), ...adds]);
    context = Int32Array.from([...promptIds, ...generationIds]);
    return { ...step, tokens: { promptIds, generationIds, ...(logprobs === undefined ? {} : { logprobs }) } };
  });
}

/** Lines as they are written, of episodes with a bit of everything. */
export const rollscopeFixtures: Fixture[] = fc
  .sample(wholeEpisodes(), { numRuns: 3, seed: 7 })
  .map((episode, nth) => {
    const text = writeEpisode({ ...episode, format: 'rollscope' });
    return { name: `line ${nth}`, format: 'rollscope', value: JSON.parse(text) as unknown, text };
  });
