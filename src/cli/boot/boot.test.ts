import { spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { mkdtemp, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { fingerprint } from './fingerprint.mjs';
import { isInstalled } from './install.mjs';
import { root } from './project.mjs';
import { playwrightTally, vitestTally } from './tally.mjs';

const program = fileURLToPath(new URL('rollscope.mjs', import.meta.url));

test('rollscope runs the sources, with nothing but its data on standard output', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, '--version'], {
    encoding: 'utf8',
  });
  expect({ status, stdout, stderr }).toEqual({
    status: 0,
    stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    stderr: '',
  });
});

test('rollscope reads standard input and passes on the exit code', () => {
  const run = spawnSync(process.execPath, [program, 'summary', '--json', '-'], {
    input: '{"a":1}\nbad\n',
    encoding: 'utf8',
  });
  expect(JSON.parse(run.stdout)).toMatchObject({ path: '-', records: 1, parseErrors: 1 });
  expect(run.stderr).toContain('-: line 2: ');
  expect(run.status).toBe(0);
  expect(spawnSync(process.execPath, [program, 'summary']).status).toBe(2);
});

test.runIf(existsSync('/dev/stdin'))('rollscope reads standard input and pipes by their paths', () => {
  for (const script of [
    '"$1" "$2" summary --json /dev/stdin',
    'cat | "$1" "$2" summary --json /dev/stdin',
    '"$1" "$2" summary --json <(cat)',
  ]) {
    const { status, stdout, stderr } = spawnSync('bash', ['-c', script, 'bash', process.execPath, program], {
      input: '{"a":1}\n',
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ records: 1, parseErrors: 0 });
  }
});

test('nothing stays behind of standard input', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rollscope-boot-'));
  const env = { ...process.env, TMPDIR: folder, TEMP: folder };
  expect(spawnSync(process.execPath, [program, 'summary', '-'], { input: '{}', env }).status).toBe(0);
  expect(await readdir(folder)).toEqual([]);
  await rm(folder, { recursive: true });
});

test('a name can not steer the terminal from an error message', () => {
  const { stderr } = spawnSync(process.execPath, [program, '\u001b[2J'], { encoding: 'utf8' });
  expect(stderr).toContain("'␛[2J' is neither");
});

test('a reader that stops early is no failure', async () => {
  const child = spawn(process.execPath, [program, '--help'], { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.destroy();
  let err = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const code = await new Promise((done) => child.once('close', done));
  expect({ code, err }).toEqual({ code: 0, err: '' });
});

test.runIf(existsSync('/dev/full'))('output that can not be written is a failure, in one line', () => {
  const full = openSync('/dev/full', 'w');
  for (const args of [['--version'], ['summary', '--help'], ['summary', '--json', '-']]) {
    const { status, stderr } = spawnSync(process.execPath, [program, ...args], {
      input: '{"a":1}',
      stdio: ['pipe', full, 'pipe'],
      encoding: 'utf8',
    });
    expect(status).toBe(1);
    expect(stderr).toMatch(/^rollscope: Standard output can not be written: ENOSPC.*\n$/);
  }
  closeSync(full);
});

test('a fingerprint follows names and content, not times and tests', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rollscope-fingerprint-'));
  const print = () => fingerprint([relative(root, folder)]);
  const file = join(folder, 'a.ts');
  await writeFile(file, 'one');
  const first = print();
  await utimes(file, 0, 0);
  await writeFile(join(folder, 'a.test.ts'), 'a test');
  expect(print()).toBe(first);
  await rename(file, join(folder, 'b.ts'));
  const renamed = print();
  await writeFile(join(folder, 'b.ts'), 'two');
  expect(new Set([first, renamed, print()]).size).toBe(3);
  await rm(folder, { recursive: true });
});

test('the packages that run this test are seen to be installed', () => {
  expect(root).toBe(process.cwd());
  expect(isInstalled()).toBe(true);
});

test('tests of vitest are counted', () => {
  const statuses = ['passed', 'passed', 'failed', 'skipped', 'pending', 'todo'];
  const report = {
    testResults: [{ assertionResults: statuses.map((status) => ({ status, fullName: `is ${status}` })) }],
  };
  const skipped = ['is skipped', 'is pending', 'is todo'];
  expect(vitestTally(report, 1)).toEqual({ passed: 2, failed: 1, skipped });
});

test('tests of Playwright are counted through all levels', () => {
  const inner = { title: 'inner', specs: [spec('flaky', 'flaky'), spec('left out', 'skipped')] };
  const suites = [
    { title: 'file', specs: [spec('good', 'expected'), spec('bad', 'unexpected')], suites: [inner] },
  ];
  expect(playwrightTally({ suites }, 1)).toEqual({ passed: 1, failed: 2, skipped: ['inner left out'] });
});

test('a runner that ends badly, or finds no test, has failed', () => {
  const passed = { testResults: [{ assertionResults: [{ status: 'passed', fullName: 'good' }] }] };
  expect(vitestTally(passed, 0)).toMatchObject({ passed: 1, failed: 0 });
  expect(vitestTally(passed, 1)).toMatchObject({ passed: 1, failed: 1 });
  expect(vitestTally(undefined, 0)).toMatchObject({ passed: 0, failed: 1 });
  expect(playwrightTally({ suites: [] }, 0)).toMatchObject({ passed: 0, failed: 1 });
});

function spec(title: string, status: string) {
  return { title, tests: [{ status }] };
}
