import { chmod, mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Permissions of group and others. */
const SHARED = 0o077;

/**
 * Creates the data directory if needed, and lets only the user of this process and root read it: the directory, what it
 * already contains, and everything that this process will create.
 */
export async function makePrivate(directory: string): Promise<void> {
  process.umask(SHARED);
  await mkdir(directory, { recursive: true });
  // Nobody else can enter a private directory, so its content needs no change.
  if (((await stat(directory)).mode & SHARED) === 0) return;
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) await chmod(path, 0o700);
    else if (entry.isFile()) await chmod(path, 0o600);
  }
  await chmod(directory, 0o700);
}
