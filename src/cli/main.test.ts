import { describe, expect, test } from 'vitest';
import { commands } from './commands';
import { rollscope } from './io.fixtures';

test('--version is the version and nothing else', async () => {
  expect(await rollscope(['--version'])).toEqual({ code: 0, out: '1.2.3\n', err: '' });
});

test('--help lists every command', async () => {
  const { code, out, err } = await rollscope(['--help']);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  for (const { synopsis } of commands) expect(out).toContain(`rollscope ${synopsis}`);
});

describe.each(commands.map(({ name }) => name))('%s', (name) => {
  test.each(['--help', '-h'])('%s explains it, with the options that every command has', async (flag) => {
    const { code, out, err } = await rollscope([name, flag]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^Usage: rollscope /);
    expect(out).toContain('--json');
    expect(out).toContain('--help');
  });

  test('an unknown option is an error of usage', async () => {
    const { code, out, err } = await rollscope([name, '--colour']);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain("'--colour'");
    expect(err).toContain('Usage: rollscope');
  });
});

test('a word that is neither command nor file is an error of usage, with what was probably meant', async () => {
  const { code, out, err } = await rollscope(['sumary', 'run.jsonl']);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toContain(
    "'sumary' is neither a command nor a file or folder. Did you mean 'rollscope summary'?",
  );
  expect((await rollscope(['nothing-like-it'])).err).toContain('The commands are serve, summary, show');
});

test.each([
  [['summary'], 'Which files?'],
  [['show', '--episode', '0'], 'Name one file'],
  [['show', 'a', 'b', '--episode', '0'], 'Name one file'],
  [['show', 'package.json'], 'Give --episode N'],
  [['show', 'package.json', '--episode', '-1'], '--episode'],
  [['show', 'package.json', '--episode', '1.5'], 'a whole number from 0'],
  [['show', 'package.json', '--episode', '0', '--step', 'last'], 'a whole number from 0'],
  [['show', '.', '--episode', '0'], 'is a folder'],
  [['--port', 'any'], 'a whole number from 0'],
  [['--port', '70000'], '65535'],
])('%j is an error of usage', async (args, reason) => {
  const { code, out, err } = await rollscope(args);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toContain(reason);
});

test.each([['summary'], ['show', '--episode', '0'], ['serve']])(
  '%s of a file that is not there fails and says so',
  async (...args) => {
    const { code, out, err } = await rollscope([...args, 'no-such-file.jsonl']);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain("There is no file or folder 'no-such-file.jsonl'");
  },
);
