import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { cpuTimeMs } from '@citewell/observability/child-processes';

const execFileAsync = promisify(execFile);

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
