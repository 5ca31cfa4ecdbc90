import { describe, expect, it } from 'vitest';
import { clientOf, post, stoppedClock } from '../gym.fixtures';
import { at, type JsonObject } from '../json';
import { createGym } from '../server';
import { createPerUserAssistant, perUserAssistant } from './per_user_assistant';
import { DEFAULT_PER_USER_CONFIG, readPerUserConfig } from './per_user_config';

const YAML = `
general:
  per_user_workflow_timeout: 60
  per_user_workflow_cleanup_interval: 5
functions:
  notepad:
    _type: per_user_notepad
    max_notes: 2
  preferences:
    _type: per_user_preferences
    default_preferences:
      theme: "light"
      language: "fr"
workflow:
  _type: per_user_assistant
  notepad_name: notepad
`;

function user(name: string | undefined, gym = createGym({ environments: perUserAssistant })) {
  return async (body: JsonObject): Promise<unknown> => {
    const headers: Record<string, string> = name === undefined ? {} : { cookie: `nat-session=${name}` };
    return (await gym.fetch(post('/generate', JSON.stringify(body), headers))).json();
  };
}

describe('commands', () => {
  it.each<[string, JsonObject[], object]>([
    [
      'note without content',
      [{ command: 'note', action: 'add' }],
      { success: false, message: "Content is required for 'add' action" },
    ],
    [
      'clear',
      [
        { command: 'note', action: 'add', param1: 'a' },
        { command: 'note', action: 'clear' },
      ],
      { success: true, message: 'Cleared 1 notes', data: { notes: [], count: 0, commands_executed: 2 } },
    ],
    [
      'count',
      [
        { command: 'note', action: 'add', param1: 'a' },
        { command: 'note', action: 'count' },
      ],
      { message: 'You have 1 notes', data: { notes: [], count: 1, commands_executed: 2 } },
    ],
    [
      'pref list',
      [{ command: 'pref', action: 'list' }],
      {
        message: 'Found 3 preferences',
        data: {
          value: '',
          preferences: { theme: 'dark', language: 'en', notifications: 'enabled' },
          commands_executed: 1,
        },
      },
    ],
    [
      'unknown preference',
      [{ command: 'pref', action: 'get', param1: 'x' }],
      {
        success: false,
        message: "Preference 'x' not found",
        data: { value: '', preferences: {}, commands_executed: 1 },
      },
    ],
    [
      'unknown action',
      [{ command: 'note', action: 'eat' }],
      { success: false, message: "Unknown action: eat. Use 'add', 'list', 'clear', or 'count'" },
    ],
    [
      'unknown command',
      [{ command: 'dance' }],
      {
        success: false,
        message: expect.stringContaining("'note', 'pref', 'stats', or 'help'"),
        data: { commands_executed: 1 },
      },
    ],
    [
      'any case',
      [{ command: 'NOTE', action: 'Add', param1: 'a' }, { command: 'Stats' }],
      { success: true, message: 'Session statistics: 2 commands executed' },
    ],
    [
      'a preference named __proto__',
      [
        { command: 'pref', action: 'set', param1: '__proto__', param2: 'x' },
        { command: 'pref', action: 'get', param1: '__proto__' },
      ],
      { success: true, message: "Preference '__proto__' = 'x'" },
    ],
    [
      'a preference named constructor is not there by itself',
      [{ command: 'pref', action: 'get', param1: 'constructor' }],
      { success: false },
    ],
  ])('%s', async (_name, bodies, expected) => {
    const send = user('alice');
    let last: unknown;
    for (const body of bodies) last = await send(body);
    expect(last).toMatchObject(expected);
  });

  it('stops at the maximum of notes', async () => {
    const send = user('alice');
    for (let index = 0; index < 50; index++) await send({ command: 'note', action: 'add', param1: 'x' });
    expect(await send({ command: 'note', action: 'add', param1: 'x' })).toEqual({
      success: false,
      message: 'Maximum notes (50) reached',
      data: { notes: [], count: 50, commands_executed: 51 },
    });
  });

  it('refuses a body without a command', async () => {
    expect(await user('alice')({})).toMatchObject({
      detail: [{ type: 'missing', loc: ['body', 'command'] }],
    });
  });
});

describe('users', () => {
  it('are who they say, on every endpoint', async () => {
    const gym = createGym({ environments: perUserAssistant });
    await user('alice', gym)({ command: 'note', action: 'add', param1: 'mine' });
    const verify = (name: string) =>
      gym.fetch(post('/verify', '{"expected_notes": ["mine"]}', { cookie: `nat-session=${name}` }));
    expect(at(await (await verify('alice')).json(), 'reward')).toBe(1);
    expect(at(await (await verify('bob')).json(), 'reward')).toBe(0);
    expect((await gym.sessions('per_user_assistant')).map(({ id }) => id)).toEqual(['alice']);
  });

  it('get a random name where they give none', async () => {
    const gym = createGym({ environments: perUserAssistant });
    const client = clientOf(gym);
    await client.call('generate', { command: 'note', action: 'add', param1: 'x' });
    expect(await client.cookie()).toMatch(/^nat-session=[\da-f-]{36}$/);
    expect((await client.call('generate', { command: 'note', action: 'count' })).response.json).toMatchObject(
      { message: 'You have 1 notes' },
    );
  });

  it.each(['__proto__', 'constructor', '../x', 'a%2Fb', 'x'.repeat(256)])(
    'may be called %j',
    async (name) => {
      const gym = createGym({ environments: perUserAssistant });
      await user(name, gym)({ command: 'note', action: 'add', param1: 'x' });
      expect((await gym.sessions('per_user_assistant')).map(({ id }) => id)).toEqual([name]);
      expect(await user('other', gym)({ command: 'note', action: 'count' })).toMatchObject({
        message: 'You have 0 notes',
      });
    },
  );
});

describe('configuration', () => {
  it('is read from the YAML of the toolkit', async () => {
    expect(await readPerUserConfig(YAML)).toEqual({
      per_user_workflow_timeout: 60,
      per_user_workflow_cleanup_interval: 5,
      max_notes: 2,
      default_preferences: { theme: 'light', language: 'fr' },
    });
    expect(await readPerUserConfig('')).toEqual(DEFAULT_PER_USER_CONFIG);
    expect(DEFAULT_PER_USER_CONFIG).toMatchObject({
      per_user_workflow_timeout: 1800,
      per_user_workflow_cleanup_interval: 300,
      max_notes: 50,
    });
  });

  it.each([
    ['max_notes: many', /max_notes/],
    ['general: {per_user_workflow_timeout: -1}', /per_user_workflow_timeout/],
    ['default_preferences: {theme: 3}', /default_preferences\.theme/],
    ['a: [', /not YAML/],
  ])('%s is refused, and says where', async (yaml, message) => {
    await expect(readPerUserConfig(yaml)).rejects.toThrow(message);
  });

  it('takes effect', async () => {
    const clock = stoppedClock();
    const gym = createGym({
      environments: createPerUserAssistant(await readPerUserConfig(YAML)),
      clock: clock.now,
    });
    const send = user('alice', gym);
    expect(await send({ command: 'pref', action: 'get', param1: 'language' })).toMatchObject({
      data: { value: 'fr' },
    });
    for (let index = 0; index < 3; index++) await send({ command: 'note', action: 'add', param1: 'x' });
    expect(await send({ command: 'note', action: 'add', param1: 'x' })).toMatchObject({
      message: 'Maximum notes (2) reached',
    });
    clock.advance(59_000);
    expect(await gym.sweep()).toBe(0);
    clock.advance(2000);
    expect(await gym.sweep()).toBe(1);
    expect(await send({ command: 'stats' })).toMatchObject({ data: { commands_executed: 1 } });
  });
});
