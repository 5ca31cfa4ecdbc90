import { describe, expect, test } from 'vitest';
import { chatMl, loadBundledTokenizer, loadChatTemplate, type ChatTemplate } from '../tokens';
import { createEncoder } from './encoder';
import { characters } from './loop.fixtures';

const assistant = {
  role: 'assistant',
  content: 'I look.',
  tool_calls: [{ id: 'a', type: 'function' as const, function: { name: 'read', arguments: '{"n": 1}' } }],
};
const result = { role: 'tool', content: '{"page": 1}' };

function read(ids: readonly number[]): string {
  return String.fromCodePoint(...ids);
}

const emission = 'I look.\n<tool_call>\n{"name": "read", "arguments": {"n": 1}}\n</tool_call><|im_end|>';
const appended =
  '<|im_start|>user\n<tool_response>\n{"page": 1}\n</tool_response><|im_end|>\n<|im_start|>assistant\n';

/** Like many: a system prompt of its own where there is none, results in a turn of the user. */
const jinja = `{%- if messages[0].role != 'system' %}{{ '<|im_start|>system\\nYou are helpful.<|im_end|>\\n' }}{%- endif %}
{%- for message in messages %}
{%- if message.role == 'tool' %}{{ '<|im_start|>user\\n<tool_response>\\n' + message.content + '\\n</tool_response><|im_end|>\\n' }}
{%- else %}{{ '<|im_start|>' + message.role + '\\n' + message.content }}
{%- if message.tool_calls %}{%- for call in message.tool_calls %}{{ '\\n<tool_call>\\n{"name": "' + call.function.name + '", "arguments": ' + (call.function.arguments | tojson) + '}\\n</tool_call>' }}{%- endfor %}{%- endif %}
{{- '<|im_end|>\\n' }}{%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{%- endif %}`;

describe('what is added to a context', () => {
  test('with ChatML', () => {
    const encoder = createEncoder(characters, chatMl);
    expect(read(encoder.emission(assistant))).toBe(emission);
    expect(read(encoder.appended([result]))).toBe(appended);
  });

  test('with a template that writes a system prompt of its own', async () => {
    const template = await loadChatTemplate('own', { chat_template: jinja });
    if (template === undefined) throw new Error('no template');
    const encoder = createEncoder(characters, template);
    expect(read(encoder.emission(assistant))).toBe(emission);
    expect(read(encoder.appended([result]))).toBe(appended);
    expect(read(encoder.prompt([{ role: 'user', content: 'Hi' }], []))).toContain('You are helpful.');
  });

  test.each<[string, ChatTemplate['render']]>([
    [
      'refuses what is no conversation',
      () => {
        throw new Error('roles must alternate');
      },
    ],
    ['writes what was before anew', ({ messages }) => `${messages.length} messages`],
  ])('with a template that %s, it is ChatML', (_, render) => {
    const encoder = createEncoder(characters, { id: 'x', name: 'x', render });
    expect(read(encoder.emission(assistant))).toBe(emission);
    expect(read(encoder.appended([result]))).toBe(appended);
  });
});

test('what is added can be read from the tokens of the bundled tokenizer', async () => {
  const tokenizer = await loadBundledTokenizer();
  const encoder = createEncoder(tokenizer, chatMl);
  expect(tokenizer.decode(encoder.emission(assistant))).toBe(emission);
  expect(tokenizer.decode(encoder.appended([result]))).toBe(appended);
});
