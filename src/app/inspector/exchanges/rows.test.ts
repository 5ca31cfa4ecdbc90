import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../../model';
import { exchangeRows, pathOf, readable } from './rows';

const exchange = (session?: string): Exchange => ({
  step: 0,
  purpose: 'call',
  request: { method: 'POST', url: 'http://127.0.0.1/add', headers: [] },
  ...(session === undefined ? {} : { session }),
});

describe('exchanges', () => {
  it('say where the session changed, and only there', () => {
    const sessions = ['a', 'a', undefined, 'a', 'b', 'b', undefined, 'a'];
    expect(exchangeRows(sessions.map(exchange)).map(({ switched }) => switched)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      { from: 'a', to: 'b' },
      undefined,
      undefined,
      { from: 'b', to: 'a' },
    ]);
  });

  it('are named by the end of their path', () => {
    expect(pathOf('http://127.0.0.1:8000/stateful_counter/verify?x=1')).toBe('/verify?x=1');
    expect(pathOf('http://127.0.0.1:8000')).toBe('/');
    expect(pathOf('not a url')).toBe('not a url');
  });

  it('show JSON with its levels and anything else as it is', () => {
    expect(readable('{"a":[1]}')).toBe('{\n  "a": [\n    1\n  ]\n}');
    expect(readable('{"a":')).toBe('{"a":');
    const long = `"${'x'.repeat(300_000)}"`;
    expect(readable(long)).toBe(long);
  });
});
