import { createHash, randomBytes } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { basename, join } from 'node:path';

/** Who uses a scratch folder. Cleaning up for one purpose leaves those of the others alone. */
type ScratchPurpose = 'parser' | 'browser' | 'source';

/**
 * Hashed to keep the path short: Chromium creates a socket in its folder, and socket paths have a length
 * limit.
 */
const MACHINE = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
const OWNER = /^(\d+)-\w+$/;

/**
 * Returns an unused path for a scratch folder of this process. The name contains the machine and the process
 * id, so that {@link removeAbandonedScratch} can find folders of dead processes. Does not create the folder.
 */
export function newScratchPath(purpose: ScratchPurpose, parent = tmpdir()): string {
  return join(parent, `${prefixOf(purpose)}${process.pid}-${randomBytes(3).toString('hex')}`);
}

/**
 * Removes the scratch folders of dead processes of this machine. A process that was killed leaves copies of
 * users' files behind.
 *
 * @param own the only folder of this process. Other folders with its process id then belong to an earlier
 * process and are removed: the first process of a container always has the same id. Without `own`, all of
 * them are kept.
 * @returns the number of removed folders
 */
export async function removeAbandonedScratch(
  purpose: ScratchPurpose,
  { own, parent = tmpdir() }: { own?: string; parent?: string } = {},
): Promise<number> {
  const prefix = prefixOf(purpose);
  const abandoned = (await readdir(parent)).filter((name) => {
    const owner = name.startsWith(prefix) ? OWNER.exec(name.slice(prefix.length))?.[1] : undefined;
    if (owner === undefined) return false;
    const pid = Number(owner);
    return pid === process.pid ? own !== undefined && name !== basename(own) : !isRunning(pid);
  });
  for (const name of abandoned) await rm(join(parent, name), { recursive: true, force: true });
  return abandoned.length;
}

function prefixOf(purpose: ScratchPurpose): string {
  return `citewell-${purpose}-${MACHINE}-`;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Any error but "no such process" means that the process exists and belongs to another user.
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}
