import { createHash, randomBytes } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { basename, join } from 'node:path';

/** What is in a folder; one who sweeps leaves the folders of others alone. */
export type ScratchPurpose = 'parser' | 'browser';

/** The machine's name may be long, and Chromium puts a socket below: paths of sockets are short. */
const MACHINE = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
const OWNER = /^(\d+)-\w+$/;

/**
 * A path for a scratch folder of this process, where nothing is yet. Its name says whose it is, so that it is known when
 * it is nobody's.
 */
export function newScratchPath(purpose: ScratchPurpose, parent = tmpdir()): string {
  return join(parent, `${prefixOf(purpose)}${process.pid}-${randomBytes(3).toString('hex')}`);
}

/**
 * Removes the scratch folders of processes of this machine that are gone: one that was killed leaves copies of people's
 * files there.
 *
 * @param own the only folder of this process. Others of its id are then of an earlier process (the first of a container
 *   has always the same) and are removed; without it, all of them are kept
 * @returns how many there were
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
    // Anything but "no such process" means that there is one, of somebody else.
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}
