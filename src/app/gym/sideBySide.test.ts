import { describe, expect, it } from 'vitest';
import { environmentNamed, type MistakeName } from '../../gym';
import { playSideBySide } from './sideBySide';

const counter = environmentNamed('stateful_counter');
const [script] = counter?.scripts ?? [];

describe('the same script with and without a mistake', () => {
  /** Seed, increment, read, verify. */
  const differs: readonly [MistakeName, number | undefined][] = [
    ['global_state', 2],
    ['assume_state', 1],
    ['seed_setdefault', 2],
    ['drop_cookies', 2],
    ['lost_update', 2],
    ['slow', undefined],
  ];
  it.each(differs)('%s shows at exchange %s', async (mistake, at) => {
    if (counter === undefined || script === undefined) throw new Error('The counter has no script.');
    const played = await playSideBySide(counter, script, mistake);
    expect(played.without.exchanges.map(({ request }) => request.path)).toEqual([
      '/seed_session',
      '/increment_counter',
      '/get_counter_value',
      '/verify',
    ]);
    expect(played.differsAt).toBe(at);
    expect(played.without.exchanges.every(({ response }) => response.ok)).toBe(true);
  });
});
