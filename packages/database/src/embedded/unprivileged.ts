import { readFileSync } from 'node:fs';
import { chown, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/** The command line and account for a program that refuses to run as root. */
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

/** Accounts that Linux systems have; initdb needs one with an entry in the password file. */
const ACCOUNTS = ['postgres', 'nobody'];

/**
 * Postgres refuses to run as root, as containers and CI often do. It then runs as `postgres` or `nobody`.
 * Where that user may not enter a parent directory, such as `/root`, `setpriv` grants the capability to pass
 * directories and nothing else. initdb looks for `postgres` with access(2), in which the kernel ignores the
 * capabilities of other users than root unless the secure bit is set.
 *
 * @param owned files and directories that the program works on; the user becomes their owner
 */
export async function launchUnprivileged(
  command: string,
  args: string[],
  owned: readonly string[],
): Promise<Launch> {
  if (process.getuid?.() !== 0) return { command, arguments: args };
  const user = findAccount();
  if (!user)
    throw new Error(`Postgres does not run as root, and there is no account named ${ACCOUNTS.join(' or ')}`);
  for (const path of owned) await chown(path, user.uid, user.gid);
  const canPass = await Promise.all([command, ...owned].map((path) => mayPass(path, user)));
  if (canPass.every(Boolean)) {
    return { command, arguments: args, uid: user.uid, gid: user.gid };
  }
  const capabilities = [
    '--inh-caps=+dac_read_search',
    '--ambient-caps=+dac_read_search',
    '--securebits=+no_setuid_fixup',
  ];
  const identity = [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups'];
  return { command: 'setpriv', arguments: [...identity, ...capabilities, '--', command, ...args] };
}

function findAccount(): User | undefined {
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of ACCOUNTS) {
    const fields = lines.find((line) => line.startsWith(`${name}:`))?.split(':');
    if (fields) return { name, uid: Number(fields[2]), gid: Number(fields[3]) };
  }
  return undefined;
}

/**
 * Whether a user may enter every parent directory of a path. Group permissions are ignored: the user has no
 * groups.
 */
async function mayPass(path: string, user: User): Promise<boolean> {
  for (let folder = dirname(resolve(path)); ; folder = dirname(folder)) {
    const { mode, uid } = await stat(folder);
    if (!(mode & (uid === user.uid ? 0o100 : 0o001))) return false;
    if (folder === dirname(folder)) return true;
  }
}
