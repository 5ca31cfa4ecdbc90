import {
  arrayAt,
  at,
  isObject,
  numberAt,
  pointer,
  stringAt,
  type HistoryItem,
  type Origin,
  type Part,
  type Role,
  type StepTokens,
} from '../../model';
import { jsonText } from '../bounded';
import type { JsonAt } from '../json-at';
import { partsOf, unknownPart } from '../content';
import { many, type PlacedGap } from '../gaps';
import { tokenIds, tokenNumbers } from '../token-lists';
import { summaryOf } from './files';
import type { Trajectory } from './trajectories';

/** Steps of ATIF as items of a history. */
export interface ReadSteps {
  items: HistoryItem[];
  /** So many items at the beginning were copied from an earlier trajectory. */
  copied: number;
  compactions: Compaction[];
  gaps: PlacedGap[];
}

/** A step that tells of the context having been summed up. */
export interface Compaction {
  /** The items it became: from this one to before that one. */
  from: number;
  to: number;
  /** Which summary of the run it hands over to; absent where its own words are the summary. */
  nth?: number;
}

export interface StepsOptions {
  /** Before the pointers of the items, which are otherwise those of the record. */
  prefix?: string;
  /** Where an earlier trajectory was read before it, what was copied from that is no prompt. */
  goesOn?: boolean;
}

export function readSteps(
  { value, path }: Trajectory,
  json: JsonAt,
  { prefix = '', goesOn = false }: StepsOptions = {},
): ReadSteps {
  const reader = new StepReader(goesOn);
  (arrayAt(value, 'steps') ?? []).forEach((step, index) => {
    reader.add(step, prefix + pointer(...path, 'steps', index), json.at('steps', index));
  });
  const { items, copied, compactions } = reader;
  return { items, copied, compactions, gaps: reader.gaps() };
}

type TokenState = 'none' | 'whole' | 'no prompt' | 'broken';

class StepReader {
  readonly items: HistoryItem[] = [];
  readonly compactions: Compaction[] = [];
  copied = 0;
  readonly #goesOn: boolean;
  #hasBegun: boolean;
  /** Calls of the last agent step that have no result yet. */
  #open: string[] = [];
  readonly #copied: string[] = [];
  readonly #several: { raw: string; calls: number }[] = [];
  readonly #byOrder: string[] = [];
  readonly #unclear: string[] = [];
  readonly #elsewhere = new Set<string>();
  readonly #tokens: { raw: string; state: TokenState }[] = [];

  constructor(goesOn: boolean) {
    this.#goesOn = goesOn;
    this.#hasBegun = goesOn;
  }

  add(step: unknown, raw: string, json: JsonAt): void {
    const isAgent = stringAt(step, 'source') === 'agent';
    const isCopied = at(step, 'is_copied_context') === true;
    // Zero: an agent that dispatched without asking a model.
    const calls = numberAt(step, 'llm_call_count') ?? 1;
    const isCall = isAgent && !isCopied && calls !== 0;
    if (isCopied) this.#copied.push(raw);
    if (isCall && calls > 1) this.#several.push({ raw, calls });
    this.#hasBegun ||= isCall;
    const from = this.items.length;

    const parts = partsOfStep(step, isAgent, raw, json);
    const common = { ...spokenBy(step), parts, raw };
    if (isCall)
      this.items.push({ ...common, origin: 'policy', startsStep: true, ...this.#tokensOf(step, raw) });
    else if (parts.length > 0) this.items.push({ ...common, origin: this.#given() });

    if (isAgent) this.#open = parts.flatMap((part) => (part.kind === 'call' ? [part.call.callId] : []));
    this.#addResults(arrayAt(at(step, 'observation'), 'results') ?? [], raw);

    const to = this.items.length;
    if (isCopied && this.copied === from) this.copied = to;
    const nth = isAgent || isCopied ? undefined : summaryOf(step);
    const isCompaction = nth !== undefined || (!isAgent && isCompactionOf(step));
    if (isCompaction && this.#hasBegun) {
      this.compactions.push({ from, to, ...(nth === undefined ? {} : { nth }) });
    }
  }

  #given(): Exclude<Origin, 'policy'> {
    return this.#hasBegun ? 'environment' : 'prompt';
  }

  #addResults(results: readonly unknown[], step: string): void {
    const answers = this.#answersOf(results, `${step}/observation/results/0`);
    results.forEach((result, nth) => {
      const answered = answers[nth] ?? [];
      this.items.push({
        role: 'tool',
        origin: this.#given(),
        parts: this.#partsOfResult(result),
        ...(answered.length === 0 ? {} : { toolResultFor: answered }),
        raw: `${step}/observation/results/${nth}`,
      });
    });
  }

  /**
   * The calls each result answers. Many writers leave `source_call_id` out: then one result answers all calls that have
   * none (a terminal's screen after several commands), and as many results as calls answer them in order.
   */
  #answersOf(results: readonly unknown[], first: string): string[][] {
    const named = results.map((result) => stringAt(result, 'source_call_id'));
    const known = new Set(named);
    const open = this.#open.filter((callId) => !known.has(callId));
    const unnamed = named.filter((callId) => callId === undefined).length;
    if (results.length > 0) this.#open = unnamed === 0 ? open : [];
    let next = 0;
    const answers = named.map((callId) => {
      if (callId !== undefined) return [callId];
      if (unnamed === 1) return open;
      return unnamed === open.length ? open.slice(next, ++next) : [];
    });
    if (unnamed > 1 && open.length > 0) (unnamed === open.length ? this.#byOrder : this.#unclear).push(first);
    return answers;
  }

  #partsOfResult(result: unknown): Part[] {
    if (!isObject(result)) return [unknownPart(result)];
    const content = at(result, 'content');
    const parts = isObject(content)
      ? [{ kind: 'json' as const, text: jsonText(content) }]
      : contentParts(content, false);
    const refs = arrayAt(result, 'subagent_trajectory_ref') ?? [];
    for (const ref of refs) {
      const file = stringAt(ref, 'trajectory_path');
      if (file !== undefined) this.#elsewhere.add(file);
    }
    if (refs.length > 0) parts.push({ kind: 'json', text: jsonText({ subagent_trajectory_ref: refs }) });
    return parts;
  }

  #tokensOf(step: unknown, raw: string): { tokens?: StepTokens } {
    const metrics = at(step, 'metrics');
    const [prompt, completion] = [at(metrics, 'prompt_token_ids'), at(metrics, 'completion_token_ids')];
    const generationIds = tokenIds(completion);
    const promptIds = tokenIds(prompt);
    const state = tokenState(prompt, completion);
    this.#tokens.push({ raw, state });
    if (state !== 'whole' || promptIds === undefined || generationIds === undefined) return {};
    const logprobs = tokenNumbers(at(metrics, 'logprobs'));
    return { tokens: { promptIds, generationIds, ...(logprobs === undefined ? {} : { logprobs }) } };
  }

  gaps(): PlacedGap[] {
    const [copied] = this.#copied;
    const [several] = this.#several;
    const [byOrder] = this.#byOrder;
    const [unclear] = this.#unclear;
    const gaps: PlacedGap[] = [];
    if (copied !== undefined && !this.#goesOn) {
      const were = this.#copied.length === 1 ? '1 step was' : `${this.#copied.length} steps were`;
      gaps.push({
        about: 'messages',
        at: copied,
        reason: `${were} copied from an earlier trajectory as context: what the agent said there is shown as given, and is no step here.`,
      });
    }
    if (several !== undefined) {
      const more =
        this.#several.length === 1 ? '' : `, and ${many(this.#several.length - 1, 'other step')} for several`;
      gaps.push({
        about: 'messages',
        at: several.raw,
        reason: `This step stands for ${several.calls} model calls, which the file does not tell apart${more}.`,
      });
    }
    if (byOrder !== undefined) {
      gaps.push({
        about: 'results',
        at: byOrder,
        reason: 'Results do not name the calls they answer: they are taken to answer them in order.',
      });
    }
    if (unclear !== undefined) {
      gaps.push({
        about: 'results',
        at: unclear,
        reason: 'Results do not name the calls they answer, and are not as many as the calls.',
      });
    }
    if (this.#elsewhere.size > 0) {
      const files = [...this.#elsewhere].slice(0, 3).join(', ');
      const rest = this.#elsewhere.size > 3 ? ` and ${this.#elsewhere.size - 3} more` : '';
      gaps.push({
        about: 'messages',
        reason: `What subagents did stands in files of their own: ${files}${rest}.`,
      });
    }
    return [...gaps, ...this.#tokenGaps()];
  }

  #tokenGaps(): PlacedGap[] {
    const find = (state: TokenState): string | undefined =>
      this.#tokens.find((each) => each.state === state)?.raw;
    const broken = find('broken');
    if (broken !== undefined) {
      return [{ about: 'tokens', at: broken, reason: 'Token ids are there that are not all whole numbers.' }];
    }
    const noPrompt = find('no prompt');
    if (noPrompt !== undefined) {
      return [
        {
          about: 'tokens',
          at: noPrompt,
          reason: 'Token ids of emissions are there without those of their prompts: masks cannot be shown.',
        },
      ];
    }
    const none = this.#tokens.filter(({ state }) => state === 'none').length;
    if (none === 0) return [];
    const which =
      none === this.#tokens.length ? 'This trajectory has' : 'Some model calls of this trajectory have';
    return [{ about: 'tokens', reason: `${which} no token ids: masks cannot be shown.` }];
  }
}

/** `extra: { context_management: { type: 'compaction', boundary: 'replace' } }` */
function isCompactionOf(step: unknown): boolean {
  return stringAt(at(at(step, 'extra'), 'context_management'), 'type') === 'compaction';
}

function tokenState(prompt: unknown, completion: unknown): TokenState {
  if ((completion ?? null) === null) return 'none';
  if (tokenIds(completion) === undefined) return 'broken';
  if ((prompt ?? null) === null) return 'no prompt';
  return tokenIds(prompt) === undefined ? 'broken' : 'whole';
}

const roles = new Map<string, Role>([
  ['agent', 'assistant'],
  ['user', 'user'],
  ['system', 'system'],
]);

function spokenBy(step: unknown): { role: Role; roleLabel?: string } {
  const source = stringAt(step, 'source') ?? 'unknown';
  const role = roles.get(source);
  return role === undefined ? { role: 'user', roleLabel: source } : { role };
}

function partsOfStep(step: unknown, isAgent: boolean, raw: string, json: JsonAt): Part[] {
  if (!isObject(step)) return [unknownPart(step)];
  const parts: Part[] = [];
  const thoughts = stringAt(step, 'reasoning_content') ?? '';
  if (thoughts !== '') parts.push({ kind: 'reasoning', form: 'full', text: thoughts });
  const said = at(step, 'message');
  if (said !== '') for (const part of contentParts(said, isAgent)) parts.push(part);
  (arrayAt(step, 'tool_calls') ?? []).forEach((call, nth) => {
    parts.push(callPart(call, `${raw}/tool_calls/${nth}`, json.at('tool_calls', nth, 'arguments')));
  });
  return parts;
}

/** Text, or parts, of which images name a file beside the trajectory: `{ type: 'image', source: { path } }`. */
function contentParts(content: unknown, isAgent: boolean): Part[] {
  if (!Array.isArray(content)) return partsOf(content, isAgent);
  return content.flatMap((part: unknown): Part[] => {
    const file = stringAt(part, 'type') === 'image' ? stringAt(at(part, 'source'), 'path') : undefined;
    return file === undefined ? partsOf([part], isAgent) : [{ kind: 'image', url: file }];
  });
}

function callPart(call: unknown, place: string, json: JsonAt): Part {
  const name = stringAt(call, 'function_name');
  if (name === undefined) return unknownPart(call);
  const given = at(call, 'arguments') ?? {};
  return {
    kind: 'call',
    call: {
      callId: stringAt(call, 'tool_call_id') ?? place,
      name,
      arguments: typeof given === 'string' ? given : (json.text() ?? jsonText(given)),
    },
  };
}
