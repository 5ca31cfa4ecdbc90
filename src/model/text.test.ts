import { describe, expect, it } from 'vitest';
import { messageSize, partText } from './text';

describe('partText', () => {
  it('writes out what the importer did not know', () => {
    expect(partText({ kind: 'unknown', type: 'web_search_call', value: { query: 'x' } })).toBe(
      '{"query":"x"}',
    );
    expect(partText({ kind: 'unknown', type: 'odd', value: undefined })).toBe('');
  });

  it('survives a value nested 100,000 deep', () => {
    const value: unknown = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000));
    const part = { kind: 'unknown', type: 'deep', value } as const;
    expect(partText(part)).toContain('nested too deeply');
    expect(messageSize({ parts: [part] })).toBeGreaterThan(0);
  });
});
