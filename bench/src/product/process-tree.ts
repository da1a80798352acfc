import { readdirSync, readFileSync } from 'node:fs';

/** What one process costs at this moment. */
export interface ProcessCost {
  readonly pid: number;
  readonly command: string;
  /** Resident set size in bytes: shared pages count in every process. */
  readonly rss: number;
  /** User and system time since the process began, in ms; children count once they have been waited for. */
  readonly cpuMs: number;
}

/** What one thread of a process costs. Threads have no memory of their own. */
export interface ThreadCost {
  readonly tid: number;
  /** As its program calls it, at most 15 bytes of that. */
  readonly name: string;
  /** The thread that the process began with. */
  readonly isMain: boolean;
  /** User and system time since the thread began, in ms. */
  readonly cpuMs: number;
}

/** Ticks of `/proc/<pid>/stat` and of threads: 100 a second on every Linux that Node runs on. */
const MS_PER_TICK = 10;

/**
 * A process and all its descendants, as `/proc` of Linux shows them. A process that ends meanwhile is left out. Cheap
 * enough to be asked several times a second beside what it measures, unlike {@link pssOf}.
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
 * Proportional set size of a process in bytes: pages that n processes share count as 1/n in each. 0 when it has ended.
 * The kernel walks all of the process's pages for it and holds them meanwhile: some milliseconds for a large one.
 */
export function pssOf(pid: number): number {
  return bytesOf(read(`/proc/${pid}/smaps_rollup`), 'Pss');
}

/** The threads of a process, as `/proc` of Linux shows them; none when it has ended. Ended threads are left out. */
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
  /** Of the process's children that have been waited for. */
  readonly childrenMs: number;
}

/** See proc_pid_stat(5). */
function readStat(path: string): Stat | undefined {
  const stat = read(path);
  if (stat === undefined) return undefined;
  // The name in parentheses may hold anything; the fields after it are numbers, but for the first.
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

/** Bytes of a line `name: n kB`; 0 where there is none. */
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
