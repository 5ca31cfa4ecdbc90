import * as v from 'valibot';
import { emptyRecord, isObject } from '../../model';
import { nonFinite, plain, plainEntries } from './values';

/**
 * One line of Rollscope's own format: an episode as `src/model/episode.ts` has it, but for what JSON has no words for
 * (`values.ts`), and for prompts, of which only what is new is written. `docs/rollscope.schema.json` is made from it.
 */
export const version = 1;

/** A short line could ask for any amount of memory, and no run has so many tokens. */
export const mostTokens = 2 ** 26;

const int = v.pipe(v.number(), v.safeInteger());

const number = v.union([
  v.number(),
  v.pipe(
    v.object({ $number: v.picklist(nonFinite) }),
    v.transform(({ $number }) => Number($number)),
  ),
]);

/** Free JSON: whatever the source had there. */
const free = v.pipe(v.unknown(), v.transform(plain));

const span = v.tuple([int, int]);
const spans = v.pipe(v.array(span), v.description('Half-open ranges: [3, 5] is 3 and 4.'));

// Lists of numbers can be long: one check for each, and nothing made per element.
const ids = v.pipe(
  v.custom<number[]>(isIdList, 'Expected a list of whole numbers that fit 32 bits'),
  v.metadata({ type: 'array', items: { type: 'integer', minimum: -(2 ** 31), maximum: 2 ** 31 - 1 } }),
  v.transform((list) => Int32Array.from(list)),
);

const floatListSchema = { type: 'array', items: { anyOf: [{ type: 'number' }, { enum: [...nonFinite] }] } };
const floats = v.pipe(
  v.custom<(number | string)[]>(isFloatList, 'Expected a list of numbers'),
  v.metadata(floatListSchema),
  v.transform((list) => Float32Array.from(list, Number)),
);

function isIdList(value: unknown): boolean {
  return Array.isArray(value) && value.every((id) => typeof id === 'number' && id === (id | 0));
}

function isFloatList(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every((each) => typeof each === 'number' || nonFinite.some((name) => name === each))
  );
}

const jsonNumber = {
  anyOf: [{ type: 'number' }, { type: 'object', properties: { $number: { enum: [...nonFinite] } } }],
};

/** Values by name. Any name can stand there, `__proto__` too. */
function recordOf<T>(item: (value: unknown) => T | undefined, jsonSchema: object) {
  return v.pipe(
    v.custom<Record<string, unknown>>(isObject, 'Expected an object'),
    v.metadata({
      type: 'object',
      properties: { $object: { type: 'object' } },
      additionalProperties: jsonSchema,
    }),
    v.rawTransform(({ dataset, addIssue, NEVER }): Record<string, T> => {
      const record = emptyRecord<T>();
      for (const [key, value] of plainEntries(dataset.value)) {
        const read = item(value);
        if (read === undefined) {
          addIssue({ message: `Did not expect what stands at ${JSON.stringify(key)}` });
          return NEVER;
        }
        record[key] = read;
      }
      return record;
    }),
  );
}

const numbersByName = recordOf((value) => (typeof value === 'number' ? value : undefined), jsonNumber);

const metrics = recordOf(
  (value) =>
    typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean' ? value : undefined,
  { anyOf: [...jsonNumber.anyOf, { type: 'string' }, { type: 'boolean' }] },
);

const floatsByName = recordOf((value) => {
  const read = v.safeParse(floats, value);
  return read.success ? read.output : undefined;
}, floatListSchema);

const call = v.object({ callId: v.string(), name: v.string(), arguments: v.string() });

const part = v.variant('kind', [
  v.object({ kind: v.literal('text'), text: v.string() }),
  v.object({
    kind: v.literal('reasoning'),
    text: v.string(),
    form: v.picklist(['full', 'summary', 'inline']),
  }),
  v.object({ kind: v.literal('sealed'), bytes: number }),
  v.object({ kind: v.literal('call'), call }),
  v.object({ kind: v.literal('image'), url: v.string(), detail: v.exactOptional(v.string()) }),
  v.object({ kind: v.literal('refusal'), text: v.string() }),
  v.object({ kind: v.literal('json'), text: v.string() }),
  v.object({ kind: v.literal('unknown'), type: v.string(), value: free }),
]);

const timing = v.object({
  startedAt: v.exactOptional(number),
  durationMs: v.exactOptional(number),
  firstTokenMs: v.exactOptional(number),
});

const message = v.object({
  msgId: int,
  sourceMsgId: v.exactOptional(int),
  role: v.picklist(['system', 'developer', 'user', 'assistant', 'tool']),
  roleLabel: v.exactOptional(v.string()),
  origin: v.picklist(['prompt', 'policy', 'environment']),
  parts: v.array(part),
  toolResultFor: v.exactOptional(v.array(v.string())),
  toolName: v.exactOptional(v.string()),
  invokedBy: v.exactOptional(int),
  timing: v.exactOptional(timing),
  edited: v.exactOptional(v.literal(true)),
  bornAtStep: v.pipe(int, v.minValue(-1)),
  follows: v.exactOptional(v.nullable(int)),
  inferredFrom: v.exactOptional(v.string()),
});

const stepTokens = v.object({
  promptIds: v.pipe(
    v.object({ keeps: v.pipe(int, v.minValue(0)), adds: ids }),
    v.description(
      'The first `keeps` tokens of the context of the last step before it that has tokens (its prompt and what it emitted), then `adds`.',
    ),
  ),
  generationIds: ids,
  logprobs: v.exactOptional(floats),
});

const step = v.object({
  index: int,
  tokens: v.exactOptional(stepTokens),
  unfinished: v.exactOptional(v.string()),
  timing: v.exactOptional(timing),
});

const edit = v.object({
  step: int,
  kind: v.picklist(['delete', 'compact']),
  msgIds: v.array(int),
  stub: v.exactOptional(v.string()),
  by: v.exactOptional(int),
  summary: v.exactOptional(int),
  tokensBefore: v.exactOptional(number),
  tokensAfter: v.exactOptional(number),
});

const note = v.object({
  step: int,
  by: v.exactOptional(int),
  key: v.string(),
  change: v.variant('kind', [
    v.object({ kind: v.literal('write'), summary: v.string(), content: v.string() }),
    v.object({ kind: v.literal('append'), summary: v.exactOptional(v.string()), content: v.string() }),
    v.object({ kind: v.literal('remove') }),
  ]),
});

const tokenTrack = v.object({
  promptIds: ids,
  responseIds: ids,
  maskLength: v.pipe(int, v.minValue(0), v.maxValue(mostTokens)),
  trained: spans,
  turns: spans,
  logprobs: v.exactOptional(floats),
  values: v.exactOptional(floatsByName),
  texts: v.exactOptional(
    v.array(
      v.pipe(
        v.nullable(v.string()),
        v.transform((text) => text ?? undefined),
      ),
    ),
  ),
});

const sample = v.object({
  kind: v.picklist(['snapshot', 'final']),
  index: int,
  firstStep: int,
  lastStep: int,
  tokens: v.exactOptional(tokenTrack),
  sizes: v.exactOptional(v.object({ prompt: number, response: number, mask: number, trained: number })),
  text: v.exactOptional(v.object({ prompt: v.string(), response: v.string() })),
  numTurns: v.exactOptional(number),
  turnScores: v.exactOptional(v.array(number)),
  toolRewards: v.exactOptional(v.array(number)),
});

const chatMessage = v.object({
  role: v.string(),
  content: v.nullable(
    v.union([
      v.string(),
      v.array(
        v.variant('type', [
          v.object({ type: v.literal('text'), text: v.string() }),
          v.object({ type: v.literal('image_url'), image_url: v.object({ url: v.string() }) }),
        ]),
      ),
    ]),
  ),
  reasoning_content: v.exactOptional(v.string()),
  tool_calls: v.exactOptional(
    v.array(
      v.object({
        id: v.string(),
        type: v.literal('function'),
        function: v.object({ name: v.string(), arguments: v.string() }),
      }),
    ),
  ),
  tool_call_id: v.exactOptional(v.string()),
});

const keeps = v.pipe(int, v.minValue(0));
const recordedView = v.variant('form', [
  v.object({ step: int, keeps, form: v.literal('messages'), adds: v.array(chatMessage) }),
  v.object({ step: int, keeps, form: v.literal('text'), adds: v.string() }),
]);

const headers = v.array(v.tuple([v.string(), v.string()]));

const exchange = v.object({
  step: int,
  purpose: v.picklist(['seed', 'call', 'verify', 'other']),
  callId: v.exactOptional(v.string()),
  request: v.object({
    method: v.string(),
    url: v.string(),
    headers,
    cookie: v.exactOptional(v.string()),
    body: v.exactOptional(v.string()),
  }),
  response: v.exactOptional(
    v.object({ status: number, headers, setCookies: v.array(v.string()), body: v.string() }),
  ),
  error: v.exactOptional(v.string()),
  startedAt: v.exactOptional(number),
  ms: v.exactOptional(number),
  session: v.exactOptional(v.string()),
});

const sessionState = v.object({
  step: int,
  exchange: v.exactOptional(int),
  session: v.exactOptional(v.string()),
  value: v.exactOptional(free),
  edited: v.exactOptional(v.literal(true)),
});

const statelm = v.object({
  dialect: v.picklist(['rl', 'inference']),
  toolResults: v.exactOptional(v.picklist(['returned', 'rendered', 'returned-from-edit'])),
  notesBlock: v.exactOptional(v.literal('joined')),
  keepsDeletedText: v.exactOptional(v.boolean()),
  recordedDeletes: v.exactOptional(v.array(int)),
  recordedNotes: v.exactOptional(v.string()),
  recordedTurns: v.exactOptional(spans),
  finalIds: v.exactOptional(ids),
  repeatedPrompt: v.exactOptional(int),
});

const scored = v.array(v.object({ step: int, value: number }));
const scores = v.object({ numTurns: number, turnScores: scored, toolRewards: scored });

const gap = v.object({
  about: v.picklist(['messages', 'results', 'reasoning', 'reward', 'tokens', 'views', 'state', 'timing']),
  reason: v.string(),
  step: v.exactOptional(int),
  msgId: v.exactOptional(int),
});

const entries = {
  id: v.string(),
  format: v.pipe(v.string(), v.description('The format the episode first came from.')),
  title: v.string(),
  task: v.exactOptional(
    v.object({ key: v.string(), rollout: v.exactOptional(number), attempt: v.exactOptional(number) }),
  ),
  model: v.exactOptional(v.string()),
  tools: v.array(
    v.object({
      name: v.string(),
      description: v.exactOptional(v.string()),
      parameters: v.exactOptional(free),
    }),
  ),
  messages: v.pipe(v.array(message), v.description('The full history, in the order it happened.')),
  steps: v.pipe(v.array(step), v.description('One per model call.')),
  edits: v.array(edit),
  notes: v.exactOptional(v.array(note)),
  samples: v.exactOptional(v.array(sample)),
  recordedViews: v.exactOptional(v.array(recordedView)),
  exchanges: v.exactOptional(v.array(exchange)),
  states: v.exactOptional(v.array(sessionState)),
  fork: v.exactOptional(v.object({ source: v.string(), episode: int, step: int })),
  statelm: v.exactOptional(statelm),
  limits: v.exactOptional(
    v.object({ maxModelLength: v.exactOptional(number), responseLength: v.exactOptional(number) }),
  ),
  scores: v.exactOptional(scores),
  tokenIds: v.exactOptional(v.literal('characters')),
  outcome: v.object({
    reward: v.exactOptional(number),
    noReward: v.exactOptional(v.picklist(['never-kept', 'not-a-number'])),
    components: numbersByName,
    verdict: v.exactOptional(v.string()),
    termination: v.exactOptional(v.string()),
    error: v.exactOptional(v.string()),
  }),
  metrics,
  gaps: v.array(gap),
};

/** What a line tells, its version aside. */
export const told = v.object(entries);
export type Told = v.InferOutput<typeof told>;

export const line = v.object({
  rollscope: v.pipe(v.literal(version), v.description('The version of this format.')),
  ...entries,
});

/** Named in the JSON Schema, where they stand more than once or are worth a name. */
export const shapes = {
  number,
  message,
  part,
  step,
  edit,
  note,
  sample,
  recordedView,
  chatMessage,
  exchange,
  sessionState,
  gap,
};
