import { readdirSync, readFileSync } from 'node:fs';

/** Resource usage of a process at one moment. */
export interface ProcessCost {
  readonly pid: number;
  readonly command: string;
  /** Resident set size in bytes. Shared pages count in full in every process. */
  readonly rss: number;
  /** User and system time since the start of the process, in ms. Includes children that have ended. */
  readonly cpuMs: number;
}

/** Resource usage of a thread. Memory is not known per thread. */
export interface ThreadCost {
  readonly tid: number;
  /** Thread name, cut off after 15 bytes. */
  readonly name: string;
  /** Whether it is the main thread of the process. */
  readonly isMain: boolean;
  /** User and system time since the start of the thread, in ms. */
  readonly cpuMs: number;
}

/** `/proc/<pid>/stat` counts clock ticks: 100 per second on every Linux that Node supports. */
const MS_PER_TICK = 10;

/**
 * A process and all its descendants, read from `/proc` (Linux). Processes that end meanwhile are left out.
 * Unlike {@link pssOf}, it is cheap enough to be called several times a second during a measurement.
 */
export function processTree(rootPid: number): ProcessCost[] {
  const childrenOf = new Map<number, number[]>();
  const stats = new Map<number, Stat>();
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    const stat = Number.isInteger(pid) ? readStat(`/proc/${pid}/stat`) : undefined;
    if (stat === undefined) continue;
    stats.set(pid, stat);
    childrenOf.set(stat.parentPid, [...(childrenOf.get(stat.parentPid) ?? []), pid]);
  }
  const pids = [rootPid];
  for (let i = 0; i < pids.length; i++) pids.push(...(childrenOf.get(pids[i] ?? 0) ?? []));
  return pids.flatMap((pid) => {
    const stat = stats.get(pid);
    if (stat === undefined) return [];
    const command = read(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ').trim() ?? '';
    const rss = bytesOf(read(`/proc/${pid}/status`), 'VmRSS');
    return [{ pid, command, rss, cpuMs: stat.ownMs + stat.childrenMs }];
  });
}

/**
 * Proportional set size of a process in bytes: a page that n processes share counts 1/n in each. 0 when the
 * process has ended. The kernel walks and locks all pages of the process for it, which takes milliseconds for
 * a large process.
 */
export function pssOf(pid: number): number {
  return bytesOf(read(`/proc/${pid}/smaps_rollup`), 'Pss');
}

/** The running threads of a process, read from `/proc` (Linux). Empty when the process has ended. */
export function threadsOf(pid: number): ThreadCost[] {
  return list(`/proc/${pid}/task`).flatMap((name) => {
    const tid = Number(name);
    const stat = readStat(`/proc/${pid}/task/${tid}/stat`);
    return stat === undefined ? [] : [{ tid, name: stat.name, isMain: tid === pid, cpuMs: stat.ownMs }];
  });
}

interface Stat {
  readonly name: string;
  readonly parentPid: number;
  readonly ownMs: number;
  /** CPU time of the children that have ended. */
  readonly childrenMs: number;
}

/** See proc_pid_stat(5). */
function readStat(path: string): Stat | undefined {
  const stat = read(path);
  if (stat === undefined) return undefined;
  // The name in parentheses may contain any character. The fields after it are numbers, except the first.
  const end = stat.lastIndexOf(')');
  const fields = stat
    .slice(end + 2)
    .split(' ')
    .map(Number);
  const ms = (first: number, second: number): number =>
    ((fields[first] ?? 0) + (fields[second] ?? 0)) * MS_PER_TICK;
  return {
    name: stat.slice(stat.indexOf('(') + 1, end),
    parentPid: fields[1] ?? 0,
    ownMs: ms(11, 12),
    childrenMs: ms(13, 14),
  };
}

/** Value in bytes of a line `name: n kB`; 0 if there is no such line. */
function bytesOf(lines: string | undefined, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(lines ?? '')?.[1] ?? 0) * 1024;
}

function list(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
