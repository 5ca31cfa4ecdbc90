import { describe, expect, it } from 'vitest';
import { expectSound, recordOf } from './harness.fixtures';
import { detectFormat } from './registry';
import { titleFrom } from './title';

const faces = '😀'.repeat(300);
const said = [{ type: 'message', role: 'assistant', content: 'y' }];

describe('a title', () => {
  it('is the first line, or what stands for it', () => {
    expect(titleFrom(' Why?\nBecause.', 'none')).toBe('Why?');
    expect(titleFrom('\nBecause.', 'none')).toBe('none');
    expect(titleFrom(undefined, 'none')).toBe('none');
  });

  it.each([
    ['any JSON', { title: `x${faces}` }],
    ['a rollout', { responses_create_params: { input: 'x' }, response: { output: said }, name: `x${faces}` }],
    [
      'a rollout of many spaces',
      { responses_create_params: {}, response: {}, name: `${' '.repeat(199)}${faces}` },
    ],
    ['agent data', { full_history: [{ role: 'user', content: `x${faces}` }], emission_views: [] }],
  ])('of %s cuts no character in two', (_, value) => {
    const record = recordOf(value);
    const format = detectFormat(value);
    const [episode] = format === undefined ? [] : expectSound(format, record);
    expect(episode?.title).not.toMatch(/\p{Cs}/u);
    expect(Array.from(episode?.title ?? '').length).toBeLessThanOrEqual(80);
  });
});
