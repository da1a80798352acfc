import { chown, stat } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** How to start a program that refuses to run as root. */
export interface Launch {
  command: string;
  arguments: string[];
  uid?: number;
  gid?: number;
}

interface User {
  name: string;
  uid: number;
  gid: number;
}

/** Accounts that Linux systems have; initdb wants one with an entry in the password file. */
const ACCOUNTS = ['postgres', 'nobody'];

/**
 * Postgres refuses to run as root, and containers and CI often are. There it runs as `postgres` or `nobody`.
 * Where that user may not enter the folders on the way (a clone under `/root`, say), `setpriv` lets the process
 * pass them, and only that. The kernel leaves capabilities out of access(2) for whoever is not root, and initdb asks
 * with that whether it can find `postgres`: hence the secure bit, which has them counted.
 *
 * @param owned files and folders that the program works on; they are given to the user
 */
export async function launchUnprivileged(
  command: string,
  args: string[],
  owned: readonly string[],
): Promise<Launch> {
  if (process.getuid?.() !== 0) return { command, arguments: args };
  const user = findAccount();
  if (!user)
    throw new Error(
      `Postgres does not run as root, and there is no account of the name ${ACCOUNTS.join(' or ')}`,
    );
  for (const path of owned) await chown(path, user.uid, user.gid);
  const passes = await Promise.all([command, ...owned].map((path) => mayPass(path, user)));
  if (passes.every(Boolean)) {
    return { command, arguments: args, uid: user.uid, gid: user.gid };
  }
  const passing = [
    '--inh-caps=+dac_read_search',
    '--ambient-caps=+dac_read_search',
    '--securebits=+no_setuid_fixup',
  ];
  const identity = [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups'];
  return { command: 'setpriv', arguments: [...identity, ...passing, '--', command, ...args] };
}

function findAccount(): User | undefined {
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of ACCOUNTS) {
    const fields = lines.find((line) => line.startsWith(`${name}:`))?.split(':');
    if (fields) return { name, uid: Number(fields[2]), gid: Number(fields[3]) };
  }
  return undefined;
}

/** Whether a user may enter every folder above a path. Group rights are not looked at: the user has no groups. */
async function mayPass(path: string, user: User): Promise<boolean> {
  for (let folder = dirname(resolve(path)); ; folder = dirname(folder)) {
    const { mode, uid } = await stat(folder);
    if (!(mode & (uid === user.uid ? 0o100 : 0o001))) return false;
    if (folder === dirname(folder)) return true;
  }
}
