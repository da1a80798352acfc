import { readFile } from 'node:fs/promises';

/** Ids of all descendants of a process, read from `/proc` (Linux). */
export async function descendantsOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  const direct = text
    .split(' ')
    .map(Number)
    .filter((child) => child > 0);
  return [...direct, ...(await Promise.all(direct.map(descendantsOf))).flat()];
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Ids of the parser processes below a process. */
export async function parsersOf(pid: number): Promise<number[]> {
  const found = await Promise.all(
    (await descendantsOf(pid)).map(async (child) => {
      const command = await readFile(`/proc/${child}/cmdline`, 'utf8').catch(() => '');
      return command.includes('parse-child') ? [child] : [];
    }),
  );
  return found.flat();
}

/** Current resident set size of a process in bytes (Linux); 0 when the process has ended. */
export async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1_024;
}

/** Proportional set size of a process in bytes (Linux): a page that n processes share counts 1/n in each. */
export async function proportionalBytes(pid: number): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  return Number(/^Pss:\s+(\d+) kB$/m.exec(rollup)?.[1] ?? 0) * 1_024;
}
