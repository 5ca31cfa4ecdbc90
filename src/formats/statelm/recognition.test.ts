import { describe, expect, it } from 'vitest';
import { lintEpisode } from '../../model';
import { statelmFixtures } from './statelm.fixtures';
import * as formats from './index';

describe.each(Object.values(formats).map((format) => [format.id, format] as const))('%s', (id, format) => {
  const { value, text = '' } = statelmFixtures.find((fixture) => fixture.format === id) ?? { value: {} };

  it('is recognised, and by no other', () => {
    // A log of calls is recognised by its calls.
    const [claimed]: unknown[] = format.unit === 'source' && Array.isArray(value) ? value : [value];
    expect(format.confidence(claimed)).toBeGreaterThan(0.5);
    for (const other of Object.values(formats)) {
      if (other !== format) expect(other.confidence(claimed)).toBe(0);
    }
  });

  it('is not blamed for a reward that its writer never keeps', () => {
    const episode = format.episode({ value, text, index: 0, line: 1 }, 0);
    expect(lintEpisode(episode).map(({ rule }) => rule)).not.toContain('reward-missing');
  });
});
