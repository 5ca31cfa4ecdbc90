import type { ChatMessage, ToolSpec } from '../model';
import { chatMl, type ChatTemplate, type TemplateMessage, type Tokenizer } from '../tokens';

/** Chat messages to token ids: a whole context, or what is added to one. */
export interface Encoder {
  /** The context with the cue for the next turn. Throws what the template throws. */
  prompt(messages: readonly ChatMessage[], tools: readonly ToolSpec[]): readonly number[];
  /** An assistant turn as the model would have emitted it, up to its end mark. */
  emission(message: ChatMessage): readonly number[];
  /** Messages that follow an assistant turn, with the cue for the next. */
  appended(messages: readonly ChatMessage[]): readonly number[];
  /** How many tokens a message's text and calls are. */
  count(message: ChatMessage): number;
}

export function createEncoder(tokenizer: Tokenizer, template: ChatTemplate): Encoder {
  const encode = (text: string): readonly number[] => tokenizer.encode(text, { special: true });
  return {
    prompt: (messages, tools) =>
      encode(
        template.render({
          messages: messages.map(templated),
          tools: tools.map(toolDefinition),
          addGenerationPrompt: true,
        }),
      ),
    // A template ends its turns with a line break that no model writes.
    emission: (message) =>
      encode(
        difference(template, { messages: [USER], cue: true }, [templated(message)], false).replace(/\n$/, ''),
      ),
    appended: (messages) =>
      encode(
        difference(template, { messages: [USER, ASSISTANT], cue: false }, messages.map(templated), true),
      ),
    count: ({ content, tool_calls }) =>
      tokenizer.count(textOf(content) + (tool_calls === undefined ? '' : JSON.stringify(tool_calls))),
  };
}

const USER: TemplateMessage = { role: 'user', content: '' };
const ASSISTANT: TemplateMessage = { role: 'assistant', content: '' };

/**
 * What messages add to the text of a conversation before them. Templates know only whole conversations; some write a
 * system prompt of their own, and some refuse what is no proper conversation: these get ChatML.
 */
function difference(
  template: ChatTemplate,
  before: { messages: readonly TemplateMessage[]; cue: boolean },
  added: readonly TemplateMessage[],
  cueAfter: boolean,
): string {
  try {
    const start = template.render({ messages: before.messages, addGenerationPrompt: before.cue });
    const whole = template.render({
      messages: [...before.messages, ...added],
      addGenerationPrompt: cueAfter,
    });
    if (whole.startsWith(start)) return whole.slice(start.length);
  } catch (error) {
    if (template === chatMl) throw error;
  }
  return template === chatMl
    ? chatMl.render({ messages: added, addGenerationPrompt: cueAfter })
    : difference(chatMl, before, added, cueAfter);
}

function templated({ role, content, tool_calls }: ChatMessage): TemplateMessage {
  return {
    role,
    content: content === null ? null : textOf(content),
    ...(tool_calls === undefined ? {} : { tool_calls }),
  };
}

function textOf(content: ChatMessage['content']): string {
  if (content === null || typeof content === 'string') return content ?? '';
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

/** As chat completions and templates expect it. */
export function toolDefinition({ name, description, parameters }: ToolSpec): object {
  return {
    type: 'function',
    function: {
      name,
      ...(description === undefined ? {} : { description }),
      parameters: parameters ?? { type: 'object', properties: {} },
    },
  };
}
