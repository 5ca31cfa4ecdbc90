import { readFile } from 'node:fs/promises';
import type { ChecklistProfile, CheckResult } from '../../gym';
import { errorText } from '../../model/error-text';
import { defineCommand, UsageError, wholeNumber } from '../command';
import { jsonLine, printable } from '../io';

export const check = defineCommand({
  name: 'check',
  synopsis: 'check <url> --profile NAME|FILE',
  about: 'the session checklist, against any resources server',
  details: `Runs five checks against a resources server: sessions are isolated, state persists across calls, missing state is
handled, verification uses its own session, idle sessions are cleaned up. A profile says how to seed, write, read and
verify: the name of an environment of this program, or a JSON file. Exit code 1 if a check fails.`,
  options: {
    profile: { type: 'string', value: 'NAME|FILE', about: 'what to call: stateful_counter, or a file' },
    'max-wait': {
      type: 'string',
      value: 'SECONDS',
      about: 'the longest wait for the clean-up; 30 if not given',
    },
    'drop-cookies': { type: 'boolean', about: 'forget cookies on purpose, as a careless client does' },
  },
  async run({ positionals, json, text, flag }, io) {
    const [url, ...more] = positionals;
    if (url === undefined || more.length > 0) throw new UsageError('check takes the URL of one server.');
    if (!URL.canParse(url) || !/^https?:/.test(url)) {
      throw new UsageError(`'${url}' is not an http address such as http://127.0.0.1:8000.`);
    }
    const profile = await profileFor(text('profile'));
    const maxWaitMs = wholeNumber('--max-wait', text('max-wait') ?? '30') * 1000;
    const { directTransport, runChecklist } = await import('../../gym');
    const checks = await runChecklist({
      baseUrl: url.replace(/\/+$/, ''),
      transport: directTransport((request) => fetch(request)),
      profile,
      dropCookies: flag('drop-cookies'),
      maxWaitMs,
      onCheck: ({ id, status }) => io.note(`${id}: ${status}`),
    });
    await io.data(json ? jsonLine({ url, checks }) : checks.map(line).join(''));
    return checks.some(({ status }) => status === 'fail') ? 1 : 0;
  },
});

function line({ id, status, detail }: CheckResult): string {
  return `${status.padEnd(14)}  ${id.padEnd(13)}  ${printable(detail)}\n`;
}

async function profileFor(name: string | undefined): Promise<ChecklistProfile> {
  const { environments, environmentNamed, readProfile } = await import('../../gym');
  const names = environments.map((environment) => environment.name).join(', ');
  if (name === undefined) throw new UsageError(`check needs --profile: a file, or one of ${names}.`);
  const shipped = environmentNamed(name);
  if (shipped !== undefined) return shipped.checklist;
  try {
    return readProfile(await readFile(name, 'utf8'));
  } catch (error) {
    const why = errorText(error);
    throw new UsageError(`'${name}' is neither one of ${names} nor a profile file: ${why}`, { cause: error });
  }
}
