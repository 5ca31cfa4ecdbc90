/** A `tokenizer.json` that the person brings, and the chat template of its `tokenizer_config.json`. */
import type { ChatTemplate } from './template';
import { wellFormed, type Tokenizer } from './tokenizer';

export async function loadHuggingFaceTokenizer(
  name: string,
  tokenizerJson: unknown,
  tokenizerConfig: unknown = {},
): Promise<Tokenizer> {
  if (!isRecord(tokenizerJson) || !isRecord(tokenizerJson['model'])) {
    throw new Error(`${name} is not a tokenizer.json: it has no "model".`);
  }
  const { Tokenizer: HuggingFace } = await import('@huggingface/tokenizers');
  const tokenizer = new HuggingFace(tokenizerJson, isRecord(tokenizerConfig) ? tokenizerConfig : {});
  // Added tokens are what a template calls markers; without them the same text is split like any other.
  const withoutMarkers = new HuggingFace({ ...tokenizerJson, added_tokens: [] }, {});
  const encode: Tokenizer['encode'] = (text, options) =>
    (options?.special === true ? tokenizer : withoutMarkers).encode(wellFormed(text), {
      add_special_tokens: false,
    }).ids;
  return {
    id: `hf:${fingerprint(tokenizerJson)}`,
    name,
    encode,
    decode: (ids) => decodeKnown(tokenizer, ids),
    count: (text, options) => encode(text, options).length,
  };
}

/** The template of a tokenizer_config.json, or undefined where it has none. */
export async function loadChatTemplate(
  name: string,
  tokenizerConfig: unknown,
): Promise<ChatTemplate | undefined> {
  const source = templateSource(tokenizerConfig);
  if (source === undefined) return undefined;
  const { Template } = await import('@huggingface/jinja');
  const template = new Template(source);
  const markers = specialTokens(tokenizerConfig);
  return {
    id: `jinja:${fingerprint(source)}`,
    name,
    render: ({ messages, tools = [], addGenerationPrompt = false }) =>
      template.render({
        ...markers,
        messages: messages.map(withParsedArguments),
        tools: tools.length > 0 ? tools : null,
        add_generation_prompt: addGenerationPrompt,
      }),
  };
}

interface Decodes {
  decode(ids: number[], options: { skip_special_tokens: boolean }): string;
  id_to_token(id: number): string | undefined;
}

function decodeKnown(tokenizer: Decodes, ids: Iterable<number>): string {
  let text = '';
  let run: number[] = [];
  const flush = (): void => {
    if (run.length > 0) text += tokenizer.decode(run, { skip_special_tokens: false });
    run = [];
  };
  for (const id of ids) {
    if (tokenizer.id_to_token(id) === undefined) {
      flush();
      text += '\uFFFD';
    } else run.push(id);
  }
  flush();
  return text;
}

/** `chat_template` is a string, or a list of named ones of which `tool_use` suits us best. */
function templateSource(config: unknown): string | undefined {
  const found = isRecord(config) ? config['chat_template'] : undefined;
  if (typeof found === 'string') return found;
  if (!Array.isArray(found)) return undefined;
  const named = new Map<unknown, unknown>(
    found.filter(isRecord).map((entry) => [entry['name'], entry['template']]),
  );
  const template = named.get('tool_use') ?? named.get('default');
  return typeof template === 'string' ? template : undefined;
}

/** `bos_token` and its like are a string or `{"content": "<s>", ...}`. */
function specialTokens(config: unknown): Record<string, string> {
  const tokens: Record<string, string> = {};
  for (const [key, value] of Object.entries(isRecord(config) ? config : {})) {
    if (!key.endsWith('_token')) continue;
    const text = isRecord(value) ? value['content'] : value;
    if (typeof text === 'string') tokens[key] = text;
  }
  return tokens;
}

/** Templates of the family expect arguments as an object, or as text that they print: give them the object if it is one. */
function withParsedArguments(message: {
  readonly tool_calls?: readonly {
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
}): object {
  if (message.tool_calls === undefined) return message;
  return {
    ...message,
    tool_calls: message.tool_calls.map((call) => ({
      ...call,
      type: 'function',
      function: { name: call.function.name, arguments: parsedOrText(call.function.arguments) },
    })),
  };
}

function parsedOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** FNV-1a over the JSON: enough to tell two files apart in a label, not a proof of identity. */
function fingerprint(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0;
  }
  return hash.toString(16).padStart(8, '0');
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
