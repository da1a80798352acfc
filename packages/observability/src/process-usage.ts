import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const execFileAsync = promisify(execFile);

/** Linux reports CPU time in hundredths of a second on every architecture that Node supports, see time(7). */
const TICK_MS = 10;

export interface ProcessUsage {
  readonly residentBytes: number;
  /** CPU time of all threads since the start of the process. */
  readonly cpuMs: number;
}

/** @returns what a process uses; null when it is dead or the system does not report it */
export async function processUsage(pid: number): Promise<ProcessUsage | null> {
  try {
    return process.platform === 'linux' ? await usageOnLinux(pid) : await usageByPs(pid);
  } catch {
    return null;
  }
}

/**
 * CPU time of a process or a thread in milliseconds, without that of its children: `utime` and `stime` of
 * `/proc/<pid>/stat`, see proc_pid_stat(5).
 *
 * @param stat the text of that file
 */
export function cpuTimeMs(stat: string): number {
  // The name of the program, in parentheses, may contain any character. The two fields are 11 and 12 fields after its end.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

async function usageOnLinux(pid: number): Promise<ProcessUsage | null> {
  const [status, stat] = await Promise.all(
    ['status', 'stat'].map((name) => readFile(`/proc/${pid}/${name}`, 'latin1')),
  );
  // A process that has ended and is not yet reaped has no memory.
  const memory = /^VmRSS:\s+(\d+) kB$/m.exec(status ?? '')?.[1];
  if (memory === undefined || stat === undefined) return null;
  return { residentBytes: Number(memory) * 1024, cpuMs: cpuTimeMs(stat) };
}

async function usageByPs(pid: number): Promise<ProcessUsage | null> {
  const { stdout } = await execFileAsync('ps', ['-o', 'rss=,time=', '-p', String(pid)]);
  const [memory = '', time = ''] = stdout.trim().split(/\s+/);
  // Days, hours, minutes and seconds: `[[dd-]hh:]mm:ss[.cc]`.
  const seconds = time.split(/[-:]/).reduceRight(
    ({ sum, unit }, part, index, parts) => ({
      sum: sum + Number(part) * unit,
      unit: unit * (parts.length - index === 3 ? 24 : 60),
    }),
    { sum: 0, unit: 1 },
  ).sum;
  const residentBytes = Number(memory) * 1024;
  return memory === '' || Number.isNaN(residentBytes + seconds)
    ? null
    : { residentBytes, cpuMs: seconds * 1_000 };
}
