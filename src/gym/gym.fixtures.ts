/** What the tests of this folder share. */
import { createGymClient, type GymClient } from './client';
import type { Gym } from './server';
import { directTransport } from './transport';

export function clientOf(gym: Gym, options: { dropCookies?: boolean; folder?: string } = {}): GymClient {
  return createGymClient({
    baseUrl: `http://gym.test${options.folder ?? ''}`,
    transport: directTransport((request) => gym.fetch(request)),
    dropCookies: options.dropCookies ?? false,
  });
}

export function post(path: string, body: BodyInit | null, headers: Record<string, string> = {}): Request {
  return new Request(`http://gym.test${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
}

/** A clock that only moves when told to. */
export function stoppedClock(start = 1_000_000): { now: () => number; advance(ms: number): void } {
  let time = start;
  return {
    now: () => time,
    advance: (ms) => {
      time += ms;
    },
  };
}
