/** Chat messages to the text that a model reads. */

export interface TemplateMessage {
  readonly role: string;
  readonly content: string | null;
  readonly tool_calls?: readonly TemplateToolCall[];
}

export interface TemplateToolCall {
  readonly function: { readonly name: string; readonly arguments: string };
}

export interface TemplateInput {
  readonly messages: readonly TemplateMessage[];
  /** Tool definitions, as they are sent to the model. */
  readonly tools?: readonly unknown[];
  /** End with the opening of the assistant's turn. */
  readonly addGenerationPrompt?: boolean;
}

export interface ChatTemplate {
  readonly id: string;
  readonly name: string;
  render(input: TemplateInput): string;
}

const TOOLS_BEFORE =
  '# Tools\n\nYou may call one or more functions. Their signatures stand within <tools></tools>:\n<tools>\n';
const TOOLS_AFTER =
  '\n</tools>\n\nFor each call, write a JSON object with name and arguments within <tool_call></tool_call>:\n' +
  '<tool_call>\n{"name": <function-name>, "arguments": <args-json-object>}\n</tool_call>';

/**
 * ChatML, with calls in `<tool_call>` and results in `<tool_response>`. Results that follow each other share one turn:
 * `<|im_start|>user\n<tool_response>\n{"count": 5}\n</tool_response><|im_end|>\n`.
 */
export const chatMl: ChatTemplate = {
  id: 'chatml',
  name: 'ChatML (default)',
  render({ messages, tools = [], addGenerationPrompt = false }) {
    const turns: string[] = [];
    const [first] = messages;
    const system = first?.role === 'system' ? (first.content ?? '') : undefined;
    if (tools.length > 0) {
      const signatures = tools.map((tool) => JSON.stringify(tool)).join('\n');
      turns.push(
        turn('system', `${system ? `${system}\n\n` : ''}${TOOLS_BEFORE}${signatures}${TOOLS_AFTER}`),
      );
    } else if (system !== undefined) turns.push(turn('system', system));

    let responses: string[] = [];
    const flush = (): void => {
      if (responses.length > 0) turns.push(turn('user', responses.join('\n')));
      responses = [];
    };
    for (const message of system === undefined ? messages : messages.slice(1)) {
      if (message.role === 'tool') {
        responses.push(`<tool_response>\n${message.content ?? ''}\n</tool_response>`);
        continue;
      }
      flush();
      turns.push(turn(message.role, withCalls(message)));
    }
    flush();
    return turns.join('') + (addGenerationPrompt ? '<|im_start|>assistant\n' : '');
  },
};

function turn(role: string, text: string): string {
  return `<|im_start|>${role}\n${text}<|im_end|>\n`;
}

function withCalls(message: TemplateMessage): string {
  const calls = (message.tool_calls ?? []).map(
    (call) =>
      `<tool_call>\n{"name": ${JSON.stringify(call.function.name)}, "arguments": ${call.function.arguments}}\n</tool_call>`,
  );
  return [...(message.content ? [message.content] : []), ...calls].join('\n');
}
