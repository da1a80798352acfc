import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';

/** The machine's name may be long, and Chromium puts a socket below: paths of sockets are short. */
const MACHINE = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
const PREFIX = `citewell-browser-${MACHINE}-`;

/** A folder for what a browser writes. Its name says whose it is, so that it is known when it is nobody's. */
export async function newScratchFolder(parent = tmpdir()): Promise<string> {
  return mkdtemp(join(parent, `${PREFIX}${process.pid}-`));
}

/** Removes the folders of processes of this machine that are gone. */
export async function removeAbandonedFolders(parent = tmpdir()): Promise<void> {
  for (const name of await readdir(parent)) {
    const pid = name.startsWith(PREFIX) ? Number.parseInt(name.slice(PREFIX.length), 10) : Number.NaN;
    if (pid > 0 && pid !== process.pid && !isRunning(pid))
      await rm(join(parent, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Anything but "no such process" means that there is one, of somebody else.
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}
