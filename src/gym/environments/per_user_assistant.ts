import * as v from 'valibot';
import { defineEnvironment, tool, type Environment } from '../environment';
import { sameJson, type Json } from '../json';
import { episodeFields, task, text } from './nemo';
import { DEFAULT_PER_USER_CONFIG, type PerUserConfig } from './per_user_config';

const State = v.object({
  notes: v.array(v.string()),
  /** Pairs, so that any key is one like the others. */
  preferences: v.array(v.tuple([v.string(), v.string()])),
  commands_executed: v.number(),
});
type State = v.InferOutput<typeof State>;

/** What a command does to notes or preferences, before the counting around it. */
interface Done {
  readonly success: boolean;
  readonly message: string;
  readonly data: { readonly [key: string]: Json };
  readonly state?: State;
}

const HELP = [
  'Available commands:',
  '- note add <content>: Add a note',
  '- note list: List all notes',
  '- note clear: Clear all notes',
  '- note count: Count notes',
  '- pref set <key> <value>: Set a preference',
  '- pref get <key>: Get a preference',
  '- pref list: List all preferences',
  '- stats: Show session statistics',
  '- help: Show this help message',
].join('\n');

function noteAnswer(success: boolean, message: string, notes: readonly string[], count: number): Done {
  return { success, message, data: { notes, count } };
}

function noteCommand(state: State, action: string, content: string, maxNotes: number): Done {
  const { notes } = state;
  const count = notes.length;
  switch (action) {
    case 'add':
      if (content === '') return noteAnswer(false, "Content is required for 'add' action", [], count);
      if (count >= maxNotes) return noteAnswer(false, `Maximum notes (${maxNotes}) reached`, [], count);
      return {
        ...noteAnswer(true, 'Note added successfully', [], count + 1),
        state: { ...state, notes: [...notes, content] },
      };
    case 'list':
      return noteAnswer(true, `Found ${count} notes`, notes, count);
    case 'clear':
      return { ...noteAnswer(true, `Cleared ${count} notes`, [], 0), state: { ...state, notes: [] } };
    case 'count':
      return noteAnswer(true, `You have ${count} notes`, [], count);
    default:
      return noteAnswer(
        false,
        `Unknown action: ${action}. Use 'add', 'list', 'clear', or 'count'`,
        [],
        count,
      );
  }
}

function prefCommand(state: State, action: string, key: string, value: string): Done {
  const { preferences } = state;
  const done = (success: boolean, message: string, found = '', all: State['preferences'] = []): Done => ({
    success,
    message,
    data: { value: found, preferences: Object.fromEntries(all) },
  });
  if ((action === 'set' || action === 'get') && key === '')
    return done(false, `Key is required for '${action}' action`);
  const known = preferences.find(([name]) => name === key);
  switch (action) {
    case 'set': {
      const next: State['preferences'] = known
        ? preferences.map((pair) => (pair === known ? [key, value] : pair))
        : [...preferences, [key, value]];
      return {
        ...done(true, `Preference '${key}' set to '${value}'`, '', next),
        state: { ...state, preferences: next },
      };
    }
    case 'get':
      return known
        ? done(true, `Preference '${key}' = '${known[1]}'`, known[1])
        : done(false, `Preference '${key}' not found`);
    case 'list':
      return done(true, `Found ${preferences.length} preferences`, '', preferences);
    default:
      return done(false, `Unknown action: ${action}. Use 'set', 'get', or 'list'`);
  }
}

/** A per-user assistant with this configuration. The client names itself in the cookie `nat-session`. */
export function createPerUserAssistant(config: PerUserConfig): Environment {
  const initial = (): State => ({
    notes: [],
    preferences: Object.entries(config.default_preferences),
    commands_executed: 0,
  });

  const run = (state: State, command: string, action: string, param1: string, param2: string): Done => {
    const stats = { success: true, data: {} };
    switch (command) {
      case 'note':
        return noteCommand(state, action, param1, config.max_notes);
      case 'pref':
        return prefCommand(state, action, param1, param2);
      case 'stats':
        return { ...stats, message: `Session statistics: ${state.commands_executed} commands executed` };
      case 'help':
        return { ...stats, message: HELP };
      default:
        return {
          success: false,
          message: `Unknown command: ${command}. Use 'note', 'pref', 'stats', or 'help'`,
          data: {},
        };
    }
  };

  const generate = tool({
    name: 'generate',
    description: 'Notes and preferences of the user who asks.',
    parameters: v.object({
      command: text("Command to execute: 'note', 'pref', 'stats', or 'help'."),
      action: v.optional(text('Action for the command.'), ''),
      param1: v.optional(text('First parameter (key or content).'), ''),
      param2: v.optional(text('Second parameter (value).'), ''),
    }),
    result: v.object({ success: v.boolean(), message: v.string(), data: v.looseObject({}) }),
    run: (state: State, { command, action, param1, param2 }) => {
      const counted = { ...state, commands_executed: state.commands_executed + 1 };
      const done = run(counted, command.toLowerCase(), action.toLowerCase(), param1, param2);
      return {
        state: done.state ?? counted,
        result: {
          success: done.success,
          message: done.message,
          data: { ...done.data, commands_executed: counted.commands_executed },
        },
      };
    },
  });

  const preferencesWith = (given: Readonly<Record<string, string>>): State['preferences'] =>
    Object.entries({ ...config.default_preferences, ...given });

  return defineEnvironment({
    name: 'per_user_assistant',
    serverName: 'PerUserAssistant',
    title: 'Per-user assistant',
    description:
      'Notes and preferences, apart for each user. The user is whoever the cookie nat-session names.',
    session: { kind: 'named', cookie: 'nat-session' },
    idle: { timeout: config.per_user_workflow_timeout, interval: config.per_user_workflow_cleanup_interval },
    state: State,
    initial,
    seed: {
      schema: v.looseObject({
        notes: v.optional(v.array(v.string()), []),
        preferences: v.optional(v.record(v.string(), v.string()), {}),
      }),
      state: ({ notes, preferences }) => ({
        notes,
        preferences: preferencesWith(preferences),
        commands_executed: 0,
      }),
    },
    tools: [generate],
    verify: {
      schema: v.looseObject({
        ...episodeFields,
        expected_notes: v.optional(v.array(v.string()), []),
        /** Those that differ from the defaults are enough. */
        expected_preferences: v.optional(v.record(v.string(), v.string()), {}),
      }),
      judge: (state, { expected_notes, expected_preferences }) => {
        const notes = sameJson(state.notes, expected_notes);
        const preferences = sameJson(
          Object.fromEntries(state.preferences),
          Object.fromEntries(preferencesWith(expected_preferences)),
        );
        return { reward: notes && preferences ? 1 : 0, notes_match: notes, preferences_match: preferences };
      },
    },
    tasks: [
      task('Note that the milk is out, and switch my theme to light.', {
        expected_notes: ['The milk is out'],
        expected_preferences: { theme: 'light' },
      }),
      task('Forget all my notes, then note "start over".', {
        notes: ['old one', 'older one'],
        expected_notes: ['start over'],
      }),
    ],
    scripts: [
      {
        name: 'per-user-success',
        title: 'A note and a preference',
        description: 'Two commands, and the state of this user is what the task wanted.',
        task: 0,
        emissions: [
          {
            text: '',
            toolCalls: [
              { name: 'generate', arguments: { command: 'note', action: 'add', param1: 'The milk is out' } },
            ],
          },
          {
            text: '',
            toolCalls: [
              {
                name: 'generate',
                arguments: { command: 'pref', action: 'set', param1: 'theme', param2: 'light' },
              },
            ],
          },
          { text: 'Noted, and the theme is light now.', toolCalls: [] },
        ],
        expect: { reward: 1 },
      },
      {
        name: 'per-user-unheeded-failure',
        title: 'A failure that nobody read',
        description:
          'The policy uses an action that does not exist. The answer is 200 with success false, and says which actions there are; the policy takes 200 for success: reward 0.',
        task: 0,
        emissions: [
          {
            text: '',
            toolCalls: [
              {
                name: 'generate',
                arguments: { command: 'note', action: 'create', param1: 'The milk is out' },
              },
            ],
          },
          {
            text: '',
            toolCalls: [
              {
                name: 'generate',
                arguments: { command: 'pref', action: 'set', param1: 'theme', param2: 'light' },
              },
            ],
          },
          { text: 'Done.', toolCalls: [] },
        ],
        expect: { reward: 0 },
      },
    ],
    checklist: {
      name: 'per_user_assistant',
      stateful: true,
      seed: { notes: ['first'] },
      otherSeed: { notes: ['of somebody else'] },
      write: { path: '/generate', body: { command: 'note', action: 'add', param1: 'next' } },
      read: { path: '/generate', body: { command: 'note', action: 'list' }, at: 'data.notes' },
      seen: {
        seeded: ['first'],
        written: ['first', 'next'],
        otherSeeded: ['of somebody else'],
        concurrent: { writes: 12, value: ['first', ...Array.from({ length: 12 }, () => 'next')] },
      },
      verify: { body: { expected_notes: ['first', 'next'] }, reward: 1 },
    },
  });
}

export const perUserAssistant = createPerUserAssistant(DEFAULT_PER_USER_CONFIG);
