import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** Memory of all processes below this one, which are the browser's. */
export interface Processes {
  /** Bytes; undefined where the system does not tell. */
  memory: () => number | undefined;
  /** What `memory` counts. */
  measure: string;
}

export function childProcesses(): Processes {
  if (process.platform === 'linux') {
    return { measure: 'PSS of all processes of the browser', memory: () => sum(linuxTree(), proportional) };
  }
  return { measure: 'RSS of all processes of the browser', memory: residentByPs };
}

function linuxTree(): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = read(`/proc/${name}/stat`);
    // `123 (name, which may hold anything) S 45 …`
    const parent = /^.*\) \S (\d+)/s.exec(stat)?.[1];
    if (parent !== undefined) parents.set(Number(name), Number(parent));
  }
  return below(parents);
}

function below(parents: ReadonlyMap<number, number>): number[] {
  const found: number[] = [];
  for (const pid of parents.keys()) {
    for (let at: number | undefined = parents.get(pid); at !== undefined && at > 1; at = parents.get(at)) {
      if (at !== process.pid) continue;
      found.push(pid);
      break;
    }
  }
  return found;
}

function proportional(pid: number): number {
  const kilobytes = /^Pss:\s+(\d+) kB/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1];
  return Number(kilobytes ?? 0) * 1024;
}

function residentByPs(): number | undefined {
  try {
    const parents = new Map<number, number>();
    const sizes = new Map<number, number>();
    for (const line of execFileSync('ps', ['-axo', 'pid=,ppid=,rss='], { encoding: 'utf8' }).split('\n')) {
      const [pid, parent, kilobytes] = line.trim().split(/\s+/).map(Number);
      if (pid === undefined || parent === undefined || kilobytes === undefined) continue;
      parents.set(pid, parent);
      sizes.set(pid, kilobytes * 1024);
    }
    return sum(below(parents), (pid) => sizes.get(pid) ?? 0);
  } catch {
    return undefined;
  }
}

function sum(pids: readonly number[], size: (pid: number) => number): number {
  let bytes = 0;
  for (const pid of pids) bytes += size(pid);
  return bytes;
}

/** Empty where the process has ended meanwhile. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
