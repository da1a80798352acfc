import { randomBytes } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const PREFIX = `citewell-parser-${hostname().replaceAll(/[^\w.]/g, '_')}-`;
const OWNER = /^(\d+)-[0-9a-f]{12}$/;

/** A path for the scratch directory of this process: its name says whose it is, so that it is known when it is nobody's. */
export function newScratchDirectory(parent = tmpdir()): string {
  return join(parent, `${PREFIX}${process.pid}-${randomBytes(6).toString('hex')}`);
}

/**
 * Removes the scratch directories of processes of this machine that are gone: a worker that was killed leaves copies of
 * people's files there.
 *
 * @param own not removed; others of our process id are of an earlier process (the first of a container has always the same)
 * @returns how many there were
 */
export async function removeAbandonedScratch(own: string, parent = tmpdir()): Promise<number> {
  const abandoned = (await readdir(parent)).filter((name) => {
    const pid = name.startsWith(PREFIX) ? OWNER.exec(name.slice(PREFIX.length))?.[1] : undefined;
    if (pid === undefined || name === basename(own)) return false;
    return Number(pid) === process.pid || !isRunning(Number(pid));
  });
  for (const name of abandoned) await rm(join(parent, name), { recursive: true, force: true });
  return abandoned.length;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Anything but "no such process" means that there is one, of somebody else.
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}
