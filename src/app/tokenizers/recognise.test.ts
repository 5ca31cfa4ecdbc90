import { describe, expect, it } from 'vitest';
import { maybeTokenizer, tokenizerFile, tokenizerName } from './recognise';
import { batchesOf } from './useCounts';

const head = '{\n  "version": "1.0",\n  "truncation": null,\n  "padding": null,\n  "added_tokens": [';

describe('tokenizers among dropped files', () => {
  it('are known by how they begin, or by their name', () => {
    expect(tokenizerFile('qwen.json', head)).toBe('tokenizer');
    expect(tokenizerFile('m/tokenizer.json', '{"model": {}}')).toBe('tokenizer');
    expect(tokenizerFile('m/tokenizer_config.json', '{"chat_template": ""}')).toBe('settings');
  });

  it('are not mistaken for records', () => {
    expect(tokenizerFile('run.json', '{"version": "1.0", "steps": []}')).toBeUndefined();
    expect(tokenizerFile('run.json', `{"text": ${JSON.stringify(head)}}`)).toBeUndefined();
    expect(tokenizerFile('tokenizer.json', '[1]')).toBeUndefined();
    expect(maybeTokenizer('rollouts.jsonl', 10)).toBe(false);
    expect(maybeTokenizer('a.json', 1e10)).toBe(false);
  });

  it('are called by their folder', () => {
    expect(tokenizerName('models/Qwen3-8B/tokenizer.json')).toBe('Qwen3-8B');
    expect(tokenizerName('tokenizer.json')).toBe('tokenizer.json');
    expect(tokenizerName('qwen3-tokenizer.json')).toBe('qwen3-tokenizer');
  });
});

it('texts go to the worker in batches of bounded size, all of them and in order', () => {
  const texts = ['aaa', 'bb', '', 'cccccccc', 'd', 'e'];
  const batches = batchesOf(texts, 5);
  expect(batches.flat()).toEqual(texts);
  expect(batches).toEqual([['aaa', 'bb', ''], ['cccccccc'], ['d', 'e']]);
});
