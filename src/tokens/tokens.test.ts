import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  chatMl,
  loadBundledTokenizer,
  loadChatTemplate,
  loadHuggingFaceTokenizer,
  wellFormed,
  type Tokenizer,
} from './index';

/** A byte-level BPE of a few merges, in the shape of a tokenizer.json. */
function smallTokenizerJson(): object {
  const bytes = [...Array(256).keys()].map(byteCharacter);
  const merges = [
    ['h', 'e'],
    ['l', 'l'],
    ['he', 'll'],
    ['hell', 'o'],
    ['Ġ', 'w'],
  ];
  const words = [...bytes, ...merges.map((pair) => pair.join(''))];
  return {
    version: '1.0',
    added_tokens: [
      {
        id: words.length,
        content: '<|im_start|>',
        special: true,
        single_word: false,
        lstrip: false,
        rstrip: false,
        normalized: false,
      },
    ],
    normalizer: null,
    pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true },
    post_processor: null,
    decoder: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true },
    model: {
      type: 'BPE',
      dropout: null,
      unk_token: null,
      continuing_subword_prefix: null,
      end_of_word_suffix: null,
      fuse_unk: false,
      byte_fallback: false,
      vocab: Object.fromEntries(words.map((word, id) => [word, id])),
      merges,
    },
  };
}

function printable(byte: number): boolean {
  return (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
}

/** GPT-2's printable stand-in for a byte: printable ones are themselves, the others come after U+0100 in order. */
function byteCharacter(byte: number): string {
  if (printable(byte)) return String.fromCodePoint(byte);
  const before = [...Array(byte).keys()].filter((b) => !printable(b)).length;
  return String.fromCodePoint(256 + before);
}

const loaders: [string, () => Promise<Tokenizer>][] = [
  ['bundled', loadBundledTokenizer],
  ['tokenizer.json', () => loadHuggingFaceTokenizer('small', smallTokenizerJson())],
];

describe.each(loaders)('tokenizer: %s', (_name, load) => {
  let tokenizer: Tokenizer;
  beforeAll(async () => {
    tokenizer = await load();
  });

  it('decodes what it encoded, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        expect(tokenizer.decode(tokenizer.encode(text))).toBe(wellFormed(text));
      }),
    );
  });

  it('counts what it encodes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(tokenizer.count(text)).toBe(tokenizer.encode(text).length);
      }),
    );
  });

  it('reads a marker as one token only where asked to', () => {
    const marker = '<|im_start|>';
    expect(tokenizer.encode(marker, { special: true })).toHaveLength(1);
    expect(tokenizer.encode(marker).length).toBeGreaterThan(1);
    expect(tokenizer.decode(tokenizer.encode(marker, { special: true }))).toBe(marker);
  });

  it('shows ids outside its vocabulary as replacement characters, and keeps the rest', () => {
    const known = tokenizer.encode('hello');
    expect(tokenizer.decode([...known, 999_999_999, ...known])).toBe('hello\uFFFDhello');
  });

  it('keeps U+FEFF wherever it stands, and shows a part of a character as U+FFFD, in every call anew', () => {
    for (const text of ['\uFEFFabc', 'abc\uFEFF', '\uFEFF'])
      expect(tokenizer.decode(tokenizer.encode(text))).toBe(text);
    const parts = tokenizer.encode('龘');
    expect(parts.length).toBeGreaterThan(1);
    expect(tokenizer.decode(parts.slice(0, 1))).toContain('\uFFFD');
    expect(tokenizer.decode(tokenizer.encode('abc'))).toBe('abc');
    expect(tokenizer.decode(parts)).toBe('龘');
  });

  it('takes a lone surrogate as U+FFFD', () => {
    expect(tokenizer.decode(tokenizer.encode('a\uD800b'))).toBe('a\uFFFDb');
  });
});

it('merges as the file says', async () => {
  const tokenizer = await loadHuggingFaceTokenizer('small', smallTokenizerJson());
  expect(tokenizer.count('hello')).toBe(1);
  expect(tokenizer.count('hello world')).toBe(1 + 5);
});

it('counts text as cl100k_base does', async () => {
  const tokenizer = await loadBundledTokenizer();
  // From the published test vectors of that encoding.
  expect(tokenizer.encode('hello world')).toEqual([15339, 1917]);
  expect(tokenizer.encode('antidisestablishmentarianism')).toHaveLength(6);
});

it('stays linear on a run without a break', async () => {
  const tokenizer = await loadBundledTokenizer();
  const once = tokenizer.count('a'.repeat(256));
  // Quadratic merging would not come to an end within the test's time.
  expect(tokenizer.count('a'.repeat(256 * 2000))).toBe(once * 2000);
});

it('refuses a file that is not a tokenizer', async () => {
  await expect(loadHuggingFaceTokenizer('x.json', { hello: 1 })).rejects.toThrow(/not a tokenizer.json/);
  await expect(loadHuggingFaceTokenizer('x.json', null)).rejects.toThrow(/not a tokenizer.json/);
});

describe('templates', () => {
  const messages = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Add 2.' },
    {
      role: 'assistant',
      content: 'Adding.',
      tool_calls: [{ function: { name: 'increment_counter', arguments: '{"count": 2}' } }],
    },
    { role: 'tool', content: '{"success": true}' },
    { role: 'tool', content: '{"count": 5}' },
  ];

  it('renders ChatML with calls and results in their blocks', () => {
    expect(chatMl.render({ messages, addGenerationPrompt: true })).toBe(
      '<|im_start|>system\nBe brief.<|im_end|>\n' +
        '<|im_start|>user\nAdd 2.<|im_end|>\n' +
        '<|im_start|>assistant\nAdding.\n<tool_call>\n{"name": "increment_counter", "arguments": {"count": 2}}\n</tool_call><|im_end|>\n' +
        '<|im_start|>user\n<tool_response>\n{"success": true}\n</tool_response>\n<tool_response>\n{"count": 5}\n</tool_response><|im_end|>\n' +
        '<|im_start|>assistant\n',
    );
  });

  it('names the tools in the system turn, and makes one where there is none', () => {
    const text = chatMl.render({
      messages: [{ role: 'user', content: 'x' }],
      tools: [{ type: 'function', name: 'read' }],
    });
    expect(text).toMatch(/^<\|im_start\|>system\n# Tools/);
    expect(text).toContain('<tools>\n{"type":"function","name":"read"}\n</tools>');
  });

  it('renders the chat template of a tokenizer_config.json', async () => {
    const template = await loadChatTemplate('mine', {
      bos_token: { content: '<s>' },
      chat_template:
        '{{ bos_token }}{% for m in messages %}[{{ m.role }}]{{ m.content }}{% if m.tool_calls %}{% for c in m.tool_calls %}{{ c.function.arguments | tojson }}{% endfor %}{% endif %}{% endfor %}{% if add_generation_prompt %}[assistant]{% endif %}',
    });
    expect(template?.render({ messages: messages.slice(1, 4), addGenerationPrompt: true })).toBe(
      '<s>[user]Add 2.[assistant]Adding.{"count": 2}[tool]{"success": true}[assistant]',
    );
    expect(await loadChatTemplate('none', {})).toBeUndefined();
  });
});
