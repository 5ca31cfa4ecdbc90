import { describe, expect, it } from 'vitest';
import { environments } from '../environments';
import { parseMistakes } from '../mistakes';
import { readProfile } from './read-profile';

describe('a profile from a file', () => {
  it.each(environments.map(({ name, checklist }) => [name, checklist] as const))(
    '%s: the shipped one reads back as it is',
    (_name, checklist) => {
      expect(readProfile(JSON.stringify(checklist))).toEqual(checklist);
    },
  );

  it.each([
    ['{', /not JSON/],
    ['{"stateful": false}', /call/],
    ['{"stateful": "yes"}', /stateful/],
    ['{"stateful": false, "call": {"path": "no slash"}}', /call\.path/],
  ])('%s is refused, and says where', (text, message) => {
    expect(() => readProfile(text)).toThrow(message);
  });
});

describe('mistakes by name', () => {
  it('are read with their amounts', () => {
    expect(parseMistakes('')).toEqual({});
    expect(parseMistakes('global_state, slow=50,flaky=0.5')).toEqual({
      global_state: true,
      slow: 50,
      flaky: 0.5,
    });
    expect(parseMistakes('slow,flaky')).toEqual({ slow: 300, flaky: 0.2 });
  });

  it.each(['__proto__', 'constructor', 'globalstate', 'flaky=2', 'slow=', 'slow=x', 'global_state=1'])(
    '%s is refused',
    (text) => {
      expect(() => parseMistakes(text)).toThrow();
    },
  );
});
