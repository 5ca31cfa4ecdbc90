import { pythonJson, type Episode, type JsonObject } from '../model';
import { chatMl, type ChatTemplate, type Tokenizer } from '../tokens';
import { DEFAULT_CONFIG, type LoopConfig } from './config';
import type { LoopEnvironment, ToolAnswer } from './environment';
import { createLoop, type Loop, type LoopOptions } from './loop';
import { scriptedPolicy, type ScriptedEmission } from './policies/scripted';

/** Ids that are character codes, so that contexts can be read off their tokens. */
export const characters: Tokenizer = {
  id: 'characters',
  name: 'characters',
  encode: (text) => Array.from(text, (character) => character.codePointAt(0) ?? 0),
  decode: (ids) => String.fromCodePoint(...ids),
  count: (text) => Array.from(text).length,
};

/** ChatML as the reference's toy tokenizer writes it: tool turns of their own, calls as JSON behind the text. */
export const toyTemplate: ChatTemplate = {
  id: 'toy',
  name: 'toy',
  render: ({ messages, addGenerationPrompt = false }) =>
    messages
      .map(({ role, content, tool_calls = [] }) => {
        const calls = tool_calls.map((call) => pythonJson(JSON.stringify(call)) ?? '');
        return `<|im_start|>${role}\n${content ?? ''}${calls.join('')}<|im_end|>\n`;
      })
      .join('') + (addGenerationPrompt ? '<|im_start|>assistant\n' : ''),
};

/** Tools that answer with what they were given, notes among them. */
export function echoEnvironment(given: Partial<LoopEnvironment> = {}): LoopEnvironment {
  const keys = new Set<string>();
  const answer = (tool: string, args: JsonObject): ToolAnswer => {
    if (tool === 'note') {
      keys.add(String(args['key']));
      return { text: JSON.stringify({ status: 'success', key: args['key'] }) };
    }
    if (tool === 'fail') throw new Error('out of order');
    if (typeof args['long'] === 'number') return { text: 'x'.repeat(args['long']) };
    return { text: typeof args['text'] === 'string' ? args['text'] : JSON.stringify({ tool, ...args }) };
  };
  return {
    name: 'echo',
    tools: ['read', 'note', 'fail'].map((name) => ({ name })),
    seed: () => Promise.resolve({}),
    call: (tool, args) => Promise.resolve().then(() => answer(tool, args)),
    verify: () => Promise.resolve({ reward: 1 }),
    ...given,
  };
}

export const STATELM: LoopConfig = {
  ...DEFAULT_CONFIG,
  statelm_enabled: true,
  max_model_length: 100_000,
  response_length: 50_000,
  max_assistant_turns: null,
  max_user_turns: null,
};

export interface LoopGiven extends Partial<LoopOptions> {
  readonly script?: readonly ScriptedEmission[];
}

export function loopOf({ script = [], ...given }: LoopGiven): Loop {
  return createLoop({
    config: STATELM,
    policy: scriptedPolicy(script),
    environment: echoEnvironment(),
    tokenizer: characters,
    template: chatMl,
    task: { id: '0', title: 'Find it', messages: [{ role: 'user', text: 'Where is it?' }] },
    now: () => 0,
    ...given,
  });
}

export async function runToEnd(loop: Loop): Promise<Episode> {
  while (!loop.done) await loop.advance();
  return loop.episode;
}

export function call(name: string, args: JsonObject | string = {}): ScriptedEmission {
  return { text: `I call ${name}.`, toolCalls: [{ name, arguments: args }] };
}
