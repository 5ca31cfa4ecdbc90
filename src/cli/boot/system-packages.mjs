import { spawnSync } from 'node:child_process';
import { onPath, run } from './processes.mjs';
import { say } from './project.mjs';

/** What the package managers call what the tests need. */
const managers = [
  {
    program: 'apt-get',
    before: ['update'],
    install: ['install', '-y', '--no-install-recommends'],
    names: { chromium: 'chromium', redis: 'redis-server' },
  },
  { program: 'dnf', install: ['install', '-y'], names: { chromium: 'chromium', redis: 'valkey' } },
  { program: 'apk', install: ['add'], names: { chromium: 'chromium', redis: 'redis' } },
  { program: 'pacman', install: ['-Sy', '--noconfirm'], names: { chromium: 'chromium', redis: 'valkey' } },
  { program: 'brew', install: ['install'], names: { redis: 'redis' }, asUser: true },
];

const patience = 5 * 60 * 1000;

/**
 * Tries the system's package manager, where that needs no password. Whether it helped is for the caller to see.
 * @param {'chromium' | 'redis'} what
 */
export async function installFromSystem(what) {
  const manager = managers.find(({ program }) => onPath(program) !== undefined);
  const name = manager?.names[what];
  if (manager === undefined || name === undefined) return;
  const prefix = manager.asUser ? [] : asRoot();
  if (prefix === undefined) return;

  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  for (const args of [manager.before, [...manager.install, name]]) {
    if (args === undefined) continue;
    const [program = '', ...rest] = [...prefix, manager.program, ...args];
    say(`Installing ${what}: ${[program, ...rest].join(' ')}`);
    await run(program, rest, { env, timeout: patience });
  }
}

/**
 * What to put before a command that only root may run; undefined where that would need a password.
 * @returns {string[] | undefined}
 */
function asRoot() {
  if (process.getuid?.() === 0) return [];
  const allowed = spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0;
  return allowed ? ['sudo', '-n'] : undefined;
}
