import { readdirSync, readFileSync } from 'node:fs';

/** What one process costs at this moment. */
export interface ProcessCost {
  readonly pid: number;
  readonly command: string;
  /** Proportional set size in bytes: pages shared by n processes count as 1/n in each. */
  readonly pss: number;
  /** Resident set size in bytes: shared pages count in every process. */
  readonly rss: number;
  /** User and system time since the process began, in ms; children count once they have been waited for. */
  readonly cpuMs: number;
}

/** Ticks of `/proc/<pid>/stat`: 100 a second on every Linux that Node runs on. */
const MS_PER_TICK = 10;

/** A process and all its descendants, as `/proc` of Linux shows them. A process that ends meanwhile is left out. */
export function processTree(rootPid: number): ProcessCost[] {
  const childrenOf = new Map<number, number[]>();
  const stats = new Map<number, readonly string[]>();
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    const stat = Number.isInteger(pid) ? read(`/proc/${pid}/stat`) : undefined;
    if (stat === undefined) continue;
    // The name in parentheses may hold anything; the fields after it are numbers. See proc_pid_stat(5).
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    stats.set(pid, fields);
    const parent = Number(fields[1]);
    childrenOf.set(parent, [...(childrenOf.get(parent) ?? []), pid]);
  }
  const pids = [rootPid];
  for (let i = 0; i < pids.length; i++) pids.push(...(childrenOf.get(pids[i] ?? 0) ?? []));
  return pids.flatMap((pid) => {
    const rollup = read(`/proc/${pid}/smaps_rollup`);
    const fields = stats.get(pid);
    if (rollup === undefined || fields === undefined) return [];
    const cpuTicks = [11, 12, 13, 14].reduce((sum, field) => sum + Number(fields[field]), 0);
    const command = read(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ').trim() ?? '';
    return [
      { pid, command, pss: bytes(rollup, 'Pss'), rss: bytes(rollup, 'Rss'), cpuMs: cpuTicks * MS_PER_TICK },
    ];
  });
}

function bytes(rollup: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(rollup)?.[1] ?? 0) * 1024;
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
