import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * @returns resident memory of a process in bytes; null when the process is dead or the system does not report
 * it
 */
export async function residentBytes(pid: number): Promise<number | null> {
  try {
    if (process.platform === 'linux') {
      const status = await readFile(`/proc/${pid}/status`, 'latin1');
      return kilobytes(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]);
    }
    const { stdout } = await run('ps', ['-o', 'rss=', '-p', String(pid)]);
    return kilobytes(stdout);
  } catch {
    return null;
  }
}

function kilobytes(text: string | undefined): number | null {
  const value = Number(text?.trim() || Number.NaN);
  return Number.isFinite(value) ? value * 1024 : null;
}
