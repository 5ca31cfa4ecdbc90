import { describe, expect, it } from 'vitest';
import { environmentNamed } from '../../gym';
import { curlLine } from './curl';
import { jarFor, serverLine } from './port';

describe('lines for a server on a port', () => {
  it('keep the cookies of a client in a file, which the first line begins', () => {
    const counter = environmentNamed('stateful_counter');
    if (counter === undefined) throw new Error('There is no counter.');
    const request = { method: 'GET', url: 'http://x/', headers: {}, body: undefined };
    const jar = jarFor(counter, 'Client 1');
    expect(curlLine({ ...request, cookie: '', jar })).toContain(' -c client-1.cookies ');
    expect(curlLine({ ...request, cookie: '', jar })).not.toContain('-b');
    const later = curlLine({ ...request, cookie: 'S___c=id.signature', jar });
    expect(later).toContain(' -b client-1.cookies -c client-1.cookies ');
    expect(later).not.toContain('signature');
  });

  it('name a user who names themselves', () => {
    const assistant = environmentNamed('per_user_assistant');
    expect(assistant && jarFor(assistant, 'Client 1')).toBeUndefined();
  });

  it('start the server with the mistakes that are its own', () => {
    expect(serverLine({})).toBe('rollscope gym --port 8000');
    expect(serverLine({ global_state: true, slow: 150, drop_cookies: true })).toBe(
      'rollscope gym --port 8000 --mistake global_state,slow=150',
    );
  });
});
