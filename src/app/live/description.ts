/** What is kept of a run beside its log: enough to set it up again. Never a key. */
import * as v from 'valibot';
import { isMistake, type JsonObject, type MistakeName } from '../../gym';
import { isJsonObject } from '../../live';

const policy = v.variant('kind', [
  v.object({ kind: v.literal('scripted'), script: v.string() }),
  v.object({ kind: v.literal('manual') }),
  v.object({
    kind: v.literal('openai'),
    api: v.picklist(['chat', 'responses']),
    baseUrl: v.string(),
    model: v.string(),
  }),
  /** The emissions of another episode by step: it may be closed, or gone, when the run is taken up again. */
  v.object({
    kind: v.literal('recorded'),
    emissions: v.optional(
      v.array(
        v.object({
          text: v.string(),
          reasoning: v.exactOptional(v.string()),
          toolCalls: v.array(
            v.object({ callId: v.exactOptional(v.string()), name: v.string(), arguments: v.string() }),
          ),
        }),
      ),
      [],
    ),
  }),
]);

const description = v.object({
  createdAt: v.number(),
  environment: v.string(),
  /** The task's row. */
  task: v.custom<JsonObject>(isJsonObject),
  policy,
  server: v.picklist(['tab', 'url']),
  serverUrl: v.string(),
  store: v.picklist(['memory', 'indexeddb']),
  /** `bundled`, or the id of one that was dropped. */
  tokenizer: v.string(),
  mistakes: v.array(v.custom<MistakeName>((name) => typeof name === 'string' && isMistake(name))),
  /** The id of the run that it is a fork of: places in the table change. */
  origin: v.exactOptional(v.string()),
});

export type PolicyChoice = v.InferOutput<typeof policy>;
export type Description = v.InferOutput<typeof description>;

/** Undefined for what another version wrote, or nobody. */
export function readDescription(value: unknown): Description | undefined {
  const read = v.safeParse(description, value);
  return read.success ? read.output : undefined;
}
